import { describe, expect, it } from 'vitest';
import { examineRefusals } from '../../diagnosis/signature/examine-refusals.ts';
import { findWeakness } from '../../diagnosis/signature/find-weakness.ts';
import { alsoAccepts, careless, missingIdAsWord } from './schemes/careless.ts';
import { rightReceivers } from './schemes/right-receivers.ts';
import { draft, offer } from '../../diagnosis/signature/reception.ts';
import { runTrial } from './schemes/run-trial.ts';
import type { Received } from './schemes/verifier.ts';
import { schemeName, signedSurfaces, type Scheme } from './schemes/scheme.ts';

/** Each scheme on one surface, in turn; the figures include all surfaces. */
function onOneSurface(schemes: readonly Scheme[]) {
  return schemes.map((scheme, at) => {
    const surfaces = scheme.surfaces ?? signedSurfaces;
    return { name: schemeName(scheme), scheme, surface: surfaces[at % surfaces.length] ?? 'own-ai-chat' };
  });
}

describe.concurrent('the reason why invalid signatures are accepted', () => {
  it.for(onOneSurface(careless))('is named: $name, on $surface', async ({ scheme, surface }, { expect }) => {
    const { named } = await runTrial({ group: 'careless', scheme, surface }, findWeakness);
    expect(scheme.ids).toContain(named);
  });
});

const rightOnes = onOneSurface(rightReceivers);

describe.concurrent('a right endpoint', () => {
  it.for(rightOnes)('has nothing named against it: $name, on $surface', async ({ scheme, surface }, { expect }) => {
    const { outcome } = await runTrial({ group: 'right', scheme, surface }, findWeakness);
    expect(outcome.found).toBeUndefined();
    expect(outcome.passed).toHaveLength(1);
  });
});

it.for([1, 8, 63])('says how many characters are compared: %i', async (count) => {
  const scheme = careless.find(({ ids, form }) => ids[0] === 'first-characters-compared' && form === String(count));
  if (!scheme) throw new TypeError(`No endpoint compares ${count} characters.`);
  const { outcome } = await runTrial({ group: 'careless', scheme, surface: 'own-ai-chat' }, findWeakness);
  expect(outcome.found?.summary).toMatch(new RegExp(`first (?:character|${count} characters) of`));
});

it('asks only questions about a failing requirement', async () => {
  const scheme = careless.find(({ ids }) => ids[0] === 'more-after-it');
  if (!scheme) throw new TypeError('No endpoint takes more.');
  const trial = { group: 'careless', scheme, surface: 'own-ai-chat' } as const;
  const { named, deliveries } = await runTrial(trial, (connection) =>
    findWeakness(connection, { requirement: 'own-ai-chat/refuses-long-v1' }),
  );
  expect(named).toBe('more-after-it');
  expect(deliveries).toBeLessThanOrEqual(4);
});

it.each([
  ['', undefined],
  [', also if the check of that advice failed', { requirement: 'own-ai-phone/refuses-call-without-id' }],
] as const)(
  'only suspects an accepted call without an id that is signed with the secret over a word%s',
  async (_, failing) => {
    const trial = { group: 'right', scheme: missingIdAsWord, surface: 'own-ai-phone' } as const;
    const { outcome } = await runTrial(trial, (connection) => findWeakness(connection, failing));
    expect(outcome.found).toBeUndefined();
    expect(outcome.suspects).toMatchObject([
      { id: 'signature/call-id-optional', why: expect.stringContaining('refuses-call-without-id') as string },
    ]);
  },
);

it('names nothing if a valid signature is refused, whatever else is accepted', async () => {
  const scheme = { ids: [], steps: { key: () => 'another secret' } };
  const { outcome, deliveries } = await runTrial({ group: 'unknown', scheme, surface: 'own-ai-chat' }, findWeakness);
  expect(outcome).toMatchObject({ found: undefined, suspects: [], passed: [] });
  expect(deliveries).toBe(1);
});

describe.concurrent('the most frequent invalid signatures, after another cause', () => {
  const brief: typeof findWeakness = (connection) => examineRefusals(connection, undefined, { isBrief: true });
  const trial = { group: 'right', scheme: { ids: [] }, surface: 'own-ai-chat' } as const;

  it('pass if all of them are refused, and a valid signature after them is accepted', async () => {
    const { outcome } = await runTrial(trial, brief);
    expect(outcome.found).toBeUndefined();
    expect(outcome.passed).toEqual(['Refused: 4 of 4 kinds of invalid signatures that were sent.']);
    expect(outcome.notObserved).toEqual([
      expect.stringMatching(/Not sent, for example: an empty .* a t in the future/),
    ]);
  });

  it('do not pass if the endpoint refuses the valid signature after them as well', async () => {
    const scheme = { ids: [], steps: { key: () => 'another secret' } };
    const { outcome } = await runTrial({ ...trial, scheme }, brief);
    expect(outcome).toMatchObject({ suspects: [], passed: [] });
    expect(outcome.notObserved?.[0]).toContain('a valid one after them was not accepted');
  });

  const afterPing: typeof findWeakness = async (connection) => {
    await offer(connection, 'a ping', draft(connection, { asPing: true }));
    return await brief(connection);
  };
  const isPing = ({ headers }: Received) => headers['x-svc-event'] === 'ping';

  it('are those of pings where these are accepted, and of messages where pings are not verified', async () => {
    const right = await runTrial(trial, afterPing);
    expect(right.outcome.passed).toEqual(['Refused: 4 of 4 kinds of invalid signatures that were sent.']);
    expect(right.outcome.seen.filter((line) => line.includes(', of a ping: refused'))).toHaveLength(3);
    expect(right.deliveries).toBe(6);
    const scheme = careless.find(({ ids }) => ids[0] === 'ping-not-checked');
    if (!scheme) throw new Error('No scheme has this cause.');
    const { named, outcome } = await runTrial({ group: 'careless', scheme, surface: 'own-ai-chat' }, afterPing);
    expect(named).toBe('ping-not-checked');
    expect(outcome.seen.filter((line) => line.includes(', of a ping: accepted'))).toHaveLength(3);
  });

  it('include one of a message, which some endpoints verify less than a ping', async () => {
    const scheme = { ids: [], accepts: alsoAccepts((request) => !isPing(request)) };
    expect((await runTrial({ ...trial, scheme }, afterPing)).named).toBe('not-checked');
  });

  it('do not show that pings are not verified if one of several is accepted once', async () => {
    let pings = 0;
    const scheme = { ids: [], accepts: alsoAccepts((request) => isPing(request) && ++pings === 1) };
    const { named, outcome } = await runTrial({ ...trial, scheme }, afterPing);
    expect(named).toBeUndefined();
    expect(outcome.found).toBeUndefined();
  });

  it.for(['checked-only-when-sent', 'as-far-as-sent', 'other-secret-too'])('reveal %s', async (id, { expect }) => {
    const schemes = careless.filter(({ ids, surfaces }) => ids[0] === id && surfaces === undefined);
    expect(schemes.length).toBeGreaterThan(0);
    const named = await Promise.all(
      schemes.map(
        async (scheme) => (await runTrial({ group: 'careless', scheme, surface: 'own-ai-chat' }, brief)).named,
      ),
    );
    expect(named).toContain(id);
  });
});
