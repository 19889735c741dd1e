import type { CallOutcome, CallRequest, LiveCall, SpokenAnswer } from '../../service/outbound.ts';
import { limits } from '../../specs/limits.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { Call } from './call.ts';
import type { CallTimeouts } from './call-timeouts.ts';
import type { CallConnection } from './call-connection.ts';
import { interpretFrame } from './frame-meaning.ts';
import type { LagMeter } from './lag-meter.ts';
import type { CallFrame, CallObservation } from './observation.ts';

/** Milliseconds after a skill or an empty closing piece in which speech may still follow. */
const quietMs = 250;
/** Maximum milliseconds of an endless answer. */
const longestAnswerMs = 60_000;

/** A call of the simulated service over an open connection. */
export class HeldCall implements LiveCall {
  readonly over: Promise<CallOutcome>;
  readonly #call: Call;
  readonly #request: CallRequest;
  readonly #resolve: (outcome: CallOutcome) => void;
  /** Number of frames reported to the service. */
  #seen = 0;
  #greeted: Promise<void> | undefined;
  #isOver = false;
  #isPutThrough = false;

  readonly #greetingMs: number;

  /** @param greetingMs duration of the greeting in milliseconds, before the caller's first sentence */
  constructor(
    connection: CallConnection,
    request: CallRequest,
    { lag, greetingMs }: { lag: LagMeter; greetingMs: number },
  ) {
    const { promise, resolve } = Promise.withResolvers<CallOutcome>();
    this.over = promise;
    this.#resolve = resolve;
    this.#request = request;
    this.#greetingMs = greetingMs;
    const timeouts = timeoutsOf(request);
    this.#call = new Call(connection, {
      timeouts: () => timeouts,
      lag,
      resultsOf: (named, said) => request.runSkills(named, said),
      putsThrough: ({ ok, reason }) => (this.#isPutThrough ||= ok && reason === undefined),
      onChange: () => this.#report(),
    });
    // Frames that arrived together with the answer to the upgrade.
    this.#report();
  }

  /** The recorded call; it grows while the call continues. */
  get observation(): CallObservation {
    return this.#call.observation;
  }

  start(started: SessionStarted): void {
    this.#call.start(started);
    // A resumed call has no greeting.
    this.#greeted = this.#call.pass('resumed' in started ? 0 : this.#greetingMs);
    this.#report();
  }

  async ask(text: string, { onlyBegun = false }: { onlyBegun?: boolean } = {}): Promise<SpokenAnswer> {
    await this.#greeted;
    const prompt = this.#call.speak(text);
    this.#report();
    const answer = await (onlyBegun ? this.#call.answerStart(prompt) : this.#call.answer(prompt));
    return { outcome: answer.outcome, text: answer.text };
  }

  press(digit: string): void {
    this.#call.press(digit);
    this.#report();
  }

  interrupt(): void {
    this.#call.interrupt();
    this.#report();
  }

  /** Ends the call as in the interface; a call that never began is only closed. */
  async end(): Promise<void> {
    this.#decide({ how: 'ended-by-service', text: '' });
    const ended = this.#greeted ? this.#call.end() : this.#call.vanish('close');
    this.#report();
    await ended;
  }

  /** Reports new frames, and the end, to the service. */
  #report(): void {
    const { frames, end } = this.observation;
    while (this.#seen < frames.length) {
      const frame = frames[this.#seen++];
      if (!frame) continue;
      this.#request.onFrame?.(frame.from, textOf(frame));
      if (frame.from === 'ai') this.#interpret(frame);
    }
    if (this.#isPutThrough) this.#decide({ how: 'forward', text: '' });
    if (end) this.#decide({ how: 'closed-by-ai', text: '', detail: describeEnd(end) });
  }

  #interpret(frame: CallFrame): void {
    // Frames after the outcome have no effect.
    if (this.#isOver) return;
    const meaning = interpretFrame(frame);
    if (meaning.kind === 'speech') this.#request.onSpeech?.(meaning.text, meaning.last);
    if (meaning.kind === 'too-large') this.#decide({ how: 'frame-too-large', text: '' });
    if (meaning.kind !== 'action') return;
    const { action, text, note } = meaning;
    this.#decide({ how: action, text, ...(note !== undefined && { note }) });
  }

  #decide(outcome: CallOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#resolve(outcome);
  }
}

function timeoutsOf({ answerMs }: CallRequest): CallTimeouts {
  return {
    firstPieceMs: answerMs,
    nextPieceMs: answerMs,
    wholeMs: longestAnswerMs,
    shortened: false,
    quietMs,
    usualMs: limits.ownAiTimeoutSecondsMin * 1000,
  };
}

/** The complete frame: a long text is truncated, the value is not. */
function textOf({ text, value, bytes }: CallFrame): string {
  return value !== undefined && Buffer.byteLength(text) < bytes ? JSON.stringify(value) : text;
}

function describeEnd({ code, reason, detail }: NonNullable<CallObservation['end']>): string {
  const given = reason === '' ? `code ${code}` : `code ${code}, ${reason}`;
  return detail === undefined ? given : `${given}: ${detail}`;
}
