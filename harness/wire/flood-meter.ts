/**
 * Maximum frames and bytes of one answer: hours of speech in the smallest pieces. They ensure that the run ends and
 * that a flood does not exhaust the memory.
 */
const ofAnswer = { frames: 10_000, bytes: 1_048_576 };
/** The same for an AI that has flooded an earlier call, to bound the cost of its other calls. */
const ofFlooder = { frames: 300, bytes: 262_144 };
/** The same for a whole call: tens of such answers. */
const ofCall = { frames: 100_000, bytes: 8_388_608 };

/** Counts the frames of the AI in one call, and reports when they exceed any real conversation. */
export class FloodMeter {
  readonly #afterFlood: boolean;
  readonly #call = { frames: 0, bytes: 0 };
  #answer = { frames: 0, bytes: 0 };

  /** @param afterFlood the AI has flooded an earlier call */
  constructor(afterFlood: boolean) {
    this.#afterFlood = afterFlood;
  }

  /** Starts counting another answer, after the caller has spoken. */
  nextAnswer(): void {
    this.#answer = { frames: 0, bytes: 0 };
  }

  /** Counts a frame; returns the reason to end the call if it exceeds a limit. */
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
