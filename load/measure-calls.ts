import { HarnessFault, NotExercised } from '../harness/checks/faults.ts';
import type { Finding } from '../harness/checks/finding.ts';
import { Call } from '../harness/wire/call.ts';
import { CallConnection } from '../harness/wire/call-connection.ts';
import { CallConsequences } from '../harness/wire/call-consequences.ts';
import { quietMs } from '../harness/wire/call-behaviour.ts';
import { signedUpgrade } from '../harness/wire/signed-upgrade.ts';
import { timelinessOf } from '../harness/wire/timeliness.ts';
import { isConnected } from '../harness/wire/upgrade-answer.ts';
import type { LoadStep } from '../specs/generated/types.ts';
import { limits, protocolRevision } from '../specs/limits.ts';
import { answerFinding, toBeConnected, toStayUp } from '../suites/matchers/call-matchers.ts';
import { describeAnswer } from '../suites/matchers/describe-answer.ts';
import { judgeForeignSpeech } from '../suites/own-ai-phone/judge-foreign-speech.ts';
import { interruptGraceMs, speechIn } from '../suites/own-ai-phone/speech.ts';
import { violations } from './judge-aspects.ts';
import type { LoadSession } from './load-session.ts';
import { OwnLag } from './own-lag.ts';
import { ResponseTimes } from './response-times.ts';
import { outcomeOf, type StepTally } from './step-outcome.ts';
import { beyondDeadlineMs, type LoadViolation } from './traffic.ts';

/** How one step of calls is measured. */
export interface CallsOptions {
  /** Concurrent calls. */
  load: number;
  /** Milliseconds until the first piece of an answer must come. */
  deadlineMs: number;
  random: () => number;
  ownLagMs: number;
  /** Mean milliseconds in which a caller listens and thinks before each sentence. */
  thinkMs: number;
  report: (violation: LoadViolation, load: number) => void;
}

/** The calls of a step begin over this part of the pause before a sentence, so that a set-up is not delayed by all others. */
const rampPart = 0.5;
/** Sentences of one caller. */
const sentences = 3;
/** Milliseconds of an answer that are heard before the caller interrupts it. */
const heardMs = 400;
/** Milliseconds of an answer that does not end. */
const longestAnswerMs = 60_000;

/** What a step collects from all of its calls. */
interface Collected {
  tally: StepTally;
  firstPieces: ResponseTimes;
  deadAir: ResponseTimes;
  stops: ResponseTimes;
  talkOver: { interrupts: number; pieces: number };
}

/**
 * Holds so many calls at once, each with sentences and pauses of its caller, and measures when the connection is up and
 * when each answer begins. How a call feels is measured too, and never judged.
 */
export async function measureCalls(session: LoadSession, options: CallsOptions): Promise<LoadStep> {
  const { load, report } = options;
  using lag = new OwnLag();
  const all: Collected = {
    tally: { sent: 0, late: 0, lateSetUps: 0, failed: 0, uncertain: 0 },
    firstPieces: new ResponseTimes(),
    deadAir: new ResponseTimes(),
    stops: new ResponseTimes(),
    talkOver: { interrupts: 0, pieces: 0 },
  };
  const startedAt = performance.now();
  const names = Array.from({ length: load }, () => `Mara Q${session.ids.integer().toString(36)}x`);
  let dialling = load;
  const allUp = Promise.withResolvers<void>();
  const hold = async (name: string, at: number) => {
    const intendedAt = startedAt + (at * rampPart * options.thinkMs) / load;
    await new Promise((wake) => setTimeout(wake, Math.max(0, intendedAt - performance.now())));
    const call = await dial(session, name, { intendedAt, all, report: (found) => report(found, load) });
    if (--dialling === 0) allUp.resolve();
    await allUp.promise;
    if (!call) return;
    const hasFailed = await talk(session, call, options, all);
    const { observation } = call;
    if (!hasFailed) countFailure(all.tally, () => toStayUp(observation));
    const finding = judgeForeignSpeech(
      call,
      names.filter((other) => other !== name),
    );
    for (const found of violations('own-ai-phone/keeps-calls-apart', finding)) report(found, load);
    await call.end();
  };
  await Promise.all(names.map(hold));
  const { cut, ...counts } = all.tally;
  const ownLagMs = Math.round(lag.p99Ms * 10) / 10;
  return {
    load,
    seconds: Math.round((performance.now() - startedAt) / 100) / 10,
    ...counts,
    times: all.firstPieces.summary,
    ownLagMs,
    outcome: cut ?? outcomeOf(all.tally, { timed: all.firstPieces.count, isLagging: ownLagMs > options.ownLagMs }),
    feel: { deadAir: all.deadAir.summary, stop: all.stops.summary, ...all.talkOver },
  };
}

