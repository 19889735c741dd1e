import { HarnessFault, NotExercised } from '../harness/checks/faults.ts';
import type { Finding } from '../harness/checks/finding.ts';
import { Call } from '../harness/wire/call.ts';
import { CallConnection } from '../harness/wire/call-connection.ts';
import { CallConsequences } from '../harness/wire/call-consequences.ts';
import { quietMs } from '../harness/wire/call-behaviour.ts';
import { signedUpgrade } from '../harness/wire/signed-upgrade.ts';
import { timelinessOf } from '../harness/wire/timeliness.ts';
import { hasNoCall, isConnected } from '../harness/wire/upgrade-answer.ts';
import type { LoadStep } from '../specs/generated/types.ts';
import { limits, protocolRevision } from '../specs/limits.ts';
import { answerFinding, closingFinding, toBeConnected, toStayUp } from '../suites/matchers/call-matchers.ts';
import { describeAnswer } from '../suites/matchers/describe-answer.ts';
import { judgeForeignSpeech } from '../suites/own-ai-phone/judge-foreign-speech.ts';
import { interruptGraceMs, speechIn } from '../suites/own-ai-phone/speech.ts';
import { violations } from './judge-aspects.ts';
import type { LoadSession } from './load-session.ts';
import { OwnLag } from './own-lag.ts';
import { ResponseTimes } from './response-times.ts';
import { waitUntil, type RunningStep, type StepOptions } from './running-step.ts';
import { outcomeOf, type StepTally } from './step-outcome.ts';
import { beyondDeadlineMs } from './traffic.ts';

/** How one step of calls is measured. */
export interface CallsOptions extends StepOptions {
  /** Calls of this process. */
  calls: number;
  /** Milliseconds until the first piece of an answer must come. */
  deadlineMs: number;
  random: () => number;
  /** Mean milliseconds in which a caller listens and thinks before each sentence. */
  thinkMs: number;
}

/** Sentences of one caller. */
const sentences = 3;
/** Milliseconds of an answer that are heard before the caller interrupts it. */
const heardMs = 400;
/** Milliseconds of an answer that does not end. */
const longestAnswerMs = 60_000;

/** Milliseconds that a call lasts at most if every answer begins at its deadline and ends soon after. */
export function longestCallMs({ deadlineMs, thinkMs }: Pick<CallsOptions, 'deadlineMs' | 'thinkMs'>): number {
  // Pauses vary by half of their mean. The interrupted answer is one more.
  const answersMs = (sentences + 1) * deadlineMs + sentences * 1.5 * thinkMs;
  return limits.phoneSetupMs + answersMs + heardMs + interruptGraceMs;
}

/**
 * Calls at once, each with sentences and pauses of its caller: measures when the connection is up and when each answer
 * begins. How a call feels is measured too, and never judged.
 */
export class CallsStep implements RunningStep {
  readonly #session: LoadSession;
  readonly #options: CallsOptions;
  readonly #lag = new OwnLag();
  readonly #tally: StepTally = { sent: 0, late: 0, lateSetUps: 0, failed: 0, uncertain: 0 };
  readonly #firstPieces: ResponseTimes;
  readonly #deadAir: ResponseTimes;
  readonly #stops: ResponseTimes;
  readonly #talkOver = { interrupts: 0, pieces: 0 };
  readonly #startedAt = performance.now();
  readonly #names: readonly string[];
  readonly #held: Promise<void>[] = [];
  readonly #allUp = Promise.withResolvers<void>();
  #expected: number;
  #dialled = 0;

  constructor(session: LoadSession, options: CallsOptions) {
    this.#session = session;
    this.#options = options;
    const { calls, onTime } = options;
    this.#firstPieces = new ResponseTimes((ms) => onTime?.('response', ms));
    this.#deadAir = new ResponseTimes((ms) => onTime?.('dead-air', ms));
    this.#stops = new ResponseTimes((ms) => onTime?.('stop', ms));
    this.#expected = calls;
    this.#names = Array.from({ length: calls }, () => `Mara Q${session.ids.integer().toString(36)}x`);
  }

