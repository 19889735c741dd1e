import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Call } from '../../harness/wire/call.ts';
import { formatMs } from '../format-ms.ts';
import type { Found } from '../outcome.ts';
import { unexpectedEnd } from './call-end.ts';
import { explainClose } from './explain-close.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds for a repeated silence beyond that of the first one. */
const moreMs = 2_000;

/**
 * A call in which nothing is said after the first sentence, held while other calls are made: only for an AI that has been
 * shown to handle two calls at once.
 */
export class QuietCall {
  readonly #calls: PhoneCalls;
  readonly #call: Call;
  readonly #quietFrom = performance.now();

  private constructor(calls: PhoneCalls, call: Call) {
    this.#calls = calls;
    this.#call = call;
  }

  /** `undefined` if it is not accepted. */
  static async begin(calls: PhoneCalls): Promise<QuietCall | undefined> {
    const call = await calls.begin({ label: 'a call that stays quiet while others are made' });
    if (!isConnected(call.observation.answer)) return undefined;
    if (call.isUp) await calls.ask(call);
    return new QuietCall(calls, call);
  }

  /** Ends it without a judgement: it could be the reason of what another call shows. */
  async end(): Promise<void> {
    await this.#calls.end(this.#call);
  }

  /**
   * How long it stayed up; if the AI closed it, the cause that quiet calls show which are made alone. `unclear` if none of
   * those is closed: the other calls may have been the reason.
   */
  async judge(seen: string[]): Promise<{ quietMs: number; found?: Found } | 'unclear'> {
    const quietMs = performance.now() - this.#quietFrom;
    if (!this.#call.isUp) await this.#call.end();
    await this.end();
    const end = unexpectedEnd(this.#call.observation);
    if (!end) return this.#call.observation.end?.by === 'ai' ? 'unclear' : { quietMs };
    seen.push(`A quiet call was closed while others were made, at most ${formatMs(quietMs)} after its last frame.`);
    const found = await explainClose(this.#calls, quietMs + moreMs, seen);
    return found ? { quietMs, found } : 'unclear';
  }
}