interface Dialling {
  intendedAt: number;
  all: Collected;
  report: (violation: LoadViolation) => void;
}

/** Dials one call and begins it; `undefined` if it could not be established. */
async function dial(
  session: LoadSession,
  name: string,
  { intendedAt, all, report }: Dialling,
): Promise<Call | undefined> {
  const { tally } = all;
  const { url = '', secret = '' } = session.settings.config.phone ?? {};
  const { sample, inbox, lag, brand, routes } = session;
  if (!session.mayCall(url)) {
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
    tally.failed++;
    tally.failure ??= describeAnswer(observation.answer);
    const isRefused = observation.answer.outcome === 'answered' && observation.answer.status === 401;
    if (isRefused)
      for (const found of violations('own-ai-phone/accepts-valid-signature', toBeConnected(observation))) report(found);
    return undefined;
  }
  const lagMs = dialledAt - intendedAt + lag.whileDialling(dialledAt, upAt);
  const timeliness = timelinessOf({ ms: upAt - intendedAt, lagMs, limitMs: limits.phoneSetupMs });
  count(tally, timeliness);
  if (timeliness === 'late') tally.lateSetUps = (tally.lateSetUps ?? 0) + 1;
  const consequences = new CallConsequences(inbox.service.inbox);
  const answerMs = (session.settings.config.phone?.timeoutSeconds ?? limits.ownAiTimeoutSecondsDefault) * 1000;
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
 * The caller speaks, listens, and interrupts a long answer if the config has a sentence for one. Returns whether a
 * sentence was not answered.
 */
async function talk(session: LoadSession, call: Call, options: CallsOptions, all: Collected): Promise<boolean> {
  const { random, thinkMs, deadlineMs } = options;
  const { tally, firstPieces, deadAir } = all;
  let hasFailed = false;
  for (let sentence = 0; sentence < sentences && call.isUp; sentence++) {
    // Callers do not speak in step with each other.
    await call.pass(thinkMs * (0.5 + random()));
    if (!call.isUp) return hasFailed;
    const answer = await call.ask(session.sample.callerSentence);
    if (answer.firstPieceMs !== null) {
      firstPieces.record(answer.firstPieceMs);
      count(tally, timelinessOf({ ms: answer.firstPieceMs, lagMs: answer.lagMs, limitMs: deadlineMs }));
    }
    if (countFailure(tally, () => answerFinding(call.observation, answer))) hasFailed = true;
    const gapMs = longestGapMs(call, answer.toFrame);
    if (gapMs !== undefined) deadAir.record(gapMs);
  }
  const { long } = session.settings.config.stimuli.phone ?? {};
  if (long === undefined || !call.isUp) return hasFailed;
  const prompt = call.speak(long);
  if (!(await call.firstPiece(prompt))) return hasFailed;
  await call.pass(heardMs);
  if (!call.isUp || !call.isAnswering) return hasFailed;
  const at = call.interrupt();
  await call.settle(interruptGraceMs);
  const { frames } = call.observation;
  const pieces = frames.slice(at + 1).filter((frame) => speechIn(frame) !== '');
  all.talkOver.interrupts++;
  all.talkOver.pieces += pieces.length;
  all.stops.record((pieces.at(-1)?.atMs ?? frames[at]?.atMs ?? 0) - (frames[at]?.atMs ?? 0));
  return hasFailed;
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
