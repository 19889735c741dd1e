import { beforeAll, describe, expect, it } from 'vitest';
import { diagnoseCallback } from '../../diagnosis/callback/diagnose-callback.ts';
import { explainMissing } from '../../diagnosis/callback/explain-missing.ts';
import { callbackCauses } from '../../diagnosis/causes/callback.ts';
import { describeCauseSection } from '../../diagnosis/causes.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { emptyOutcome, type ProbeOutcome } from '../../diagnosis/outcome.ts';
import { configOf, credentials } from '../harness/settings-for-tests.ts';
import { replyOnce, type ChatReply } from '../proving/chat.ts';
import { postJson } from '../proving/crm.ts';
import { setUp } from '../proving/endpoint.ts';
import { faultyCallbacks } from './faulty-callbacks.ts';
import type { Faulty } from './faulty.ts';
import { openEndpoint } from './open-connection.ts';
import { pause } from './receiver.ts';
import { rightEndpoints } from './right-endpoints.ts';
import { runAtOnce } from './run-at-once.ts';

/** Milliseconds: the probe waits ten seconds for a missing callback. */
const slow = 60_000;

/** Milliseconds from a message to its reply: longer than the probe waits for a second one. */
const lateMs = 2_000;

/** Only suspected, in addition to the cause reported for the same endpoint. */
const neverFirst = ['callback/not-yet', 'callback/kept-in', 'callback/other-host'];

/** Milliseconds between the replies to one message. */
const furtherMs = 300;

async function diagnosed({ surface, build, options }: Faulty): Promise<ProbeOutcome> {
  await using open = await openEndpoint(surface, build(), options);
  return await diagnoseCallback(open.connection);
}

