import { describe, expect, it } from 'vitest';
import { findWholeMinutes } from '../../diagnosis/signature/find-whole-minutes.ts';
import { findWindow } from '../../diagnosis/signature/find-window.ts';
import { clockMistakes } from './schemes/clock-mistakes.ts';
import { rightReceivers } from './schemes/right-receivers.ts';
import { runTrial, type TrialResult } from './schemes/run-trial.ts';
import { schemeName, signedSurfaces, type SignedSurface } from './schemes/scheme.ts';

/**
 * Maximum deliveries for finding a window with any clock, including the controls before the cause is named. An endpoint
 * that counts in minutes takes 20 to 35, depending on the second in which the search begins.
 */
const most = 36;

function windowOf(form: string, surface: SignedSurface = 'api-webhooks'): Promise<TrialResult> {
  const scheme = clockMistakes.find((each) => schemeName(each).includes(form));
  if (!scheme) throw new TypeError(`No clock with ${form}.`);
  return runTrial({ group: 'clock', scheme, surface }, findWindow);
}

/** Each on one surface, in turn: the results about time are the same on all surfaces. */
const clocks = clockMistakes.map((scheme, at) => ({
  name: schemeName(scheme),
  scheme,
  surface: signedSurfaces[at % signedSurfaces.length] ?? 'own-ai-chat',
}));

// Much of the time is spent waiting for a part of a second.
describe.concurrent('the times that are accepted', () => {
  it.for(clocks)('are detected with few deliveries: $name, on $surface', async ({ scheme, surface }, { expect }) => {
    const { named, deliveries } = await runTrial({ group: 'clock', scheme, surface }, findWindow);
    expect(scheme.ids).toContain(named);
    expect(deliveries).toBeLessThanOrEqual(most);
  });
});

describe.concurrent('the report about the times', () => {
  it('contains the delay of a slow clock', async () => {
    const { outcome } = await windowOf('clock-off, 7 minutes behind');
    expect(outcome.found?.summary).toBe('Your clock is 7 minutes behind.');
  });

  it('contains the advance of a fast clock, also without a Date header', async () => {
    const { outcome } = await windowOf('23 minutes ahead, no Date header');
    expect(outcome.found?.summary).toBe('Your clock is 23 minutes ahead.');
  });

  it('contains the limit of the endpoint in both directions', async () => {
    const { outcome } = await windowOf('window-too-tight, a minute');
    expect(outcome.found?.summary).toContain('about 1 minute in the past and about 1 minute in the future');
  });

  it.for([
    ['the same minute', 'have to be the same. So a signature is accepted up to between 0 and 59 s'],
    ['less than five minutes, counted in minutes', 'at most 4 minutes apart'],
    ['at most five minutes, counted in minutes', 'at most 5 minutes apart'],
  ] as const)('shows that whole minutes are compared: %s', async ([form, text], { expect }) => {
    const { outcome } = await windowOf(form);
    expect(outcome.found?.summary).toContain(text);
  });

  it.for([
    [1, 0, 'at most 1 minute before it, and not after it'],
    [1, 2, 'at most 1 minute before it, and at most 2 minutes after it'],
    // Too wide on one side and too tight on the other: two causes.
    [5, 0, undefined],
  ] as const)(
    'shows how many minutes before and after are accepted: %i, %i',
    async ([back, ahead, text], { expect }) => {
      const accepts = (t: number) => {
        const minutes = Math.floor(t / 60) - Math.floor(Date.now() / 60_000);
        return Promise.resolve(minutes >= -back && minutes <= ahead);
      };
      const second = (Date.now() / 1000) % 60;
      const [lower, upper] = [-second - 60 * back, 60 * (ahead + 1) - second];
      const past = { inside: lower + 1, outside: lower - 1 };
      const future = { inside: upper - 1, outside: upper + 1 };
      const found = await findWholeMinutes({ past, future }, accepts);
      if (text === undefined) expect(found).toBeUndefined();
      else expect(found?.summary).toContain(text);
    },
  );

  it.for([true, false])(
    'does not mistake instances that take turns for minutes: %s first',
    async (first, { expect }) => {
      let next = first;
      const accepts = () => {
        next = !next;
        return Promise.resolve(!next);
      };
      const edge = { past: { inside: -270, outside: -272 }, future: { inside: 270, outside: 272 } };
      expect(await findWholeMinutes(edge, accepts)).toBeUndefined();
    },
  );

  it.for(['four minutes in the past', 'a minute'])(
    'does not mistake seconds for minutes: %s',
    async (form, { expect }) => {
      const { outcome } = await windowOf(form);
      expect(outcome.found?.summary).not.toContain('whole minutes');
    },
  );

  it('shows that less than a second is accepted', async () => {
    const { outcome } = await windowOf('half a second');
    expect(outcome.found?.summary).toContain('refused 700 ms after the beginning of the second in t');
  });

  it('shows that one side has no limit', async () => {
    const { outcome } = await windowOf('the future without end');
    expect(outcome.found?.summary).toContain('any time in the future');
  });

  it('contains the result of every question', async () => {
    const { outcome, deliveries } = await windowOf('window-missing');
    expect(outcome.seen).toHaveLength(deliveries);
    expect(outcome.seen[0]).toBe('A valid signature: accepted with 200.');
  });
});

const rightOnes = rightReceivers.map((scheme) => ({
  name: schemeName(scheme),
  scheme,
  surface: scheme.surfaces?.[0] ?? 'own-ai-phone',
}));

describe.concurrent('a right endpoint', () => {
  it.for(rightOnes)('has nothing named against it: $name', async ({ scheme, surface }, { expect }) => {
    const { outcome, deliveries } = await runTrial({ group: 'right', scheme, surface }, findWindow);
    expect(outcome.found).toBeUndefined();
    expect(outcome.suspects).toEqual([]);
    expect(outcome.passed).toHaveLength(1);
    expect(deliveries).toBeLessThanOrEqual(10);
  });
});

it('reports nothing when no time at all is accepted', async () => {
  const scheme = { ids: [], accepts: () => () => false };
  const { outcome } = await runTrial({ group: 'unknown', scheme, surface: 'api-webhooks' }, findWindow);
  expect(outcome).toMatchObject({ found: undefined, suspects: [], passed: [] });
});

it('does not confuse a lockout after invalid signatures with a limit', async () => {
  const scheme = {
    ids: [],
    accepts: () => {
      let asked = 0;
      return () => ++asked < 3;
    },
  };
  const { named } = await runTrial({ group: 'right', scheme, surface: 'api-webhooks' }, findWindow);
  expect(named).toBe('locks-out');
});
