import type { ApiEffect } from '../harness/wire/api-effects.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { isJsonContainer } from '../specs/json-object.ts';
import { pointerSegment } from '../specs/json-pointer.ts';
import { isSuccess } from './matchers/answer-status.ts';

/** Milliseconds between two reads of the state that must agree before it counts as settled. */
const lookEveryMs = 120;
/** Milliseconds after which a state that still grows by itself is not judged. */
const settleWithinMs = 3_000;

/** One reading: the observed state, and the number of effects in the simulated service. */
export interface Looked {
  state: Sizes;
  /** The whole state as text: two equal ones show that nothing has changed. */
  text: string;
  done: number;
}

/** Waits until the observed state and the requests to API v1 no longer grow. Ends the check if they never stop. */
export async function settledState(kit: CheckKit, label: string): Promise<Looked> {
  const until = performance.now() + settleWithinMs;
  let last = await look(kit, label);
  for (;;) {
    await new Promise((wake) => setTimeout(wake, lookEveryMs));
    const next = await look(kit, label);
    if (growth(last.state, next.state).size === 0 && last.done === next.done) return next;
    if (performance.now() > until)
      kit.notExercised('The state at observe.url grows by itself, so effects cannot be identified.');
    last = next;
  }
}

async function look({ observe, inbox }: CheckKit, label: string): Promise<Looked> {
  const value = observe ? await observe.read(label) : {};
  return { state: sizes(value), text: JSON.stringify(value), done: inbox.apiEffects.count };
}

/** Effects between two readings: the growth of the state by place, and the requests to API v1 that made something new. */
export interface DeliveryEffects {
  grown: ReadonlyMap<string, number>;
  requests: readonly ApiEffect[];
}

export function effectsBetween({ inbox }: CheckKit, before: Looked, after: Looked): DeliveryEffects {
  return { grown: growth(before.state, after.state), requests: inbox.apiEffects.after(before.done) };
}

export function hasEffect({ grown, requests }: DeliveryEffects): boolean {
  return grown.size > 0 || requests.length > 0;
}

/** Whether an effect shows after something was sent. */
export async function showsEffect(kit: CheckKit, send: () => Promise<unknown>): Promise<boolean> {
  const before = await settledState(kit, 'the state before');
  await send();
  return hasEffect(effectsBetween(kit, before, await settledState(kit, 'the state after one delivery')));
}

/** Reason why effects cannot be judged. */
export function noEffectReason({ observe }: CheckKit): string {
  return observe
    ? 'Neither the state at observe.url nor API v1 shows an effect of the delivery.'
    : 'The delivery led to no request to API v1, and no `observe` address is configured that would show an effect.';
}

export function isAccepted({ answer }: Observation): boolean {
  return answer.outcome === 'answered' && isSuccess(answer.status);
}

/** Fields or items of every object and array of a JSON value, by JSON Pointer. */
type Sizes = ReadonlyMap<string, number>;

function sizes(value: unknown, pointer = '', into = new Map<string, number>()): Sizes {
  if (!isJsonContainer(value)) return into;
  const fields = Object.entries(value);
  into.set(pointer, fields.length);
  for (const [name, field] of fields) {
    sizes(field, pointer + pointerSegment(name), into);
  }
  return into;
}

/** Growth of the objects and arrays that both states have. */
export function growth(before: Sizes, after: Sizes): Map<string, number> {
  const grown = new Map<string, number>();
  for (const [place, size] of after) {
    const more = size - (before.get(place) ?? size);
    if (more > 0) grown.set(place, more);
  }
  return grown;
}
