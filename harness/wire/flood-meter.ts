/**
 * Frames and bytes of one answer after which the call is ended: hours of speech in the smallest pieces. The run must end,
 * and a flood must not fill the memory.
 */
const ofAnswer = { frames: 10_000, bytes: 1_048_576 };
/** The same of an AI that has flooded an earlier call: every call costs as much again. */
const ofFlooder = { frames: 300, bytes: 262_144 };
/** The same of a whole call: tens of such answers. */
const ofCall = { frames: 100_000, bytes: 8_388_608 };

/** Counts what the AI sends in one call, and reports when it is more than any conversation has. */
export class FloodMeter {
  readonly #afterFlood: boolean;
  readonly #call = { frames: 0, bytes: 0 };
  #answer = { frames: 0, bytes: 0 };

  /** @param afterFlood the AI has flooded an earlier call */
  constructor(afterFlood: boolean) {
    this.#afterFlood = afterFlood;
  }

  /** The caller has spoken: what follows is another answer. */
  nextAnswer(): void {
    this.#answer = { frames: 0, bytes: 0 };
  }

  /** Counts a frame; the reason to end the call when it was one too many. */
  count(bytes: number): string | undefined {
    for (const sum of [this.#call, this.#answer]) {
      sum.frames++;
      sum.bytes += bytes;
    }
    const most = this.#afterFlood ? ofFlooder : ofAnswer;
    const again = this.#afterFlood ? ', after a flood in an earlier call' : '';
    if (this.#answer.frames > most.frames) return `more than ${most.frames} frames in one answer${again}`;
    if (this.#answer.bytes > most.bytes) return `more than ${most.bytes} bytes in one answer${again}`;
    if (this.#call.frames > ofCall.frames) return `more than ${ofCall.frames} frames in one call`;
    return this.#call.bytes > ofCall.bytes ? `more than ${ofCall.bytes} bytes in one call` : undefined;
  }
}
