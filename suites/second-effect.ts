import type { CheckKit } from '../harness/check.ts';
import type { Observation } from '../harness/observation.ts';
import { HarnessFault } from '../harness/faults.ts';
import { conclude } from './matchers/expect.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';

/** Milliseconds between two looks at the state, and looks that must agree before it counts as settled. */
const lookEveryMs = 60;
const looks = 2;
/** Milliseconds after which a state that still moves by itself cannot be judged. */
const settleWithinMs = 3_000;

/**
 * Delivers the same thing twice, with the endpoint to itself, and compares its state: what the first delivery changed
 * must not change again in the same places. Not exercised without `observe`, or when no effect shows there.
 */
export async function judgeSecondEffect(
  { observe, notExercised }: CheckKit,
  deliver: (which: 'first' | 'second') => Promise<Observation>,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<void> {
  if (!observe) return notExercised('No `observe` address is configured, so a second effect cannot be seen.');
  const settled = async (label: string) => {
    const until = performance.now() + settleWithinMs;
    let last = leaves(await observe.read(label));
    for (let agreed = 1; agreed < looks;) {
      if (performance.now() > until) {
        throw new HarnessFault(
          'observe-failed',
          'The state at observe.url never settles, so effects cannot be told apart in it.',
        );
      }
      await new Promise((wake) => setTimeout(wake, lookEveryMs));
      const next = leaves(await observe.read(label));
      agreed = changes(last, next).size === 0 ? agreed + 1 : 1;
      last = next;
    }
    return last;
  };
  const before = await settled('the state before');
  const [first, early] = atOnce ? await Promise.all([deliver('first'), deliver('second')]) : [await deliver('first')];
  const accepted = toBeAccepted(first);
  if (accepted) return notExercised(`The delivery was not accepted: ${accepted.received}.`);
  const once = await settled('the state after the first delivery');
  const effect = changes(before, once);
  if (effect.size === 0) return notExercised('The state at observe.url shows no effect of the delivery.');
  const second = early ?? (await deliver('second'));
  if (early) {
    const doubled = doubledGrowth(before, once);
    conclude(
      second,
      doubled === undefined
        ? undefined
        : { expected: 'one effect of the same delivery sent twice at once', received: doubled },
    );
    return;
  }
  const again = [...changes(once, await settled('the state after the second delivery'))].filter(
    (place) => effect.has(place) || [...effect].some((changed) => sameList(changed, place)),
  );
  conclude(
    second,
    again.length === 0
      ? undefined
      : {
          expected: 'no further change of the state by the same delivery',
          received: `a change at ${again.slice(0, 3).join(', ')}`,
          hint: 'Remember what was processed by its delivery id (by callbackUrl for CRM events) before acting on it.',
        },
  );
}

type Leaves = ReadonlyMap<string, string>;

/** Every scalar of a JSON value by its JSON Pointer, and the length of every array. */
function leaves(value: unknown, pointer = '', into = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) {
    into.set(`${pointer}/length`, String(value.length));
    value.forEach((item, at) => leaves(item, `${pointer}/${at}`, into));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) leaves(member, `${pointer}/${name}`, into);
  } else {
    into.set(pointer === '' ? '/' : pointer, JSON.stringify(value));
  }
  return into;
}

function changes(a: Leaves, b: Leaves): Set<string> {
  const changed = new Set<string>();
  for (const [place, value] of b) if (a.get(place) !== value) changed.add(place);
  for (const place of a.keys()) if (!b.has(place)) changed.add(place);
  return changed;
}

/** Whether two places are items of one list: a second item there is a second effect. */
function sameList(a: string, b: string): boolean {
  const list = (place: string) => /^(.*)\/(?:\d+(?:\/.*)?|length)$/.exec(place)?.[1];
  return list(a) !== undefined && list(a) === list(b);
}

/** A list that grew by two like items: told for deliveries at once, where no state between them can be seen. */
function doubledGrowth(before: Leaves, after: Leaves): string | undefined {
  for (const [place, length] of after) {
    if (!place.endsWith('/length')) continue;
    const from = Number(before.get(place) ?? 0);
    if (Number(length) - from < 2) continue;
    const list = place.slice(0, -'/length'.length);
    const items = Array.from({ length: Number(length) }, (_, at) => itemText(after, `${list}/${at}`));
    const added = items.slice(from);
    const like = added.find((item, at) => added.indexOf(item) !== at);
    if (like !== undefined)
      return `${Number(length) - from} items more at ${list}, two of them alike: ${like.slice(0, 120)}`;
  }
  return undefined;
}

function itemText(of: Leaves, item: string): string {
  return [...of]
    .filter(([place]) => place === item || place.startsWith(`${item}/`))
    .map(([place, value]) => `${place.slice(item.length + 1)}=${value}`)
    .join(' ');
}
