import type { SessionStarted, Skill } from '../../specs/generated/types.ts';
import type { CallConnection } from './call-connection.ts';
import { interpretFrame, type SkillRemarks } from './frame-meaning.ts';
import type { CallTimeouts } from './call-timeouts.ts';
import type { LagMeter } from './lag-meter.ts';
import type { CallAnswer, CallEnd, CallFrame, CallObservation } from './observation.ts';
import { assertDocumentedFrame } from './documented-traffic.ts';
import { skillResults, type RequestedSkillResult } from './skill-results.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';

/** The first sentence came sooner than after a real greeting and was not answered. */
export class GreetingTooShort extends Error {
  override readonly name = 'TooSoon';
}

export interface CallOptions {
  /**
   * The greeting was shorter than a real one: the first sentence waits only `usualMs`, then {@link GreetingTooShort} is
   * thrown.
   */
  hasty?: boolean;
  timeouts: () => CallTimeouts;
  lag: LagMeter;
  /** Results of requested skills; default: as the service decides by the skills that the call offers. */
  resultsOf?: ((named: readonly (string | number)[], said: SkillRemarks) => RequestedSkillResult[]) | undefined;
  /** Whether a forward with this result connects the caller; default: if it is ok. */
  putsThrough?: (result: RequestedSkillResult) => boolean;
  /** Called with `session.started` before it is sent. */
  onStart?: (started: Record<string, unknown>) => void;
  /** Called after each frame, and after the end, has been processed. */
  onChange?: () => void;
}

/** Minimum milliseconds that an early sentence waits before the call is repeated with a full greeting. */
const hastyTimeoutMs = 3_000;

/** Milliseconds for which the connection stays open after an action or a forward, so that late frames are seen. */
const lateFramesMs = 150;

/** Maximum wait for quiet, as a multiple of the quiet time. */
const longestSettling = 10;

/**
 * One call as the service conducts it (interface: Own-AI phone frames). Frames of the AI take effect: an action ends the
 * call, a skill gets its result, a successful forward connects the caller, a frame of more than 64 KB ends the connection.
 */
export class Call {
  readonly observation: CallObservation;
  readonly #connection: CallConnection;
  readonly #options: CallOptions;
  #offered: readonly Skill[] = [];
  #prompt = 0;
  #firstPrompt: number | undefined;
  #wake: (() => void)[] = [];
  #over: Promise<void> | undefined;

  constructor(connection: CallConnection, options: CallOptions) {
    this.#connection = connection;
    this.observation = connection.observation;
    this.#options = options;
    connection.listen(
      (frame) => {
        this.#act(interpretFrame(frame));
        this.#changed();
      },
      () => this.#changed(),
    );
    // Frames that arrived together with the answer to the upgrade.
    for (const frame of this.observation.frames) if (frame.from === 'ai') this.#act(interpretFrame(frame));
  }

  /** Whether the connection is open and neither side has begun to end the call. */
  get isUp(): boolean {
    return this.#connection.isUp && this.#over === undefined;
  }

  /** Set once the connection is down; resolves when it is known whether the endpoint stopped. */
  get examined(): Promise<unknown> | undefined {
    return this.#connection.examined;
  }

  get length(): number {
    return this.observation.frames.length;
  }

