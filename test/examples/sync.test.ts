import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CrmRecords, type Customer } from '../../examples/integrator/crm-records.ts';
import { sampleJobs, type Job } from '../../examples/integrator/jobs.ts';
import { SyncState } from '../../examples/integrator/sync-state.ts';
import { sync, type SyncOptions } from '../../examples/integrator/sync.ts';
import type { ApiExchangeRecord, ApiHooks } from '../../service/api/install-recording.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { apiKey, begin, openService, type Json } from '../service/open-service.ts';
import { steppedClock } from './scripted-api.ts';

const hour = 3_600_000;
const hooksUrl = 'http://127.0.0.1:9/hooks';
const cut = { kind: 'cut-after' } as const;

type Request = Omit<ApiExchangeRecord, 'body'> & { what: string; key: string | undefined; body: Json };

/** A service that records the requests of a client, and the rounds of that client. */
async function openSync(trouble: ApiHooks['trouble'] = () => undefined) {
  const requests: Request[] = [];
  const open = await openService(
    {},
    {
      apiHooks: {
        trouble,
        onExchange: (record) => {
          const { method, url, headers, body } = record;
          const [, key] = headers.find(([name]) => name.toLowerCase() === 'idempotency-key') ?? [];
          const text = Buffer.from(body).toString('utf8');
          requests.push({ ...record, what: `${method} ${url}`, key, body: text === '' ? undefined : JSON.parse(text) });
        },
      },
    },
  );
  const state = new SyncState();
  const log: string[] = [];
  let now = begin;
  return {
    open,
    requests,
    log,
    state,
    /** Requests to one address, oldest first. */
    to: (what: string) => requests.filter((request) => request.what === what),
    later: (ms: number) => (now += ms),
    /** Plays one round and returns its requests and the number of failed jobs. */
    round: async (options: Partial<SyncOptions> = {}) => {
      const from = requests.length;
      const failed = await sync({
        api: { baseUrl: open.service.baseUrl, apiKey, ...steppedClock() },
        state,
        now: () => now,
        log: (line) => log.push(line),
        ...options,
      });
      return { failed, sent: requests.slice(from).map(({ what }) => what) };
    },
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

const customers = new CrmRecords().all();
const [erika, jonas, zoe] = customers as [Customer, Customer, Customer];
const only = (kind: Job['kind'], { crmContactId } = erika) =>
  sampleJobs(customers, begin)
    .filter((job) => job.kind === kind && job.crmContactId === crmContactId)
    .slice(0, 1);
const justErika = () => new CrmRecords([erika]);
/** Makes the first requests of an operation fail. */
const first = (operation: string, count: number, trouble: ReturnType<NonNullable<ApiHooks['trouble']>>) => {
  let left = count;
  return (request: { operation?: string }) => (request.operation === operation && left-- > 0 ? trouble : undefined);
};

describe('a round', () => {
  it('creates contacts, and runs their due jobs with their ids', async () => {
    await using at = await openSync();
    expect((await at.round()).failed).toBe(0);
    const contacts = at.to('POST /v1/contacts');
    expect(contacts.map(({ body }) => body)).toEqual(
      customers.map(({ phone, firstName, lastName, serviceConsent }) => ({
        phone,
        firstName,
        lastName,
        serviceConsent,
      })),
    );
    const ids = contacts.map(({ response }) => response !== 'cut' && JSON.parse(response.body).id);
    expect(at.to('POST /v1/messages').map(({ body }) => body.contactId)).toEqual([ids[0], ids[0], ids[1], ids[1]]);
    expect(at.to('POST /v1/notes').map(({ body }) => body.contactId)).toEqual(ids);
    expect(at.to('POST /v1/messages/log').map(({ body }) => body.contactId)).toEqual(ids);
    expect(at.to('POST /v1/appointments').map(({ body }) => body.phone)).toEqual(customers.map(({ phone }) => phone));
    for (const { response } of at.requests)
      expect(response).toMatchObject({ status: expect.toSatisfy((n) => n < 300) });
  });

  it('sends times in UTC, and its own record ids', async () => {
    await using at = await openSync();
    await at.round();
    // 10:00 and 17:20 in summer time.
    expect(at.to('POST /v1/appointments')[0]?.body).toMatchObject({
      start: '2026-10-18T08:00:00.000Z',
      confirmed: false,
      externalId: 'fitting-310',
      metadata: { crmContactId: 'K-1001' },
    });
    expect(at.to('POST /v1/messages/log')[0]?.body).toMatchObject({
      occurredAt: '2026-10-10T15:20:00.000Z',
      externalId: 'mail-310',
    });
  });

  it('sends no message to a customer without consent', async () => {
    await using at = await openSync();
    await at.round();
    expect(at.to('POST /v1/contacts').at(-1)?.body).toMatchObject({ phone: zoe.phone, serviceConsent: false });
    expect(at.to('POST /v1/messages').map(({ body }) => body.text)).not.toContainEqual(
      expect.stringContaining(zoe.firstName),
    );
    expect(at.to('POST /v1/messages')).toHaveLength(4);
  });

  it('has the key in a header of every request, and in no address and no body', async () => {
    await using at = await openSync();
    await at.round({ hooksUrl });
    expect(at.requests.length).toBeGreaterThan(15);
    for (const { url, headers, body } of at.requests) {
      expect(headers).toContainEqual(['x-api-key', apiKey]);
      expect(`${url}${JSON.stringify(body)}`).not.toContain(apiKey);
    }
    expect(at.log.join('\n')).not.toContain(apiKey);
  });

  it('reports that a message waits, and does not send it again', async () => {
    await using at = await openSync();
    await at.round({ jobs: only('message') });
    expect(at.log).toContain('order-310 waits until the customer taps or replies');
    expect(at.to('POST /v1/messages')).toHaveLength(1);
  });
});

describe('the next round', () => {
  it('has nothing left to do', async () => {
    await using at = await openSync();
    await at.round({ hooksUrl });
    expect(await at.round({ hooksUrl })).toEqual({ failed: 0, sent: ['GET /v1/me'] });
  });

  it('uses the contact id again', async () => {
    await using at = await openSync();
    await at.round({ jobs: only('note') });
    const { sent } = await at.round({ jobs: only('message') });
    expect(sent).toEqual(['GET /v1/me', 'POST /v1/messages']);
    expect(at.to('POST /v1/messages')[0]?.body.contactId).toBe(at.to('POST /v1/notes')[0]?.body.contactId);
  });

  it('sends only changed contacts again', async () => {
    await using at = await openSync();
    await at.round({ jobs: [] });
    const records = new CrmRecords([erika, { ...jonas, lastName: 'Neumann' }, zoe]);
    expect((await at.round({ jobs: [], records })).sent).toEqual(['GET /v1/me', 'POST /v1/contacts']);
    expect(at.to('POST /v1/contacts').at(-1)?.body).toMatchObject({ phone: jonas.phone, lastName: 'Neumann' });
  });
});

describe('an Idempotency-Key', () => {
  it('is the same for every attempt, and different for every intent', async () => {
    let troubles = 0;
    await using at = await openSync(({ operation }) =>
      (operation === 'sendMessage' || operation === 'addNote') && troubles++ % 3 !== 2 ? cut : undefined,
    );
    expect((await at.round()).failed).toBe(0);
    const keyed = [...at.to('POST /v1/messages'), ...at.to('POST /v1/notes')];
    expect(keyed).toHaveLength(3 * (4 + 3));
    const intents = Map.groupBy(keyed, ({ what, body }) => `${what} ${JSON.stringify(body)}`);
    expect(intents.size).toBe(4 + 3);
    for (const attempts of intents.values()) {
      expect(attempts).toHaveLength(3);
      expect(new Set(attempts.map(({ key }) => key)).size).toBe(1);
    }
    expect(new Set(keyed.map(({ key }) => key)).size).toBe(4 + 3);
    for (const { key } of keyed) expect(key).toMatch(/^[0-9a-f]{64}$/);
    // Each was processed once.
    const projects = [...at.open.inbox.workspace.projects.values()];
    expect(projects.flatMap(({ notes }) => notes).filter(({ title }) => title === 'Visit in the shop')).toHaveLength(3);
    expect(projects.flatMap(({ waiting }) => waiting)).toHaveLength(4);
  });

  it('is the same in the next round, also in another process, while it is valid', async () => {
    await using at = await openSync(first('sendMessage', 4, cut));
    expect(await at.round({ jobs: only('message'), records: justErika() })).toMatchObject({ failed: 1 });
    at.later(22 * hour);
    expect(await at.round({ jobs: only('message'), records: justErika() })).toEqual({
      failed: 0,
      sent: ['GET /v1/me', 'POST /v1/messages'],
    });
    expect(at.to('POST /v1/messages')).toHaveLength(5);
    expect(new Set(at.to('POST /v1/messages').map(({ key }) => key)).size).toBe(1);
  });

  it('is not relied on once it may have expired: a person must decide', async () => {
    await using at = await openSync(first('addNote', 8, cut));
    await at.round({ jobs: only('note'), records: justErika() });
    at.later(12 * hour);
    // A job that is repeated stays valid from its first attempt on.
    await at.round({ jobs: only('note'), records: justErika() });
    expect(at.to('POST /v1/notes')).toHaveLength(8);
    at.later(12 * hour);
    expect(await at.round({ jobs: only('note'), records: justErika() })).toEqual({ failed: 1, sent: ['GET /v1/me'] });
    expect(at.log.at(-1)).toBe('visit-310 unknown: it was sent before; a person has to check whether it was done');
  });
});

describe('a logged mail', () => {
  it('may come again at any time, because its externalId identifies it', async () => {
    await using at = await openSync(first('logMessage', 4, cut));
    await at.round({ jobs: only('mail'), records: justErika() });
    at.later(100 * hour);
    expect((await at.round({ jobs: only('mail'), records: justErika() })).failed).toBe(0);
    const logged = at.to('POST /v1/messages/log');
    expect(logged).toHaveLength(5);
    expect(new Set(logged.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(logged.at(-1)?.response).toMatchObject({ status: 200 });
  });
});

describe('an appointment', () => {
  it.each([
    ['a connection that is cut', cut],
    ['503', { kind: 'answer-instead', status: 503 }],
  ] as const)('is never sent a second time after %s', async (_, trouble) => {
    await using at = await openSync(first('createAppointment', 1, trouble));
    const jobs = only('appointment');
    expect((await at.round({ jobs })).failed).toBe(1);
    for (const ms of [0, 48 * hour]) {
      at.later(ms);
      expect(await at.round({ jobs })).toEqual({ failed: 1, sent: ['GET /v1/me'] });
      expect(at.log.at(-1)).toMatch(/^fitting-310 unknown: .* a person has to check/);
    }
    expect(at.to('POST /v1/appointments')).toHaveLength(1);
  });

  it('is not sent again if the process ended before the answer arrived either', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('state.json');
    const copies: string[] = [];
    await using at = await openSync();
    const round = () => at.round({ jobs: only('appointment'), records: justErika(), state: new SyncState(file) });
    // The state that a process finds if it is started during the request.
    const stop = at.open.service.events.listen(({ type }) => {
      if (type === 'appointment') copies.push(readFileSync(file, 'utf8'));
    });
    expect(await round()).toMatchObject({ failed: 0 });
    stop();
    await writeFile(file, copies[0] ?? '');
    expect(await round()).toEqual({ failed: 1, sent: ['GET /v1/me'] });
  });

  it('is sent in the next round if the service limited requests', async () => {
    const tooMany = { kind: 'answer-instead', status: 429, retryAfterSeconds: 3600 } as const;
    await using at = await openSync(first('createAppointment', 1, tooMany));
    const jobs = [...only('appointment'), ...only('note')];
    expect(await at.round({ jobs, records: justErika() })).toEqual({
      failed: 1,
      sent: ['GET /v1/me', 'POST /v1/contacts', 'POST /v1/appointments'],
    });
    expect(at.log.at(-1)).toBe('the rest is left for the next round');
    expect(await at.round({ jobs, records: justErika() })).toEqual({
      failed: 0,
      sent: ['GET /v1/me', 'POST /v1/appointments', 'POST /v1/notes'],
    });
  });
});

describe('a subscription', () => {
  it('is made once, and its secret is kept', async () => {
    await using at = await openSync();
    for (let round = 0; round < 3; round++) await at.round({ jobs: [], hooksUrl });
    const [made, ...more] = at.to('POST /v1/webhooks');
    expect(more).toEqual([]);
    const { secret } = JSON.parse(made?.response === 'cut' ? '' : (made?.response.body ?? ''));
    expect(at.state.subscription(hooksUrl)).toEqual({ secret });
    expect(secret).toMatch(/^whk_/);
    expect(at.log.join('\n')).not.toContain(secret);
  });

  it('is not requested again when it is unknown whether it was made', async () => {
    await using at = await openSync(first('subscribeWebhook', 1, cut));
    for (let round = 0; round < 3; round++) expect((await at.round({ jobs: [], hooksUrl })).failed).toBe(1);
    expect(at.to('POST /v1/webhooks')).toHaveLength(1);
    expect(at.log.at(-1)).toBe('subscription unknown: it was requested before; a person has to check the outcome');
  });

  it('that was refused may be requested again', async () => {
    await using at = await openSync();
    expect((await at.round({ jobs: [], hooksUrl: 'http://hooks.example.com' })).failed).toBe(1);
    expect(at.state.subscription('http://hooks.example.com')).toBeUndefined();
    expect((await at.round({ jobs: [], hooksUrl })).failed).toBe(0);
  });
});

describe('a refusal', () => {
  it('is reported, the rest continues, and it is not sent again in any round', async () => {
    const gone = { kind: 'answer-instead', status: 404, code: 'not_found' } as const;
    await using at = await openSync(first('sendMessage', 1, gone));
    expect((await at.round()).failed).toBe(1);
    expect(at.log).toContain('order-310 refused: POST /v1/messages was answered 404 not_found');
    expect(at.to('POST /v1/messages')).toHaveLength(4);
    expect(at.to('POST /v1/appointments')).toHaveLength(3);
    expect(await at.round()).toEqual({ failed: 0, sent: ['GET /v1/me'] });
  });

  it('of a contact postpones its due jobs', async () => {
    await using at = await openSync();
    const records = new CrmRecords([{ ...erika, phone: 'unknown' }, jonas]);
    expect((await at.round({ records })).failed).toBe(1);
    expect(at.log).toContain('K-1001 refused: POST /v1/contacts was answered 400 invalid_request');
    expect(at.to('POST /v1/notes')).toHaveLength(1);
  });

  it('of the key ends the round with nothing done', async () => {
    await using at = await openSync();
    const api = { baseUrl: at.open.service.baseUrl, apiKey: 'svc_sk_of-another-inbox' };
    await expect(at.round({ api })).rejects.toThrow('postponed: GET /v1/me was answered 401 unauthorized');
    expect(at.requests).toHaveLength(1);
  });
});

describe('as a program', () => {
  const program = fileURLToPath(new URL('../../examples/integrator/sync.ts', import.meta.url));

  async function run(env: Record<string, string>) {
    return await new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
      execFile(process.execPath, [program], { env }, (error, stdout, stderr) => {
        resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
      });
    });
  }

  it('does everything once, also after a restart, and makes the secret readable only for its owner', async () => {
    await using directory = await temporaryDirectory();
    await using at = await openSync();
    const { baseUrl, inboxes } = at.open.service;
    const env = {
      SVC_BASE_URL: baseUrl,
      SVC_API_KEY: apiKey,
      HOOKS_URL: hooksUrl,
      SYNC_STATE: directory.at('state.json'),
    };
    const { stderr, ...ended } = await run(env);
    expect(ended).toEqual({ code: 0, stdout: 'all is done\n' });
    expect(stderr).toContain(`connected to inbox ${inboxes[0]?.workspace.id}\n`);
    const before = at.requests.length;
    expect(await run(env)).toMatchObject({ code: 0, stdout: 'all is done\n' });
    expect(at.requests.slice(before).map(({ what }) => what)).toEqual(['GET /v1/me']);
    const { subscriptions } = JSON.parse(await readFile(env.SYNC_STATE, 'utf8'));
    const [subscription] = inboxes[0]?.workspace.subscriptions.values() ?? [];
    expect(subscriptions).toEqual({ [hooksUrl]: { secret: subscription?.secret } });
    expect((await stat(env.SYNC_STATE)).mode & 0o077).toBe(0);
    expect(stderr).not.toContain(apiKey);
    expect(stderr).not.toContain(subscription?.secret);
  });

  it('reports remaining jobs with its exit code', async () => {
    await using at = await openSync(first('createAppointment', 1, cut));
    const { code, stdout, stderr } = await run({ SVC_BASE_URL: at.open.service.baseUrl, SVC_API_KEY: apiKey });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '1 failed\n' });
    expect(stderr).toMatch(/^fitting-310 unknown: POST \/v1\/appointments had no answer \(\w+\)$/m);
  });

  it.each([
    ['no service', { SVC_API_KEY: apiKey }, 2, /^SVC_BASE_URL is not set; .*\.\n$/],
    ['no key', { SVC_BASE_URL: 'https://api.example.com', SVC_API_KEY: '' }, 2, /^SVC_API_KEY is not set; .*\.\n$/],
    [
      'no place for the secret',
      { SVC_BASE_URL: 'https://api.example.com', SVC_API_KEY: apiKey, HOOKS_URL: hooksUrl },
      2,
      /^SYNC_STATE is not set; .*\.\n$/,
    ],
    ['no address', { SVC_BASE_URL: 'api', SVC_API_KEY: apiKey }, 1, /^The base address is not valid: .*\.\n$/],
    [
      'another file',
      { SVC_BASE_URL: 'https://api.example.com', SVC_API_KEY: apiKey, SYNC_STATE: program },
      1,
      /sync\.ts is not a file of this program\.\n$/,
    ],
  ])('with %s ends with a sentence', async (_, env, code, sentence) => {
    const ended = await run(env);
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(sentence) });
  });
});
