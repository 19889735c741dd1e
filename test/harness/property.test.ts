import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { FindingError } from '../../harness/checks/finding.ts';
import { Session } from '../../harness/checks/session.ts';
import { sharedLanes } from '../../harness/wire/traffic-gate.ts';
import { slowPropertyFactor, type RunSettings } from '../../harness/config/settings.ts';
import { schemas } from '../../specs/schemas.ts';
import type { ApiWebhookEvent, Counterexample } from '../../specs/generated/types.ts';
import { matchesSchema, validate } from '../../specs/validators.ts';
import { stopOf } from '../../suites/matchers/endpoint-stop.ts';
import { toBeAccepted } from '../../suites/matchers/answer-matchers.ts';
import { forAnyEvent } from '../../suites/for-any-event.ts';
import { answerText, rawServer, type RawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

interface Outcome {
  error: unknown;
  record: CheckRecord;
  endpoint: RawServer;
}

/** Reaction of an endpoint to an event: it accepts the event, fails, ends for good, or ends and is started again. */
type Conduct = 'takes' | 'fails' | 'dies' | 'crashes';

/** Runs the property of the API webhooks against an endpoint whose reaction depends on the event. */
async function run(
  conduct: (event: ApiWebhookEvent) => Conduct,
  settings: Partial<RunSettings> = {},
  { afterMs = 0 }: { afterMs?: number } = {},
): Promise<Outcome> {
  await using endpoint = await rawServer((socket, { body }) => {
    const what = conduct(JSON.parse(body.toString()) as ApiWebhookEvent);
    if (what === 'dies') {
      void endpoint[Symbol.asyncDispose]();
      return;
    }
    if (what === 'crashes') return endpoint.crash();
    const answer = answerText(what === 'takes' ? '200 OK' : '500 Internal Server Error');
    if (afterMs === 0) socket.write(answer);
    else setTimeout(() => socket.write(answer), afterMs);
  });
  await using session = await Session.open(settingsOf(configOf({ hooks: endpoint.origin }), settings));
  const kit = {
    session,
    settings: session.settings,
    notExercised: (why: string) => {
      throw new NotExercised(why);
    },
  } as CheckKit;
  const record = new CheckRecord();
  const error: unknown = await withRecord(record, () =>
    forAnyEvent<ApiWebhookEvent>(kit, {
      events: fromSchema<ApiWebhookEvent>(schemas.apiWebhookEvent),
      edges: edgeCases<ApiWebhookEvent>(schemas.apiWebhookEvent, { seed: session.settings.seed }),
      isValid: (event) => matchesSchema('apiWebhookEvent', event),
      runs: session.settings.runs,
      deliver: (event) => session.hooks.post(session.hooks.sign(event), { label: `generated ${event.type}` }),
      judge: toBeAccepted,
    }),
  ).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { error, record, endpoint };
}

function findingOf({ error }: Outcome): FindingError['finding'] & { counterexample: Counterexample } {
  expect(error).toBeInstanceOf(FindingError);
  const { finding } = error as FindingError;
  if (!finding.counterexample) throw new Error('expected a counterexample, received none');
  return finding as ReturnType<typeof findingOf>;
}

const eventOf = ({ event }: Counterexample) => JSON.parse(event) as ApiWebhookEvent;
const longTitle = (event: ApiWebhookEvent) => (Buffer.byteLength(event.data.title) > 40 ? 'fails' : 'takes');

describe('a property', () => {
  it('that passes sends every edge and as many generated events as configured, all valid, and judges each', async () => {
    const { error, record, endpoint } = await run(() => 'takes', { runs: 15 });
    expect(error).toBeUndefined();
    const edges = edgeCases<ApiWebhookEvent>(schemas.apiWebhookEvent, { seed: 7 }).length;
    expect(endpoint.requests).toHaveLength(edges + 15);
    expect(record.judged).toBe(edges + 15);
    for (const { body } of endpoint.requests)
      expect(validate('apiWebhookEvent', JSON.parse(body.toString()))).toEqual([]);
  });

  it.each<[string, (event: ApiWebhookEvent) => Conduct, RegExp, (event: ApiWebhookEvent) => void]>([
    [
      'a title over forty bytes',
      longTitle,
      /^\/data\/title$/,
      ({ data }) => {
        // The smallest event exceeds the limit, and differs in nothing else.
        expect(Buffer.byteLength(data.title)).toBeGreaterThan(40);
      },
    ],
    [
      'a time that is null',
      ({ data }) => (data.cancelledAt === null ? 'takes' : 'fails'),
      /^\/data\/cancelledAt$/,
      () => undefined,
    ],
    [
      'astral characters in metadata',
      ({ data }) => (/[\u{10000}-\u{10ffff}]/u.test(JSON.stringify(data.metadata)) ? 'fails' : 'takes'),
      /^\/data\/metadata/,
      ({ data }) => expect(JSON.stringify(data.metadata)).toMatch(/[\u{10000}-\u{10ffff}]/u),
    ],
    [
      'one type of event',
      ({ type }) => (type === 'appointment.finished' ? 'fails' : 'takes'),
      /^\/type$/,
      () => undefined,
    ],
  ])('finds a fault with %s and shows the differences', async (_, conduct, pointer, look) => {
    const outcome = await run(conduct, { runs: 60 });
    const { expected, received, hint, counterexample } = findingOf(outcome);
    expect(expected).toBe('a 2xx status');
    expect(received).toMatch(
      /^status 500 without a body for POST http:\/\/127\.0\.0\.1:\d+\/? \(generated appointment\.[a-z_]+\)$/,
    );
    expect(counterexample.seed).toBe(7);
    expect(counterexample.path).not.toBe('');
    const event = eventOf(counterexample);
    expect(validate('apiWebhookEvent', event)).toEqual([]);
    expect(conduct(event)).toBe('fails');
    look(event);
    expect(counterexample.differences).not.toEqual([]);
    for (const row of counterexample.differences) expect(row.pointer).toMatch(pointer);
    const [first] = counterexample.differences;
    expect(hint).toContain(`It differs from an accepted event at ${first?.pointer}`);
    expect(hint).not.toContain('times when it was sent again');
    // The last exchange of the evidence failed.
    expect(outcome.record.evidence.at(-1)).toMatchObject({ answer: { status: 500 } });
  });

  it('is replayed from seed and path: the same event fails at once', async () => {
    const { counterexample } = findingOf(await run(longTitle));
    const again = await run(longTitle, { path: counterexample.path });
    const first = JSON.parse(again.endpoint.requests[0]?.body.toString() ?? '') as ApiWebhookEvent;
    expect(longTitle(first)).toBe('fails');
    expect(findingOf(again).counterexample.seed).toBe(counterexample.seed);
    // Nothing was accepted before it, so there is nothing to compare it with, unless shrinking found an accepted event.
    expect(await run(() => 'takes', { path: counterexample.path })).toMatchObject({ error: undefined });
  });

  it('that fails with one generated event reports this one, with the path that repeats it', async () => {
    const textOf = ({ id, data }: ApiWebhookEvent) => `${id} ${data.title}`;
    const edges = edgeCases<ApiWebhookEvent>(schemas.apiWebhookEvent, { seed: 7 }).length;
    const { endpoint } = await run(() => 'takes', { runs: 30 });
    const deadly = textOf(JSON.parse(endpoint.requests[edges + 20]?.body.toString() ?? '') as ApiWebhookEvent);
    const fails = (event: ApiWebhookEvent) => (textOf(event) === deadly ? 'fails' : 'takes');
    const { counterexample } = findingOf(await run(fails, { runs: 30 }));
    expect(textOf(eventOf(counterexample))).toBe(deadly);
    const again = await run(fails, { runs: 30, path: counterexample.path });
    expect(findingOf(again).counterexample.path).toBe(counterexample.path);
  });

  it('sends the same events for one seed, and others for another', async () => {
    // Every run has its own workspace with an id that does not depend on the seed.
    const events = async (seed: number) =>
      (await run(() => 'takes', { seed, runs: 10 })).endpoint.requests.map(({ body }) => ({
        ...(JSON.parse(body.toString()) as object),
        workspaceId: undefined,
      }));
    const [one, same, other] = [await events(1), await events(1), await events(2)];
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  });

  it('says when every event fails, so that there is none to compare with', async () => {
    const { hint, counterexample } = findingOf(await run(() => 'fails'));
    expect(hint).toMatch(/^No event was accepted that it could be compared with\./);
    expect(counterexample.differences).toEqual([]);
  });

  it('bounds the event that it shows', async () => {
    await using endpoint = await rawServer((socket) => socket.write(answerText('500 Internal Server Error')));
    await using session = await Session.open(settingsOf(configOf({ hooks: endpoint.origin }), { shrinkMs: 200 }));
    const ended = forAnyEvent<{ text: string }>({ session, settings: session.settings } as CheckKit, {
      events: fc.constant({ text: 'x'.repeat(6_000) }),
      edges: [],
      isValid: () => true,
      runs: 5,
      deliver: (event) => session.hooks.post(session.hooks.sign(event), { label: 'a large one' }),
      judge: toBeAccepted,
    });
    const { finding } = (await ended.catch((thrown: unknown) => thrown)) as FindingError;
    expect(finding.counterexample?.event).toHaveLength(4_001);
    expect(finding.counterexample?.event.endsWith('…')).toBe(true);
  });
});

describe('an endpoint that does not always fail', () => {
  const failing = (isBad: (count: number) => boolean) => {
    let count = 0;
    return run((event) => (longTitle(event) === 'fails' && isBad(++count) ? 'fails' : 'takes'));
  };

  it('with an event only every other time is reported as flaky', async () => {
    const outcome = await failing((count) => count % 2 === 1);
    expect(outcome.record.evidence.at(-1)).toMatchObject({ answer: { status: 500 } });
    expect(findingOf(outcome).hint).toContain('The same event failed 1 of 2 times when it was sent again.');
  });

  it('with an event only once does not fail', async () => {
    const outcome = await failing((count) => count === 1);
    expect(outcome.error).toMatchObject({ code: 'not-reproducible' });
    expect(outcome.record.evidence.at(-1)).toMatchObject({ answer: { status: 500 } });
  });
});

describe.concurrent('an endpoint that dies', () => {
  it('before a finding fails the check with the event that ended it', async () => {
    let count = 0;
    const outcome = await run(() => (++count > 5 ? 'dies' : 'takes'));
    const { received, stopped } = findingOf(outcome);
    expect(received).toMatch(
      /^none: the endpoint stopped while handling generated appointment\.\w+: .* nothing listened at/,
    );
    expect(stopped).toBe(true);
  });

  it.each([2, 3, 5, 8, 13, 21])('after %i failures keeps the finding', async (deadly) => {
    let failures = 0;
    const outcome = await run((event) => {
      if (longTitle(event) === 'takes') return failures >= deadly ? 'dies' : 'takes';
      return ++failures >= deadly ? 'dies' : 'fails';
    });
    const { received, hint, counterexample } = findingOf(outcome);
    expect(received).toMatch(/^status 500/);
    expect(longTitle(eventOf(counterexample))).toBe('fails');
    expect(hint).toContain('Afterwards it could not be sent again.');
  });
});

/** Milliseconds of a slow answer, and the number of events under way when the endpoint crashes. */
const slowMs = 250;
const suspected = 4;

describe('a slow endpoint', () => {
  const propertyMs = 60_000;
  /** Number of the event during which the time of the property ends; fewer than a pass needs. */
  const fewest = 3;

  it('is sent no further events when the time of the property is over', async () => {
    const now = performance.now.bind(performance);
    let passedMs = 0;
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + passedMs);
    let received = 0;
    const { error, record, endpoint } = await run(
      () => {
        if (++received === fewest) passedMs = propertyMs * slowPropertyFactor;
        return 'takes';
      },
      { propertyMs, runs: 500 },
    );
    expect(error).toBeInstanceOf(NotExercised);
    const { length } = endpoint.requests;
    expect(String(error)).toContain(`Only ${length} of`);
    expect(record.judged).toBe(length);
    // On a busy machine the endpoint may count as slow, so that several events are under way when the time is over.
    expect(length).toBeGreaterThanOrEqual(fewest);
    expect(length).toBeLessThan(fewest + sharedLanes);
  });

  it('gets several events at once, and does not fail for one that fails only among others', async () => {
    let [underWay, most] = [0, 0];
    const outcome = await run(
      () => {
        most = Math.max(most, ++underWay);
        setTimeout(() => underWay--, 250);
        return underWay > 1 ? 'fails' : 'takes';
      },
      { propertyMs: 2_000, shrinkMs: 6_000 },
      { afterMs: 250 },
    );
    expect(most).toBeGreaterThan(1);
    expect(outcome.error).toMatchObject({ code: 'not-reproducible' });
  });

  it('that crashes at one of several events at once gets each again alone, which identifies that one', async () => {
    const underWay = new Set<string>();
    let deadly: string | undefined;
    let most = 0;
    const outcome = await run(
      (event) => {
        const text = JSON.stringify(event);
        underWay.add(text);
        setTimeout(() => underWay.delete(text), slowMs);
        if (underWay.size >= suspected) deadly ??= text;
        if (deadly === undefined) return 'takes';
        if (text !== deadly) {
          most = Math.max(most, underWay.size);
          return 'takes';
        }
        underWay.clear();
        return 'crashes';
      },
      { shrinkMs: 1_000 },
      { afterMs: slowMs },
    );
    const { received, stopped, counterexample } = findingOf(outcome);
    expect(stopped).toBe(true);
    expect(received).toMatch(/^none: the endpoint stopped while handling generated appointment\.\w+: /);
    // The workspace and its time zone are those of the run, whatever was generated.
    const generated = ({ data }: ApiWebhookEvent) => ({ ...data, startLocal: '' });
    expect(generated(eventOf(counterexample))).toEqual(generated(JSON.parse(deadly ?? '') as ApiWebhookEvent));
    const suspects = outcome.record.evidence.flatMap((one) => stopOf(one)?.suspects.length ?? []);
    // All that were under way at first, then only one each time.
    expect(Math.max(...suspects)).toBeGreaterThanOrEqual(suspected);
    expect(suspects.at(-1)).toBe(1);
    // The others were sent again one after the other.
    expect(most).toBe(1);
  });

  it('that fails gets no events beyond the time for shrinking', async () => {
    let failed = 0;
    const outcome = await run(
      (event) => {
        const what = longTitle(event);
        if (what === 'fails' || failed > 0) failed++;
        return what;
      },
      { shrinkMs: 400 },
      { afterMs: 20 },
    );
    findingOf(outcome);
    // The failing event, as many as fit into the time, one in flight at the end of each half, and two repetitions.
    expect(failed).toBeLessThanOrEqual(1 + 400 / 20 + 2 + 2);
  });
});