  get isOver(): boolean {
    return this.#tally.cut !== undefined;
  }

  async run(intendedAt: number): Promise<void> {
    const holding = this.#hold(this.#names[this.#held.length] ?? '', intendedAt);
    this.#held.push(holding);
    await holding;
  }

  async end(): Promise<LoadStep> {
    this.#expected = this.#held.length;
    this.#countDialled(0);
    await Promise.all(this.#held);
    const { load } = this.#options;
    const { cut, ...counts } = this.#tally;
    const ownLagMs = this.#lag.end();
    return {
      load,
      seconds: Math.round((performance.now() - this.#startedAt) / 100) / 10,
      ...counts,
      times: this.#firstPieces.summary,
      ownLagMs,
      outcome:
        cut ?? outcomeOf(this.#tally, { timed: this.#firstPieces.count, isLagging: ownLagMs > this.#options.ownLagMs }),
      feel: { deadAir: this.#deadAir.summary, stop: this.#stops.summary, ...this.#talkOver },
    };
  }

  async #hold(name: string, intendedAt: number): Promise<void> {
    await waitUntil(intendedAt);
    const call = await this.#dial(name, intendedAt);
    this.#countDialled(1);
    await this.#allUp.promise;
    if (!call) return;
    if (await this.#talk(call)) countFailure(this.#tally, () => toStayUp(call.observation));
    // Only names that occur: each of thousands of calls would search for thousands of names.
    const heard = new Set(call.heardSince(0).match(/Mara Q[0-9a-z]+x/g));
    const others = this.#names.filter((other) => other !== name && heard.has(other));
    this.#report('own-ai-phone/keeps-calls-apart', judgeForeignSpeech(call, others));
    await call.end();
  }

  /** Callers speak once all calls are up that will be. */
  #countDialled(more: number): void {
    this.#dialled += more;
    if (this.#dialled >= this.#expected) this.#allUp.resolve();
  }

  #report(...judged: Parameters<typeof violations>): void {
    for (const found of violations(...judged)) this.#options.report(found, this.#options.load);
  }

  /** Dials one call and begins it; `undefined` if it could not be established. */
  async #dial(name: string, intendedAt: number): Promise<Call | undefined> {
    const tally = this.#tally;
    const { sample, inbox, lag, brand, routes, settings } = this.#session;
    const { url = '', secret = '' } = settings.config.phone ?? {};
    const outgoing = { url, method: 'GET' };
    if (!this.#session.mayCall(outgoing)) {
      tally.cut = 'limit';
      return undefined;
    }
    tally.sent++;
    const { contact, ...started } = sample.sessionStarted();
    const { callId } = started;
    const upgrade = signedUpgrade(callId, { secret, protocol: protocolRevision });
    const dialledAt = performance.now();
    const connection = await CallConnection.dial(upgrade.request(url, Date.now()), {
      label: 'a call under load',
      callId,
      timeoutMs: limits.phoneSetupMs + beyondDeadlineMs,
      limitMs: limits.phoneSetupMs,
      brand,
      route: routes.to(url),
    });
    const upAt = performance.now();
    const { observation } = connection;
    if (!isConnected(observation.answer)) {
      if (hasNoCall(observation.answer)) this.#session.limits.refund(outgoing);
      tally.failed++;
      tally.failure ??= describeAnswer(observation.answer);
      const isRefused = observation.answer.outcome === 'answered' && observation.answer.status === 401;
      if (isRefused) this.#report('own-ai-phone/accepts-valid-signature', toBeConnected(observation));
      return undefined;
    }
    const lagMs = dialledAt - intendedAt + lag.whileDialling(dialledAt, upAt);
    const timeliness = timelinessOf({ ms: upAt - intendedAt, lagMs, limitMs: limits.phoneSetupMs });
    count(tally, timeliness);
    if (timeliness === 'late') tally.lateSetUps = (tally.lateSetUps ?? 0) + 1;
    const consequences = new CallConsequences(inbox.service.inbox);
    const answerMs = (settings.config.phone?.timeoutSeconds ?? limits.ownAiTimeoutSecondsDefault) * 1000;
    const timeouts = {
      firstPieceMs: answerMs + beyondDeadlineMs,
      nextPieceMs: answerMs,
      wholeMs: longestAnswerMs,
      shortened: false,
      quietMs,
      usualMs: answerMs,
    };
    const call = new Call(connection, {
      timeouts: () => timeouts,
      lag,
      onStart: consequences.begin,
      onChange: () => consequences.follow(observation.frames),
      resultsOf: consequences.runSkills,
    });
    call.start({ ...started, contact: { ...contact, name } });
    return call;
  }

  /**
   * The caller speaks, listens, and interrupts a long answer if the config has a sentence for one. Returns whether each
   * sentence was answered; the first one that is not ends the talk, since its answer may still come.
   */
  async #talk(call: Call): Promise<boolean> {
    const { random, thinkMs, deadlineMs } = this.#options;
    const tally = this.#tally;
    for (let sentence = 0; sentence < sentences && call.isUp; sentence++) {
      // Callers do not speak in step with each other.
      await call.pass(thinkMs * (0.5 + random()));
      if (!call.isUp) return true;
      const answer = await call.ask(this.#session.sample.callerSentence);
      const { firstPieceMs, lagMs, outcome, pieces, waitedMs } = answer;
      const isSilent = outcome === 'nothing';
      if (firstPieceMs !== null && pieces > 0) this.#firstPieces.record(firstPieceMs);
      const ms = isSilent ? waitedMs : firstPieceMs;
      if (ms !== null) count(tally, timelinessOf({ ms, lagMs, limitMs: deadlineMs }));
      if (isSilent) return false;
      if (countFailure(tally, () => answerFinding(call.observation, answer))) return false;
      this.#report('own-ai-phone/closes-each-answer', closingFinding(call.observation, answer));
      const gapMs = longestGapMs(call, answer.toFrame);
      if (gapMs !== undefined) this.#deadAir.record(gapMs);
    }
    await this.#interrupt(call);
    return true;
  }

  async #interrupt(call: Call): Promise<void> {
    const { long } = this.#session.settings.config.stimuli.phone ?? {};
    if (long === undefined || !call.isUp) return;
    const prompt = call.speak(long);
    if (!(await call.firstPiece(prompt))) return;
    await call.pass(heardMs);
    if (!call.isUp || !call.isAnswering) return;
    const at = call.interrupt();
    await call.settle(interruptGraceMs);
    const { frames } = call.observation;
    const pieces = frames.slice(at + 1).filter((frame) => speechIn(frame) !== '');
    this.#talkOver.interrupts++;
    this.#talkOver.pieces += pieces.length;
    this.#stops.record((pieces.at(-1)?.atMs ?? frames[at]?.atMs ?? 0) - (frames[at]?.atMs ?? 0));
  }
}

/** Counts a failure of a call, also one that leaves a check nothing to judge, such as a frame that is too large. */
function countFailure(tally: StepTally, judge: () => Finding | undefined): boolean {
  let failure: string | undefined;
  try {
    failure = judge()?.received;
  } catch (error) {
    // An action or a skill of the AI ended the call.
    if (error instanceof NotExercised) return false;
    if (!(error instanceof HarnessFault)) throw error;
    failure = error.message;
  }
  if (failure === undefined) return false;
  tally.failed++;
  tally.failure ??= failure;
  return true;
}

function count(tally: StepTally, timeliness: ReturnType<typeof timelinessOf>): void {
  if (timeliness === 'late') tally.late++;
  else if (timeliness === 'uncertain') tally.uncertain++;
}

/** The longest silence between two pieces of speech after a sentence; `undefined` with fewer than two. */
function longestGapMs({ observation: { frames } }: Call, toFrame: number): number | undefined {
  const spoken = frames.slice(toFrame + 1).filter((frame) => speechIn(frame) !== '');
  const gaps = spoken.slice(1).map(({ atMs }, at) => atMs - (spoken[at]?.atMs ?? atMs));
  return gaps.length === 0 ? undefined : Math.max(...gaps);
}
