import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { phoneCauses } from '../../diagnosis/causes/phone.ts';
import { OutOfTime } from '../../diagnosis/connection.ts';
import { diagnoseUpgrade } from '../../diagnosis/phone/diagnose-upgrade.ts';
import type { Seams } from '../proving/endpoint.ts';
import { correctPhone } from '../proving/phone.ts';
import { variants } from '../variants/every-variant.ts';
import { diagnosePhone } from './diagnose-phone.ts';
import { phoneEndpoints } from './phone-endpoints.ts';
import { runAtOnce } from './run-at-once.ts';

/** Endpoints that are diagnosed at the same time: nearly all of the time is waiting. */
const atOnce = 24;
/** Correct endpoints whose behaviour is closest to a fault; the proof includes all correct ones. */
const unusual = [
  ...['phone-the-right-one', 'phone-asks-who-is-silent', 'phone-yes-after-an-interrupt', 'phone-answers-keys'],
  ...[
    'phone-hands-over-when-refused',
    'phone-silent-about-noise',
    'phone-late-in-time',
    'phone-one-connection-per-call',
  ],
];

const causes = Object.keys(phoneCauses);
const firstOfEach = causes.flatMap((id) => phoneEndpoints.find(({ cause }) => cause === id) ?? []);
/** Fails for an unknown value as well, which is only a symptom. */
const lookAlikes = phoneEndpoints.filter(({ name }) => name === 'phone-resumed-after-not-expected');
/** Ends a call whose first frame has another id than its upgrade. */
const oneIdPerCall = {
  name: 'phone-one-id-per-call',
  build: (): Seams => {
    const right = correctPhone();
    return {
      phone: {
        started: (frame, call) => {
          if (frame.callId === call.callId) right.started(frame, call);
          else call.socket.close(1008);
        },
      },
    };
  },
};
const rightOnes = [...variants.filter(({ name }) => unusual.includes(name)), oneIdPerCall];

/** A generated call that a check failed for. */
const generatedCall = {
  name: 'a generated call',
  build: phoneEndpoints.find(({ name }) => name === 'phone-quote-in-a-name')!.build,
  failing: {
    requirement: 'own-ai-phone/accepts-any-call',
    event: { type: 'session.started', language: 'de-DE', contact: { id: 7, name: 'Eri "the boss"' }, skills: [] },
  },
};
const closesAtThird = {
  name: 'closes-at-the-third-sentence',
  build: phoneEndpoints.find(({ name }) => name === 'closes-at-the-third-sentence')!.build,
  failing: undefined,
};
// The one that takes longest starts first.
const all = [
  generatedCall,
  closesAtThird,
  ...rightOnes.map((one) => ({ ...one, failing: undefined })),
  ...[...firstOfEach, ...lookAlikes].map(({ name, build, requirement, cause }) => ({
    name,
    build,
    cause,
    failing: requirement === undefined ? undefined : { requirement },
  })),
];
/**
 * Delays of this process can make an observation uncertain or use up the time: an endpoint with a cause is diagnosed again
 * if nothing was found.
 */
const diagnose = async (one: (typeof all)[number]) => {
  const { name, build, failing } = one;
  const diagnosed = await diagnosePhone(name, build, { failing }).catch((error: unknown) => {
    if (!(error instanceof OutOfTime)) throw error;
  });
  const isConclusive =
    diagnosed && (!('cause' in one) || diagnosed.outcome.found || diagnosed.outcome.suspects.length > 0);
  return isConclusive ? diagnosed : await diagnosePhone(name, build, { failing });
};
/** Their times decide, so they are diagnosed when nearly all others are. */
const timed = all.filter(({ name }) => name.startsWith('set-up-'));
const untimed = runAtOnce(
  all.filter((one) => !timed.includes(one)),
  atOnce,
  diagnose,
);
const quiet = Promise.allSettled([...untimed].flatMap(([one, result]) => (one === generatedCall ? [] : [result])));
const results = new Map([
  ...untimed,
  ...runAtOnce(timed, timed.length, async (one) => {
    await quiet;
    return await diagnose(one);
  }),
]);
const resultOf = (name: string) => results.get(all.find((one) => one.name === name)!)!;

/** Milliseconds, including the wait for a free place. */
const timeoutMs = 180_000;

describe('a diagnosis of calls', () => {
  for (const { name, cause, onlySuspected } of [...firstOfEach, ...lookAlikes]) {
    it(`${onlySuspected ? 'suspects' : 'names'} ${cause}: ${name}`, { timeout: timeoutMs }, async () => {
      const { outcome } = await resultOf(name);
      const reported = onlySuspected ? outcome.suspects[0] : outcome.found;
      expect(reported?.id, outcome.seen.join('\n')).toBe(cause);
      if (onlySuspected) expect(outcome.found).toBeUndefined();
    });
  }

  for (const { name } of rightOnes) {
    it(`names and suspects nothing of a right endpoint: ${name}`, { timeout: timeoutMs }, async () => {
      const { outcome } = await resultOf(name);
      expect(outcome.found, outcome.seen.join('\n')).toBeUndefined();
      expect(outcome.suspects).toEqual([]);
      expect(outcome.passed.length).toBeGreaterThan(6);
    });
  }

  it('counts the sentences of a call that is closed at one of them', { timeout: timeoutMs }, async () => {
    const { outcome } = await resultOf(closesAtThird.name);
    expect(outcome.found?.id, outcome.seen.join('\n')).toBe('phone/stops-answering');
    expect(outcome.found?.summary).toContain('answers 2 sentences of a call, and then closes the connection');
  });

  it('has an endpoint for every cause of its area', () => {
    expect(firstOfEach.map(({ cause }) => cause)).toEqual(causes);
  });
});

describe('a diagnosis of a failed check about calls', () => {
  it('shrinks the first frame of a call to the field that breaks it', { timeout: timeoutMs }, async () => {
    const { outcome } = await resultOf(generatedCall.name);
    expect(outcome.found?.id, outcome.seen.join('\n')).toBe('phone/session-value-not-handled');
    expect(outcome.found?.summary).toContain('contact.name is "Eri \\"the boss\\""');
    expect(outcome.found?.summary).not.toContain('language');
  });

  it('reports what a refused call lacks before its signature is checked', { timeout: timeoutMs }, async () => {
    const refused = (status: number, isTaken: (headers: IncomingHttpHeaders) => boolean) => ({
      phone: { admit: ({ headers }: IncomingMessage) => (isTaken(headers) ? undefined : { status }) },
    });
    const outcomeOf = async (build: () => Seams) =>
      (await diagnosePhone('an upgrade', build, { probe: diagnoseUpgrade })).outcome;
    const origin = await outcomeOf(() => refused(403, (headers) => headers.origin !== undefined));
    expect(origin.found?.id).toBe('phone/origin-wanted');
    const nothing = await outcomeOf(() => refused(403, () => false));
    expect(nothing).toMatchObject({ suspects: [], passed: [] });
    expect(nothing.found ?? nothing.ends).toBeUndefined();
  });
});