  /** Whether the latest sentence has neither a closed answer nor an action. */
  get isAnswering(): boolean {
    return !this.observation.frames.slice(this.#prompt + 1).some((frame) => {
      if (frame.from !== 'ai') return false;
      const meaning = interpretFrame(frame);
      return meaning.kind === 'action' || (meaning.kind === 'speech' && meaning.last);
    });
  }

  /** Begins the call. The skills that it offers decide the results of skill requests. Returns the frame's index. */
  start(started: SessionStarted | Record<string, unknown>): number {
    this.#offered = Array.isArray(started.skills) ? (started.skills as Skill[]) : [];
    this.#options.onStart?.({ ...started });
    return this.send(started);
  }

  /** Sends any frame, as JSON or verbatim. Returns its index. */
  send(frame: object | string): number {
    if (typeof frame === 'object') assertDocumentedFrame(frame);
    return this.#connection.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  /** Sends the frames of this function so that they arrive together. */
  together = (send: () => void): void => this.#connection.together(send);

  /** The caller finishes a sentence. Returns the frame's index, for {@link answer}. */
  speak(text: string): number {
    this.#connection.startAnswer();
    this.#prompt = this.send({ type: 'prompt', text });
    this.#firstPrompt ??= this.#prompt;
    return this.#prompt;
  }

  /** The caller presses a key. Returns the frame's index. */
  press = (digit: string): number => this.send({ type: 'dtmf', digit });

  /** The caller interrupts the answer. `spoken` is the speech heard until then; default: all so far. */
  interrupt(spoken: string = this.heardSince(this.#prompt)): number {
    return this.send({ type: 'interrupt', spokenUntilInterrupt: spoken });
  }

  /** Sends the result of a requested skill. */
  sendSkillResult = (result: RequestedSkillResult): number => this.send({ type: 'skill.result', ...result });

  async ask(text: string): Promise<CallAnswer> {
    return await this.answer(this.speak(text));
  }

  /** Speech that the caller has heard after a frame. */
  heardSince(index: number): string {
    let heard = '';
    for (const frame of this.observation.frames.slice(index + 1)) {
      if (frame.from !== 'ai') continue;
      const meaning = interpretFrame(frame);
      if (meaning.kind === 'speech' || meaning.kind === 'action') heard += meaning.text;
    }
    return heard;
  }

  /** Milliseconds between a frame and each later one during which the harness itself was stalled. */
  stalledSince(index: number): number[] {
    const clockOf = ({ atMs }: CallFrame) => this.#connection.clockOf(atMs);
    const [since, ...later] = this.observation.frames.slice(index);
    return since ? later.map((frame) => this.#options.lag.between(clockOf(since), clockOf(frame))) : [];
  }

  /** Waits until the AI has begun to answer a frame, at most until the timeout. Returns whether it has. */
  async firstPiece(toFrame: number, withinMs = this.#firstPieceMs(toFrame)): Promise<boolean> {
    const from = this.observation.frames[toFrame]?.atMs ?? 0;
    let cursor = toFrame + 1;
    for (;;) {
      for (const frame of this.observation.frames.slice(cursor)) {
        cursor++;
        if (frame.from !== 'ai') continue;
        const meaning = interpretFrame(frame);
        if (meaning.kind === 'speech' ? meaning.text !== '' || meaning.last : meaning.kind !== 'ignored') return true;
      }
      if (this.observation.end || !(await this.#change(from + withinMs))) return false;
    }
  }

  /**
   * Waits for the answer to a frame until a piece has `last: true` or another outcome is known, and records it. Frames
   * up to `after` are ignored.
   */
  async answer(toFrame: number, { after = toFrame }: { after?: number } = {}): Promise<CallAnswer> {
    const answer = await this.#awaitAnswer(toFrame, { after });
    this.observation.answers.push(answer);
    return answer;
  }

  /** Like {@link answer}, but waits only until the AI has begun: speech yields the outcome `begun`. */
  async answerStart(toFrame: number): Promise<CallAnswer> {
    const answer = await this.#awaitAnswer(toFrame, { onlyBegun: true });
    this.observation.answers.push(answer);
    return answer;
  }

  /** Waits for the end of an answer without recording it. */
  async waitForAnswerEnd(toFrame: number): Promise<void> {
    await this.#awaitAnswer(toFrame);
  }

  /** Waits until the AI has been silent for this long or `isSettled` is true, at most ten times as long. */
  async settle(quietMs: number, isSettled = (_: CallObservation) => false): Promise<void> {
    const from = this.#connection.nowMs;
    const until = from + longestSettling * quietMs;
    while (!isSettled(this.observation)) {
      const last = this.observation.frames.findLast((frame) => frame.from === 'ai')?.atMs ?? 0;
      const quietAt = Math.max(last, from) + quietMs;
      if (this.observation.end || this.#connection.nowMs >= until) return;
      if (!(await this.#change(Math.min(quietAt, until)))) return;
    }
  }

  /** Waits this many milliseconds of the call, or until it ends. */
  async pass(ms: number): Promise<void> {
    const until = this.#connection.nowMs + ms;
    while (!this.observation.end && this.#connection.nowMs < until) await this.#change(until);
  }

  /**
   * Ends the call like the service: `session.ended`, then closing, with `listenMs` milliseconds in between. If the call
   * is over, waits until the connection is down.
   */
  async end({ listenMs = 0 }: { listenMs?: number } = {}): Promise<CallEnd | undefined> {
    await (this.#over ??= this.#finish(listenMs));
    return this.observation.end;
  }

  /** Ends the connection in this way, without `session.ended`, as when the caller is gone. */
  async vanish(how: 'reset' | 'end' | 'close'): Promise<void> {
    await (this.#over ??= how === 'close' ? this.#connection.close() : this.#connection.vanish(how));
  }

  /** Stops reading, so that the AI's data accumulates on its side. */
  stall = (): void => this.#connection.stall();

  async #finish(listenMs: number): Promise<void> {
    if (this.#connection.isUp) this.send({ type: 'session.ended' });
    if (listenMs > 0) await this.pass(listenMs);
    await this.#connection.close();
  }

  #act(meaning: ReturnType<typeof interpretFrame>): void {
    if (!this.isUp) return;
    if (meaning.kind === 'action') void this.end({ listenMs: lateFramesMs });
    if (meaning.kind === 'too-large') this.#over = this.#connection.close(1009, 'a frame of more than 64 KB');
    if (meaning.kind !== 'skill') return;
    const { resultsOf = (named) => skillResults(named, this.#offered), putsThrough = ({ ok }) => ok } = this.#options;
    const results = resultsOf(meaning.skills, meaning.said);
    for (const result of results) this.sendSkillResult(result);
    const kindOf = (key: string) => this.#offered.find((skill) => skill.key === key)?.kind;
    if (results.some((result) => kindOf(result.key) === 'forward' && putsThrough(result)))
      void this.end({ listenMs: lateFramesMs });
  }

  async #awaitAnswer(
    toFrame: number,
    { onlyBegun = false, after = toFrame }: { onlyBegun?: boolean; after?: number } = {},
  ): Promise<CallAnswer> {
    const { frames } = this.observation;
    const asked = frames[toFrame]?.atMs ?? 0;
    const answer = unanswered(toFrame);
    const decided = (outcome: CallAnswer['outcome'], atMs?: number, byFrame?: number): CallAnswer => ({
      ...answer,
      outcome,
      ...(byFrame === undefined ? {} : { byFrame }),
      wholeMs: atMs === undefined ? null : atMs - asked,
      waitedMs: this.#connection.nowMs - asked,
    });
    /** A sign that may be the whole answer: a skill, or an empty closing piece. */
    let maybe: { outcome: 'skill' | 'closed'; atMs: number; byFrame: number } | undefined;
    let latest = frames[after]?.atMs ?? asked;
    for (let cursor = after + 1; ;) {
      for (; cursor < frames.length; cursor++) {
        const frame = frames[cursor];
        if (frame?.from !== 'ai') continue;
        const meaning = interpretFrame(frame);
        if (meaning.kind === 'ignored') continue;
        latest = frame.atMs;
        const isSign = meaning.kind !== 'speech' || meaning.text !== '' || meaning.last;
        if (isSign && answer.firstPieceMs === null) {
          answer.firstPieceMs = frame.atMs - asked;
          const { lag } = this.#options;
          const ownMs = lag.atEnds(this.#connection.clockOf(asked), this.#connection.clockOf(frame.atMs));
          const { proxyMs } = this.#connection;
          answer.lagMs = proxyMs + ownMs;
          if (proxyMs > 0) answer.proxyMs = proxyMs;
        }
        if (meaning.kind === 'too-large') return decided('call-ended', frame.atMs, cursor);
        if (meaning.kind === 'skill' && maybe?.outcome !== 'skill') {
          maybe = { outcome: 'skill', atMs: frame.atMs, byFrame: cursor };
        }
        if (meaning.kind === 'action') {
          answer.text += meaning.text;
          return decided('action', frame.atMs, cursor);
        }
        if (meaning.kind !== 'speech') continue;
        if (meaning.text !== '') {
          answer.text += meaning.text;
          answer.pieces++;
          if (onlyBegun) return decided('begun', frame.atMs, cursor);
        }
        if (!meaning.last) continue;
        if (answer.pieces > 0) return decided('closed', frame.atMs, cursor);
        maybe ??= { outcome: 'closed', atMs: frame.atMs, byFrame: cursor };
      }
      if (this.observation.end) {
        if (maybe) return decided(maybe.outcome, maybe.atMs, maybe.byFrame);
        // Speech that was cut off is an answer; whether it would have been closed is unknown.
        return decided(this.observation.end.isCutOff && answer.pieces > 0 ? 'not-closed' : 'call-ended');
      }
      const timeouts = this.#options.timeouts();
      const unclosed = answer.pieces > 0;
      if (unclosed && this.#connection.nowMs - asked > timeouts.wholeMs) {
        answer.shortened = true;
        return decided('not-closed');
      }
      const afterSign = unclosed ? Math.min(timeouts.nextPieceMs, timeouts.usualMs) : timeouts.quietMs;
      const afterPiece = unclosed ? timeouts.nextPieceMs : this.#firstPieceMs(toFrame);
      // An empty closing piece may close an earlier answer, so that the words are still to come.
      const wordsBy = maybe?.outcome === 'closed' ? asked + timeouts.usualMs : 0;
      const until = Math.max(latest + (maybe ? afterSign : afterPiece), wordsBy);
      if ((await this.#change(until)) || cursor < frames.length) continue;
      if (maybe) return decided(maybe.outcome, maybe.atMs, maybe.byFrame);
      if (!unclosed && this.#isHasty(toFrame)) throw new GreetingTooShort();
      if (unclosed && timeouts.shortened) answer.shortened = true;
      return decided(unclosed ? 'not-closed' : 'nothing');
    }
  }

  /** Whether this is the first sentence of the call, sent before a real greeting would have ended. */
  #isHasty(toFrame: number): boolean {
    return this.#options.hasty === true && toFrame === this.#firstPrompt;
  }

  #firstPieceMs(toFrame: number): number {
    const { firstPieceMs, usualMs } = this.#options.timeouts();
    return this.#isHasty(toFrame) ? Math.min(firstPieceMs, Math.max(usualMs, hastyTimeoutMs)) : firstPieceMs;
  }

  #changed(): void {
    this.#options.onChange?.();
    for (const wake of this.#wake.splice(0)) wake();
  }

  /** Waits for the next frame of the AI or the end; `false` at the timeout. */
  #change(untilMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = timeoutAfterReads(() => resolve(false), Math.max(0, untilMs - this.#connection.nowMs));
      this.#wake.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }
}

/** The answer to a prompt as long as the AI has sent nothing. */
function unanswered(toFrame: number): CallAnswer {
  const [text, pieces, firstPieceMs, wholeMs, waitedMs, lagMs] = ['', 0, null, null, 0, 0];
  return { outcome: 'nothing', toFrame, text, pieces, firstPieceMs, wholeMs, waitedMs, lagMs };
}