describe.concurrent('a callback or later reply', () => {
  /** All run concurrently: most of the time is spent waiting for callbacks that do not arrive. */
  let reported: Map<Faulty, Promise<ProbeOutcome>>;
  beforeAll(() => {
    reported = runAtOnce(faultyCallbacks, faultyCallbacks.length, diagnosed);
  });

  for (const faulty of faultyCallbacks) {
    const { cause, name, surface, says = '', suspected } = faulty;
    it(
      `is reported as ${cause}${suspected ? ', among others' : ''}: ${name} (${surface})`,
      { timeout: slow },
      async () => {
        const outcome = (await reported.get(faulty)) ?? emptyOutcome;
        const first = suspected ? outcome.suspects[0] : outcome.found;
        expect(first?.id).toBe(cause);
        expect(first?.summary ?? '').toContain(says);
        if (suspected) {
          expect(outcome.found).toBeUndefined();
          expect(outcome.suspects.map(({ id }) => id)).toEqual(expect.arrayContaining([cause, ...neverFirst]));
        }
        for (const secret of [setUp.token, setUp.agentSecret, setUp.apiKey]) {
          expect(JSON.stringify(outcome)).not.toContain(secret);
        }
      },
    );
  }

  it('has no fault in a correct endpoint, however unusual', { timeout: slow }, async () => {
    const judged = await Promise.all(
      rightEndpoints
        .filter(({ surface }) => surface !== 'api-webhooks')
        .map(async ({ name, surface, options, build }) => {
          await using open = await openEndpoint(surface, build(), options);
          const { found, suspects, passed } = await diagnoseCallback(open.connection);
          return { name, reported: found ?? suspects[0], passed };
        }),
    );
    expect(judged.filter((one) => one.reported !== undefined)).toEqual([]);
    // Most of them send something later, so the probe finds no fault although it has callbacks to judge.
    expect(judged.filter(({ passed }) => passed.length > 0).length).toBeGreaterThan(15);
  });

  it('is not confused with a late one for an event of another probe', { timeout: slow }, async () => {
    let release: (() => void) | undefined;
    const reply = async (one: ChatReply): Promise<void> => {
      if (release) {
        release();
        await pause(lateMs);
      } else {
        await new Promise<void>((go) => {
          release = go;
        });
      }
      await replyOnce(one);
    };
    await using open = await openEndpoint('own-ai-chat', { chat: { later: () => true, reply } });
    const { connection } = open;
    await connection.ask(connection.case().delivery, { label: 'of another probe' });
    const { found, suspects, passed } = await diagnoseCallback(connection);
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(passed).toEqual(['A reply goes to its own replyUrl, once, with the API key.']);
  });

  it('has no fault if a slow start ends while the host is tested', { timeout: slow }, async () => {
    let release: (() => void) | undefined;
    const reply = async (one: ChatReply): Promise<void> => {
      if (release) release();
      else {
        await new Promise<void>((go) => {
          release = go;
        });
      }
      await replyOnce(one);
    };
    await using open = await openEndpoint('own-ai-chat', { chat: { later: () => true, reply } });
    const { found, suspects, notObserved } = await diagnoseCallback(open.connection);
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(notObserved?.join(' ')).toContain('later than the diagnosis waits');
  });

  it('is not mixed up if an earlier message gets further replies', { timeout: slow }, async () => {
    const ended = new AbortController();
    let isFirst = true;
    const reply = async (one: ChatReply): Promise<void> => {
      if (!isFirst) return;
      isFirst = false;
      while (!ended.signal.aborted) {
        await replyOnce(one);
        await pause(furtherMs);
      }
    };
    await using open = await openEndpoint('own-ai-chat', { chat: { later: () => true, reply } });
    const { connection } = open;
    const earlier = connection.case();
    await connection.ask(earlier.delivery, { label: 'of another probe' });
    await earlier.box?.atLeast(1, { withinMs: slow });
    const { found, suspects } = await diagnoseCallback(connection);
    ended.abort();
    expect([found, ...suspects].map((one) => one?.id)).not.toContain('callback/mixed-up');
    expect(found).toBeUndefined();
  });

  it('is only suspected to be mixed up in a chat, where a message may get several', { timeout: slow }, async () => {
    let last = '';
    const reply = async (one: ChatReply): Promise<void> => {
      last = one.url;
      await pause(furtherMs);
      await replyOnce({ ...one, url: last });
    };
    await using open = await openEndpoint('own-ai-chat', { chat: { later: () => true, reply } });
    const { found, suspects } = await diagnoseCallback(open.connection);
    expect(found).toBeUndefined();
    expect(suspects.map(({ id }) => id)).toEqual(['callback/mixed-up']);
  });

  it('is not suspected if the config has no sentence that asks for one', { timeout: slow }, async () => {
    const seams = { chat: { later: () => true, reply: () => Promise.resolve() } };
    await using open = await openEndpoint('own-ai-chat', seams, { over: { stimuli: {} } });
    const { found, suspects, notObserved } = await diagnoseCallback(open.connection);
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(notObserved?.join(' ')).toContain('ask the developer');
  });

  it('is reported if its event was answered at once in an earlier probe as well', { timeout: slow }, async () => {
    const body = '{"requestContactUpdate":false,"requestProjectUpdate":false}';
    await using open = await openEndpoint('crm-webhook', {
      crm: {
        later: () => false,
        effect: (_, __, { eventType, callbackUrl }) =>
          void (eventType === 'FinishedCall' && postJson({ url: callbackUrl, body })),
      },
    });
    const { connection } = open;
    const types = ['FormSubmitted', 'IncomingCallLookup', 'FinishedCall', 'NewConversation', 'Manual'] as const;
    for (const type of types) {
      const event = { ...connection.session.sample.crmEvent(type) };
      await connection.ask(connection.case({ event }).delivery, { label: type });
    }
    expect((await diagnoseCallback(connection)).found?.id).toBe('callback/after-answer');
  });

  it('cannot arrive from another machine at a loopback address', async () => {
    const config = configOf({}, { crmWebhook: { url: 'https://crm.example/hook', token: credentials.token } });
    await using connection = await Connection.open('crm-webhook', config, { seed: 1, withinMs: 1_000 });
    const made = connection.case();
    const outcome = await explainMissing(
      connection,
      {
        waitedMs: 1_000,
        events: [{ made, observation: undefined as never }],
      },
      [],
    );
    expect(outcome.found?.id).toBe('callback/no-way-back');
    expect(connection.deliveries).toBe(0);
  });

  it('refers to the section of its surface', () => {
    const sections = (['crm-webhook', 'own-ai-chat'] as const).map((surface) =>
      describeCauseSection('callback/never-sent', surface),
    );
    expect(sections[0]).toContain('CRM webhook answer');
    expect(sections[1]).toContain('Own-AI chat event: message.received');
  });

  it('has an endpoint for each cause', () => {
    const shown = new Set<string>([
      ...faultyCallbacks.map(({ cause }) => cause),
      'callback/no-way-back',
      ...neverFirst,
    ]);
    expect(Object.keys(callbackCauses).filter((id) => !shown.has(id))).toEqual([]);
  });
});
