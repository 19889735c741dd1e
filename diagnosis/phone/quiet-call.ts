import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Call } from '../../harness/wire/call.ts';
import { OutOfTime } from '../connection.ts';
import { formatMs } from '../format-ms.ts';
import type { Found } from '../outcome.ts';
import { ownEndMs, unexpectedEnd } from './call-end.ts';
import { explainClose, quietCall } from './explain-close.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds for a repeated silence beyond that of the first one. */
const moreMs = 2_000;
/** Time that a repetition may need, as a multiple of its silence: a second call has a sentence half-way. */
const roomForRepetition = 2.5;

/** What a quiet call showed. */
export interface Silence {
  /** The cause that quiet calls show which are made alone. */
  found?: Found;
  passed: string[];
  notObserved: string[];
  /** Milliseconds of silence after which a call was still up. */
  quietMs?: number;
}

/**
 * A call in which nothing is said after the first sentence, held while other calls are made: only for an AI that has been
 * shown to handle two calls at once.
 */
export class QuietCall {
  readonly #calls: PhoneCalls;
  readonly #call: Call;

  private constructor(calls: PhoneCalls, call: Call) {
    this.#calls = calls;
    this.#call = call;
  }

  /** `undefined` if it is not accepted or ends at once. */
  static async begin(calls: PhoneCalls): Promise<QuietCall | undefined> {
    const call = await calls.begin({ label: 'a call that stays quiet while others are made' });
    if (!isConnected(call.observation.answer)) return undefined;
    if (call.isUp) await calls.ask(call);
    if (call.isUp) return new QuietCall(calls, call);
    await calls.end(call);
    return undefined;
  }

  /** Ends it without a judgement: it could be the reason of what another call shows. */
  async end(): Promise<void> {
    await this.#calls.end(this.#call);
  }

  /** Ends it and judges how long it was quiet; `undefined` if that is unknown. */
  async judge(seen: string[]): Promise<Silence | undefined> {
    const { observation, isUp } = this.#call;
    const { frames } = observation;
    const { length } = frames;
    const fromMs = frames.at(-1)?.atMs ?? 0;
    await this.#call.end();
    const { end } = observation;
    if (end === undefined || observation.framesOmitted > 0) return undefined;
    if (isUp) {
      const ended = frames.slice(length).find(({ from }) => from === 'service');
      // Otherwise the connection may have been down before.
      if (ended === undefined || end.by !== 'service' || !end.clean) return undefined;
      const quietMs = ended.atMs - fromMs;
      return { passed: [`A call stays up while nothing is said for ${formatMs(quietMs)}.`], notObserved: [], quietMs };
    }
    const ownMs = ownEndMs(observation);
    if (ownMs !== undefined) return { passed: [], notObserved: [describeOwnEnd(ownMs)] };
    if (!unexpectedEnd(observation)) return undefined;
    return await this.#explain(end.atMs - fromMs, seen);
  }

  /** Explains why the AI closed it, by calls that are made alone: the other ones may have been the reason. */
  async #explain(afterMs: number, seen: string[]): Promise<Silence> {
    const what = `A quiet call was closed ${formatMs(afterMs)} after its last frame while other calls were made`;
    seen.push(`${what}.`);
    const waitMs = afterMs + moreMs;
    const unknown: Silence = {
      passed: [],
      notObserved: [
        `${what}. Whether one is also closed when it is the only call was not determined: diagnose --thorough --within 300 tests 65 s.`,
      ],
    };
    if (this.#calls.connection.remainingMs < roomForRepetition * waitMs) return unknown;
    try {
      const alone = await quietCall(this.#calls, 0, waitMs);
      if (alone === 'stays-up') {
        const but = `${what}, but the only call stayed up while nothing was said for ${formatMs(waitMs)}.`;
        return { passed: [], notObserved: [but], quietMs: waitMs };
      }
      const found = alone && (await explainClose(this.#calls, waitMs, seen, alone));
      return found ? { found, passed: [], notObserved: [] } : unknown;
    } catch (error) {
      if (error instanceof OutOfTime) return unknown;
      throw error;
    }
  }
}

/** Formats what an action or a forward in a quiet call leaves unknown. */
export function describeOwnEnd(afterMs: number): string {
  return `Your AI ended a call with an action or a forward ${formatMs(afterMs)} after the last sentence of the caller, so it is unknown whether a call with a longer silence stays up.`;
}
