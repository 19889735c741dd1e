import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import { limits } from '../../specs/limits.ts';
import { measuredTime, ownDelayFault, timelinessOf } from '../../harness/wire/timeliness.ts';
import { documentedFrame } from '../documented-frame.ts';
import { undocumentedFieldsFinding } from '../undocumented-fields.ts';
import { outcomePart, requireOutcome } from './answer-matchers.ts';
import { describeAnswer } from './describe-answer.ts';

/** Characters of a sentence or an answer that a message quotes. */
const quotedCharacters = 80;

/** The upgrade was answered with 101. */
export function toBeConnected({ answer }: CallObservation): Finding | undefined {
  if (isConnected(answer)) return undefined;
  return {
    expected: 'the call to be accepted (status 101)',
    received: describeAnswer(answer),
    part: outcomePart(answer),
  };
}

/**
 * The connection was established within the limit of this call, on our clock from dialling. Throws {@link HarnessFault}
 * `own-delay` when our own delay decides.
 */
export function toBeConnectedInTime(call: CallObservation): Finding | undefined {
  const { answer, times, limitMs } = call;
  if (limitMs === undefined) throw new TypeError('This call has no limit.');
  if (answer.outcome === 'answered' && !isConnected(answer)) {
    throw new HarnessFault('control-failed:refused', { received: describeAnswer(answer) });
  }
  const expected = `a connection within ${limitMs} ms`;
  const measured = measuredTime(call);
  const timeliness = measured && timelinessOf(measured);
  if (measured && timeliness === 'uncertain') throw ownDelayFault(measured);
  if (times.totalMs === null) return { expected, received: describeAnswer(answer), part: outcomePart(answer) };
  if (timeliness === 'in-time') return undefined;
  return { expected, received: `a connection after ${Math.round(times.totalMs)} ms`, part: { time: true } };
}

/**
 * Rejected: refused at the upgrade, or accepted and closed before any speech. Which refusal it should be is a separate
 * requirement. Throws {@link NotExercised} when the connection was closed without an answer.
 */
export function toBeRejected({ answer, frames, end }: CallObservation, what: string): Finding | undefined {
  requireOutcome(answer, what);
  if (!isConnected(answer)) return undefined;
  const expected = `${what} to be refused`;
  const spoken = frames.findIndex((frame) => frame.from === 'ai' && interpretFrame(frame).kind !== 'ignored');
  if (spoken >= 0) return { expected, received: 'a connection on which the AI continues the call', frame: spoken };
  if (end?.by === 'ai') return undefined;
  const received = `a connection that stayed open for ${limits.phoneSetupMs} ms`;
  return { expected, received, part: outcomePart(answer) };
}

/** Refused at the upgrade with a 4xx. */
export function toBeRefusedWith4xx({ answer, end }: CallObservation, what: string): Finding | undefined {
  if (answer.outcome === 'answered' && answer.status >= 400 && answer.status < 500) return undefined;
  const taken = isConnected(answer);
  return {
    expected: `a 4xx status to the upgrade of ${what}`,
    received: taken ? `a connection that was closed at once (${end?.code ?? 'no code'})` : describeAnswer(answer),
    hint: taken
      ? 'Check the signature before the upgrade is answered, not in the handler of the connection.'
      : undefined,
    part: outcomePart(answer),
  };
}

/**
 * The AI has not broken off the call, neither by closing without an action nor by violating the protocol. Throws {@link
 * HarnessFault} `not-read` when we ended it because of a flood.
 */
export function toStayUp(call: CallObservation): Finding | undefined {
  const { frames, framesOmitted, end } = call;
  requireNoFlood(call);
  if (end?.by !== 'ai' || framesOmitted > 0) return undefined;
  const over = frames.some((frame) =>
    frame.from === 'service' ? isEnding(frame.value) : endsByItself(interpretFrame(frame).kind),
  );
  if (over) return undefined;
  const how = end.detail === undefined ? '' : `: ${end.detail}`;
  return {
    expected: 'the call to stay up until an action of the AI or session.ended',
    received: `a connection closed by the AI after ${Math.round(end.atMs)} ms with code ${end.code}${how}, after ${lastFrames(frames)}`,
    frame: frames.length - 1,
    hint: 'Check the log of your endpoint at this time: usually an exception in the handler of a frame closes the connection.',
  };
}

