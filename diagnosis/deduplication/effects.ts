import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import type { Mailbox } from '../../harness/wire/mailbox.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { StateProbe } from '../../harness/checks/state-probe.ts';
import type { Connection } from '../connection.ts';

/** Milliseconds between two reads of the state that must agree before it counts as settled. */
const pollMs = 120;
/** Milliseconds after which a state that still grows on its own is not judged. */
const settleWithinMs = 3_000;
/** Milliseconds to wait for the first callback or reply after a 202, and then for a second one. */
const firstLaterMs = 8_000;
const quietMs = 400;
/** Milliseconds to wait for the first one where none has arrived for any event, and one was waited for longer. */
const afterMissingMs = 1_500;
/** Multiple of the usual wait for a callback after which none is expected. */
const timesUsual = 3;

/** Depth to which fields are searched for growth. */
const deepestPlace = 40;

/** Amount of growth by place. */
export type Growth = ReadonlyMap<string, number>;

/** Effects of deliveries. */
export interface ObservedEffects {
  observations: readonly Observation[];
  growth: Growth;
  /** Every delivery got a 2xx. */
  accepted: boolean;
}

/** Prefix of places in the state, which may be mere lists of arrivals. */
const stateMark = 'state';

/** Whether a growing place may be a mere list of arrivals. */
export function isOfState(place: string): boolean {
  return place.startsWith(stateMark);
}

/**
 * Observes the effects of deliveries: in the state at `observe`, in API v1, in callbacks and replies, and for a chat in
 * the words of the answer.
 */
export class Effects {
  readonly #connection: Connection;
  readonly #state: StateProbe | undefined;
  readonly #boxes = new Set<Mailbox>();
  /** Milliseconds of the slowest callback so far. */
  #laterMs: number | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
    const { observe } = connection.config;
    this.#state = observe && new StateProbe(connection.session, observe.url);
  }

  /** Delivers, and waits for the effects, also in `box`. `undefined` if the state grows on its own. */
  async of(
    box: Mailbox | undefined,
    deliver: () => Promise<readonly Observation[]>,
  ): Promise<ObservedEffects | undefined> {
    if (box) this.#boxes.add(box);
    const before = await this.#settled();
    const [from, arrivals] = [performance.now(), box?.arrivals.length ?? 0];
    const observations = await deliver();
    if (box && observations.some((observation) => statusOf(observation) === 202))
      await this.#later(box, arrivals, from);
    const after = await this.#settled();
    if (!before || !after) return undefined;
    const growth = growthOf(before, after);
    const spoken = observations.filter(hasSpoken).length;
    if (spoken > 0) growth.set('answers with text', spoken);
    return { observations, growth, accepted: observations.every(isAccepted) };
  }

  /** Waits for the callback or reply after a 202, and then for a second one. */
  async #later(box: Mailbox, before: number, from: number): Promise<void> {
    const usual = this.#laterMs;
    const { isCallbackMissing, callbackBoxes, remainingMs } = this.#connection;
    const isNone = isCallbackMissing && callbackBoxes.every((one) => one.box.arrivals.length === 0);
    const first = isNone ? afterMissingMs : firstLaterMs;
    const mostMs = usual === undefined ? first : Math.max(quietMs, timesUsual * usual);
    const { length } = await box.atLeast(before + 1, { withinMs: Math.min(mostMs, remainingMs / 2) });
    if (length > before) this.#laterMs = Math.max(usual ?? 0, performance.now() - from);
    else this.#laterMs ??= quietMs;
    await box.atLeast(before + 2, { withinMs: quietMs });
  }

  #arrived(): number {
    return [...this.#boxes].reduce((sum, { arrivals }) => sum + arrivals.length, 0);
  }

  async #look(): Promise<Growth> {
    const { apiEffects } = this.#connection.session.inbox;
    const sizes = new Map<string, number>();
    if (this.#state) countFields(await this.#state.read('the state'), stateMark, sizes);
    for (const { arrival } of apiEffects.after(0)) {
      const place = `API v1: ${arrival.label}`;
      sizes.set(place, (sizes.get(place) ?? 0) + 1);
    }
    sizes.set('callbacks and replies', this.#arrived());
    return sizes;
  }

  async #settled(): Promise<Growth | undefined> {
    const until = performance.now() + settleWithinMs;
    let last = await this.#look();
    for (;;) {
      await new Promise((wake) => setTimeout(wake, pollMs));
      const next = await this.#look();
      if (growthOf(last, next).size === 0) return next;
      if (performance.now() > until) return undefined;
      last = next;
    }
  }
}

export function statusOf({ answer }: Observation): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}

export function isAccepted(observation: Observation): boolean {
  const status = statusOf(observation);
  return status !== undefined && status >= 200 && status < 300;
}

/** Growth of each place. A new place in the state counts as growth of its parent. */
function growthOf(before: Growth, after: Growth): Map<string, number> {
  const grown = new Map<string, number>();
  for (const [place, size] of after) {
    const more = size - (before.get(place) ?? (isOfState(place) ? size : 0));
    if (more > 0) grown.set(place, more);
  }
  return grown;
}

/**
 * Counts the fields of a value and of its nested values, down to a maximum depth: external input may be nested without
 * limit.
 */
function countFields(value: unknown, place: string, into: Map<string, number>, depth = 0): void {
  if (!isJsonContainer(value) || depth > deepestPlace) return;
  const fields = Object.entries(value);
  into.set(place, fields.length);
  for (const [name, field] of fields) countFields(field, `${place}/${name}`, into, depth + 1);
}

function hasSpoken({ answer }: Observation): boolean {
  if (answer.outcome !== 'answered' || answer.status !== 200) return false;
  const parsed = parseJson(answer.body);
  return (
    'value' in parsed && isJsonObject(parsed.value) && typeof parsed.value.text === 'string' && parsed.value.text !== ''
  );
}
