import fc from 'fast-check';
import type { CheckKit } from '../harness/checks/check.ts';
import { currentRecord } from '../harness/checks/check-record.ts';
import { urlOfSurface } from '../harness/config/url-of-surface.ts';
import { NotWanted, whileWanted } from '../harness/checks/wanted.ts';
import { mostSlow } from '../harness/wire/pace.ts';

/**
 * Milliseconds up to which an answer is quick: such values run one after the other, so that an endpoint that stops has
 * only one suspect.
 */
const quickMs = 200;

/**
 * All values that `fc.check` generates with these parameters, in their order. `fc.sample` of a property generates others
 * (fast-check 4.10), which could not be shrunk or repeated.
 */
export function generatedValues<Value>(arbitrary: fc.Arbitrary<Value>, parameters: fc.Parameters<[Value]>): Value[] {
  const values: Value[] = [];
  fc.check(
    fc.property(arbitrary, (value) => void values.push(value)),
    parameters,
  );
  return values;
}

/**
 * Whether the surface that the running check is about has given no quick answer lately. On the phone, the first piece is
 * the answer; a call takes as long as the AI speaks.
 */
export function isSlow({ session, settings, phone }: CheckKit): boolean {
  const surface = currentRecord()?.part?.surface;
  const url = urlOfSurface(settings.config, surface);
  if (url === undefined) return false;
  return session.paceOf(url).quickestMs > quickMs || (surface === 'own-ai-phone' && phone.speaksLong);
}

/**
 * Positions of so many edge cases, and of the mixtures after them, in turn: where the time ends early, a few mixtures have
 * shown more than the edges of the first fields.
 */
export function inTurn(edges: number, mixtures: number): number[] {
  return Array.from({ length: Math.max(edges, mixtures) }, (_, at) => [
    ...(at < edges ? [at] : []),
    ...(at < mixtures ? [edges + at] : []),
  ]).flat();
}

/** How {@link severalAtOnce} runs the values. */
export interface SeveralOptions<Value> {
  /** Whether the endpoint is known to be slow, so that the values run at once from the beginning. Default: `false`. */
  isSlow?: boolean;
  /** Whether the value need not wait for one that is under way; such values go first. Default: always. */
  isFree?: (value: Value) => boolean;
  /** Positions of all values, in the order in which they begin. Default: theirs. */
  order?: readonly number[];
  /** Whether no further value is begun. */
  isOver: () => boolean;
  /**
   * Whether values that have begun and still wait for their turn are given up; `sent` is the number of those that have
   * had it. Default: never.
   */
  isEnough?: (sent: number) => boolean;
  /**
   * `at` is the position of the value. Returns the milliseconds that the endpoint took, without our own queues. Rejects
   * with {@link NotWanted} only.
   */
  run: (value: Value, at: number) => Promise<number>;
}

/**
 * Runs independent values of a property one after the other, and slow ones at once, as many as exchanges may be under
 * way. They begin in order, but for those that would have to wait.
 */
export async function severalAtOnce<Value>(
  values: readonly Value[],
  {
    isSlow: isKnownSlow = false,
    isFree = () => true,
    order = [...values.keys()],
    isOver,
    isEnough = () => false,
    run,
  }: SeveralOptions<Value>,
): Promise<void> {
  const left = order.map((at) => ({ value: values[at] as Value, at }));
  let sent = 0;
  /** Returns `undefined` if the value was given up. */
  const runOne = async ({ value, at }: { value: Value; at: number }): Promise<number | undefined> => {
    let isSent = false;
    const takeTurn = () => {
      if (isSent) return true;
      isSent = !isEnough(sent);
      if (isSent) sent++;
      return isSent;
    };
    try {
      return await whileWanted(takeTurn, () => run(value, at));
    } catch (error) {
      if (error instanceof NotWanted) return undefined;
      throw error;
    }
  };
  let lanes = isKnownSlow ? mostSlow : 1;
  const lane = async () => {
    const more: Promise<void>[] = [];
    while (left.length > 0 && !isOver()) {
      const free = left.findIndex(({ value }) => isFree(value));
      const [next] = left.splice(Math.max(free, 0), 1);
      if (!next) break;
      const tookMs = await runOne(next);
      if (tookMs === undefined) {
        left.unshift(next);
        break;
      }
      if (tookMs <= quickMs || lanes === mostSlow) continue;
      lanes++;
      more.push(lane());
    }
    await Promise.all(more);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