/** The latest sentence, or another awaited frame, was answered: by speech, an action or a skill. */
export function toBeAnswered(call: CallObservation): Finding | undefined {
  const answer = call.answers.at(-1);
  if (!answer) throw nothingAskedFault();
  return answerFinding(call, answer);
}

/** At least one of the answers so far had speech in it, an action or a skill. */
export function toHaveSpoken(call: CallObservation): Finding | undefined {
  if (!call.answers.every(isWordless)) return undefined;
  const answer = call.answers.at(-1);
  return {
    expected: 'speech, an action or a skill in answer to a plain sentence',
    received: `${call.answers.length} answers closed without a word`,
    ...(answer?.byFrame !== undefined && { frame: answer.byFrame }),
    hint: 'The caller hears the field text, or token; any other field is not spoken.',
  };
}

/** The nth sentence of the call was answered. */
export function toHaveAnswered(call: CallObservation, nth: number): Finding | undefined {
  const answer = call.answers[nth - 1];
  const latest = call.answers.at(-1);
  if (answer) return answerFinding(call, answer);
  return (
    (latest && answerFinding(call, latest)) ??
    toStayUp(call) ?? {
      expected: `an answer to sentence ${nth} of the call`,
      received: `${call.answers.length} answers`,
    }
  );
}

/** Speech of every answer was closed by a piece with `last: true`. */
export function toHaveClosedItsAnswers(call: CallObservation): Finding | undefined {
  for (const answer of call.answers) {
    const finding = closingFinding(call, answer);
    if (finding) return finding;
  }
  return undefined;
}

/** Speech of the latest answer was closed by a piece with `last: true`. */
export function toBeClosed(call: CallObservation): Finding | undefined {
  const answer = call.answers.at(-1);
  if (!answer) throw nothingAskedFault();
  return closingFinding(call, answer);
}

/** Whether an answer is only an empty closing piece, so that the caller hears nothing. */
export function isWordless({ outcome, pieces }: CallAnswer): boolean {
  return outcome === 'closed' && pieces === 0;
}

/** The finding about one answer as an answer: nothing came, nothing was heard, or the call ended. */
export function answerFinding(call: CallObservation, answer: CallAnswer): Finding | undefined {
  const expected = `speech, an action or a skill in answer to ${labelSentence(call, answer)}`;
  if (isWordless(answer)) {
    if (!answer.isUnheard) return undefined;
    return {
      expected,
      received: 'only an empty closing piece, twice in a row',
      frame: answer.byFrame ?? answer.toFrame,
      hint: 'An empty piece is not spoken: send the words before it.',
    };
  }
  if (answer.outcome !== 'nothing' && answer.outcome !== 'call-ended') return undefined;
  if (answer.outcome === 'call-ended') requireEndedByConnection(call);
  if (answer.outcome === 'nothing') {
    const unread = call.frames.find((frame, at) => at > answer.toFrame && frame.unread !== undefined);
    if (unread?.unread !== undefined) throw new HarnessFault('not-read:frame', { unread: unread.unread });
    const ignored = ignoredFrame(call, answer);
    return {
      expected,
      received: `nothing within ${Math.round(answer.waitedMs)} ms`,
      frame: ignored ?? answer.toFrame,
      ...(ignored !== undefined && { hint: describeIgnored(call.frames[ignored]) }),
    };
  }
  const { end } = call;
  const how = end === undefined ? 'ended' : `was ended by ${end.by === 'ai' ? 'the AI' : 'us'} with code ${end.code}`;
  const detail = end?.detail === undefined ? '' : ` (${end.detail})`;
  return { expected, received: `a connection that ${how}${detail}`, frame: call.frames.length - 1 };
}

