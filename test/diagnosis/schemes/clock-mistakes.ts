import type { Scheme } from './scheme.ts';
import type { Steps } from './verifier.ts';

/** Seconds from `t` to the receiver's clock: positive for a `t` in the past. */
const age = (t: string, clock = 0) => Date.now() / 1000 + clock - Number(t);
const within =
  (past: number, future = past, clock = 0): Steps['fresh'] =>
  (t) =>
    age(t, clock) <= past && age(t, clock) >= -future;

/** A machine whose clock is off: its Date header shows it. */
const machine = (seconds: number): Pick<Scheme, 'steps' | 'manner'> => ({
  steps: { fresh: within(300, 300, seconds) },
  manner: { date: seconds },
});

/** The minute of `t` may differ from the current one by so many. */
const minutes =
  (most: number): Steps['fresh'] =>
  (t) =>
    Math.abs(Math.floor(Date.now() / 60_000) - Math.floor(Number(t) / 60)) <= most;

/** `t` is compared with the clock incorrectly. */
export const clockMistakes: readonly Scheme[] = [
  { ids: ['clock-off'], form: '7 minutes behind', ...machine(-420) },
  { ids: ['clock-off'], form: '40 minutes ahead', ...machine(2400) },
  { ids: ['clock-off'], form: '2 minutes behind, so nearly everything works', ...machine(-120) },
  { ids: ['clock-off'], form: 'years behind', ...machine(-90_000_000) },
  { ids: ['clock-off'], form: '7 minutes behind, no Date header', ...machine(-420), manner: { date: 'none' } },
  { ids: ['clock-off'], form: '15 minutes ahead, no Date header', ...machine(900), manner: { date: 'none' } },
  { ids: ['clock-off'], form: '10 minutes behind, no Date header', ...machine(-600), manner: { date: 'none' } },
  { ids: ['clock-off'], form: '23 minutes ahead, no Date header', ...machine(1380), manner: { date: 'none' } },
  { ids: ['time-zone'], form: 'an hour ahead', steps: { fresh: within(300, 300, 3600) } },
  { ids: ['time-zone'], form: '5 hours behind', steps: { fresh: within(300, 300, -18_000) } },
  { ids: ['window-too-tight'], form: 'a minute', steps: { fresh: within(60) } },
  { ids: ['window-too-tight'], form: '5 seconds', steps: { fresh: within(5) }, manner: { closes: true } },
  { ids: ['window-too-tight'], form: '100 seconds', steps: { fresh: within(100) } },
  { ids: ['window-too-tight'], form: 'the same minute', steps: { fresh: minutes(0) } },
  { ids: ['window-too-tight'], form: 'less than five minutes, counted in minutes', steps: { fresh: minutes(4) } },
  { ids: ['window-too-wide'], form: 'at most five minutes, counted in minutes', steps: { fresh: minutes(5) } },
  // As wide as four minutes on either side of the current one.
  { ids: ['window-too-tight'], form: 'four minutes in the past', steps: { fresh: within(240, 300) } },
  { ids: ['window-too-tight'], form: 'half a second', steps: { fresh: within(0.5) }, byChance: true },
  { ids: ['window-too-wide'], form: 'an hour', steps: { fresh: within(3600) } },
  { ids: ['window-too-wide'], form: 'ten minutes in the past', steps: { fresh: within(600, 300) } },
  { ids: ['window-too-wide'], form: 'the future without end', steps: { fresh: within(300, Infinity) } },
  { ids: ['window-missing'], steps: { fresh: () => true } },
  { ids: ['past-only'], steps: { fresh: within(300, 0) } },
  { ids: ['future-only'], steps: { fresh: within(0, 300) } },
  {
    ids: ['future-only'],
    form: 'by 1 s',
    steps: { fresh: (t) => Number(t) > Date.now() / 1000 },
    or: ['window-too-wide'],
  },
  { ids: ['window-in-wrong-unit'], form: '300,000 seconds', steps: { fresh: within(300_000) } },
  { ids: ['window-in-wrong-unit'], form: '300 milliseconds', steps: { fresh: within(0.3) }, byChance: true },
  {
    ids: ['window-in-wrong-unit'],
    form: 't taken for milliseconds',
    steps: { fresh: (t) => Math.abs(Date.now() - Number(t)) <= 300_000 },
  },
];
