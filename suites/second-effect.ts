import type { CheckKit } from '../harness/check.ts';
import type { Observation } from '../harness/observation.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { conclude } from './matchers/expect.ts';

/** Milliseconds between two looks at the state that must agree before it counts as settled. */
const lookEveryMs = 120;
/** Milliseconds after which a state that still grows by itself is not judged. */
const settleWithinMs = 3_000;

const hint = 'Remember what was processed by its delivery id (by callbackUrl for CRM events) before acting on it.';

/** Deliveries whose effects are compared. */
export interface Deliveries {
  /** Delivers one thing; called twice it is the same delivery again. */
  same: (which: 'first' | 'second') => Promise<Observation>;
  /** Delivers another thing of the same kind once: how much one delivery adds, where two come at once. */
  other?: () => Promise<Observation>;
}

/**
 * Delivers the same thing twice, one after the other or (with `other`) both at once, with the endpoint to itself, and
 * looks at its state. An effect is a list or an object of the state that has got more members; values that merely
 * change (a time, a counter) are not taken for one. Not exercised without `observe`, or when no effect shows there.
 */
export async function judgeSecondEffect(kit: CheckKit, { same, other }: Deliveries): Promise<void> {
  const { observe, notExercised } = kit;
  if (!observe) return notExercised('No `observe` address is configured, so a second effect cannot be seen.');
  const settled = async (label: string): Promise<Sizes> => {
    const until = performance.now() + settleWithinMs;
    let last = sizes(await observe.read(label));
    for (;;) {
      await new Promise((wake) => setTimeout(wake, lookEveryMs));
      const next = sizes(await observe.read(label));
      if (growth(last, next).size === 0) return next;
      if (performance.now() > until)
        notExercised('The state at observe.url grows by itself, so effects cannot be told.');
      last = next;
    }
  };
  const before = await settled('the state before');
  const first = await (other ?? (() => same('first')))();
  const refused = toBeAccepted(first);
  if (refused) return notExercised(`The delivery was not accepted: ${refused.received}.`);
  const once = await settled('the state after one delivery');
  const effect = growth(before, once);
  if (effect.size === 0) return notExercised('The state at observe.url shows no effect of the delivery.');
  const repeated = other ? await Promise.all([same('first'), same('second')]) : [await same('second')];
  let last = first;
  for (const delivery of repeated) {
    last = delivery;
    const finding = toBeAccepted(delivery);
    if (finding) return notExercised(`The repeated delivery was not accepted: ${finding.received}.`);
  }
  const again = growth(once, await settled('the state after the delivery came again'));
  const allowed = (place: string) => (other ? (effect.get(place) ?? 0) : 0);
  const grown = [...effect.keys()].find((place) => (again.get(place) ?? 0) > allowed(place));
  conclude(
    last,
    grown === undefined
      ? undefined
      : {
          expected: other ? 'one effect of one delivery that came twice at once' : 'no second effect of one delivery',
          received: `${again.get(grown) ?? 0} more at ${grown === '' ? 'the top' : grown} of the state, after ${effect.get(grown) ?? 0} by one delivery`,
          hint,
        },
  );
}

/** Members or items of every object and array of a JSON value, by JSON Pointer. */
type Sizes = ReadonlyMap<string, number>;

function sizes(value: unknown, pointer = '', into = new Map<string, number>()): Sizes {
  if (typeof value !== 'object' || value === null) return into;
  const members = Object.entries(value);
  into.set(pointer, members.length);
  for (const [name, member] of members) {
    sizes(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, into);
  }
  return into;
}

/** By how much the objects and arrays that both states have got larger. */
function growth(before: Sizes, after: Sizes): Map<string, number> {
  const grown = new Map<string, number>();
  for (const [place, size] of after) {
    const more = size - (before.get(place) ?? size);
    if (more > 0) grown.set(place, more);
  }
  return grown;
}