/**
 * Checks that the connection itself ended the call. Throws {@link NotExercised} when an action or a forward of the AI
 * had ended it, and {@link HarnessFault} `control-failed` when we had to.
 */
function requireEndedByConnection(call: CallObservation): void {
  const { frames } = call;
  const meanings = frames.map((frame) => (frame.from === 'ai' ? interpretFrame(frame).kind : undefined));
  if (meanings.includes('too-large')) {
    throw new HarnessFault('control-failed:large-frame', { bytes: limits.phoneFrameBytes });
  }
  requireNoFlood(call);
  if (meanings.includes('action')) throw new NotExercised('An action of the AI had already ended the call.');
  if (meanings.includes('skill') && frames.some(({ from, value }) => from === 'service' && isEnding(value))) {
    throw new NotExercised('A skill that the AI requested had already put the caller through.');
  }
}

/** Throws {@link HarnessFault} `not-read` when we ended the call because the AI sent more than we read. */
function requireNoFlood({ end }: CallObservation): void {
  if (!end?.isCutOff) return;
  throw new HarnessFault('not-read:too-much', { sent: end.detail ?? 'too much' });
}

/** The finding about the end of one answer: speech that no piece closed. */
export function closingFinding(call: CallObservation, answer: CallAnswer): Finding | undefined {
  if (answer.outcome !== 'not-closed') return undefined;
  requireNoFlood(call);
  if (answer.shortened) {
    throw new HarnessFault('control-failed:left-open');
  }
  const frame = call.frames.findLastIndex(({ from }, at) => from === 'ai' && at > answer.toFrame);
  return {
    expected: `a piece with last: true to close the answer to ${labelSentence(call, answer)}`,
    received: `${answer.pieces === 1 ? '1 piece' : `${answer.pieces} pieces`} (${quoted(answer.text)}), none with last: true, then nothing more`,
    frame,
    hint: 'last is a boolean; an empty text with last: true closes an answer too.',
  };
}

function nothingAskedFault(): HarnessFault {
  return new HarnessFault('control-failed:ended-unasked');
}

/** The sentence that an answer belongs to, for a message. */
export function labelSentence(call: CallObservation, { toFrame }: CallAnswer): string {
  const value = call.frames[toFrame]?.value;
  if (isJsonObject(value) && typeof value.text === 'string') return quoted(value.text);
  return isJsonObject(value) && typeof value.type === 'string' ? value.type : 'the frame before';
}

export function quoted(text: string): string {
  const shown = text.length > quotedCharacters ? `${text.slice(0, quotedCharacters)}…` : text;
  return `“${shown}”`;
}

/** The first frame after a sentence that the service ignores. */
function ignoredFrame({ frames }: CallObservation, { toFrame }: CallAnswer): number | undefined {
  const at = frames.findIndex(
    (frame, index) => index > toFrame && frame.from === 'ai' && interpretFrame(frame).kind === 'ignored',
  );
  return at < 0 ? undefined : at;
}

function describeIgnored(frame: CallObservation['frames'][number] | undefined): string {
  const nearest = undocumentedFieldsFinding(frame?.value, documentedFrame)?.hint;
  return `The service ignores the frame that arrived: ${truncate(frame?.text)}. ${nearest ?? 'A frame is one JSON object whose type is text, action or skill.'}`;
}

function truncate(text = ''): string {
  return text.length > quotedCharacters ? `${text.slice(0, quotedCharacters)}…` : text;
}

function lastFrames(frames: CallObservation['frames']): string {
  const last = frames.findLast(({ from }) => from === 'service');
  return last === undefined ? 'no frame' : last.text.slice(0, 2 * quotedCharacters);
}

function isEnding(value: unknown): boolean {
  return isJsonObject(value) && value.type === 'session.ended';
}

/** After an action the AI may close; after an oversized frame the service closes. Either may be first. */
function endsByItself(kind: ReturnType<typeof interpretFrame>['kind']): boolean {
  return kind === 'action' || kind === 'too-large';
}
