import type { Connection } from '../../diagnosis/connection.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { Call } from '../../harness/wire/call.ts';
import { parseJsonText } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { CallFrame } from '../../harness/wire/observation.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { CallFrameRecord, CallRecord, Exchange, Report } from '../../specs/generated/types.ts';
import { NotSendable, type ComparedValue } from './replay-result.ts';
import { freshSignature, type FreshlySigned } from './fresh-signature.ts';

/** Maximum milliseconds of a recorded pause without any frame. */
const longestPauseMs = 2_000;

/**
 * Repeats a recorded call: the same frames with a new call id, freshly signed. Each sentence waits for its answer like the
 * service does, so the dialogue does not depend on the recorded speed of the AI. A call that was refused is only dialled.
 */
export async function replayCall(
  exchange: Exchange,
  record: CallRecord,
  connection: Connection,
  report: Report,
): Promise<ComparedValue[]> {
  const steps = stepsOf(record);
  const callId = connection.session.ids.text();
  const [first, ...others] = steps;
  const { delivery, isRight } = upgradeOf(exchange, record, callId, connection, report);
  const wasAccepted = exchange.response?.status === 101;
  if (!wasAccepted || !isRight || !first) {
    const { answer } = await connection.dial(delivery, exchange.label);
    const was = exchange.response ? `status ${exchange.response.status}` : exchange.outcome;
    return [{ what: 'upgrade', was, now: answer.outcome === 'answered' ? `status ${answer.status}` : answer.outcome }];
  }
  const started = parseJsonText(first.text);
  if (!isJsonObject(started) || started.type !== 'session.started') {
    throw new NotSendable('the call did not begin with session.started: replay the check');
  }
  return await connection.hold({ label: exchange.label, startedAs: { ...started, callId } }, async (call) => {
    const reactions: string[] = [];
    for (const step of others) reactions.push(await play(call, step));
    return [
      { what: 'upgrade', was: 'accepted', now: isConnected(call.observation.answer) ? 'accepted' : 'refused' },
      ...others.map((step, at) => ({ what: step.name, was: step.reaction, now: reactions[at] ?? 'not sent' })),
      { what: 'who ended the call', was: describeEnd(record.end?.by), now: describeEnd(call.observation.end?.by) },
    ];
  });
}

/** One of our frames, and the reaction of the AI before the next one. */
interface ReplayedStep {
  text: string;
  /** `prompt 1`, `interrupt 3`: its type and place. */
  name: string;
  reaction: string;
  /** The answer was complete, or there was none; otherwise the caller continued, and the rest of the answer is unknown. */
  isWhole: boolean;
  /** Milliseconds until our next frame, or the end. */
  pauseMs: number;
}

/** Frames that the service sends as a reaction. They are not steps: they are sent again anyway. */
const ownReactions = ['skill.result', 'session.ended'];

function stepsOf({ frames, framesOmitted }: CallRecord): ReplayedStep[] {
  const sent = frames.filter((frame) => frame.from === 'service');
  const cut = sent.some(({ text, bytes, binary }) => binary === true || Buffer.byteLength(text) !== bytes);
  if (framesOmitted > 0 || cut) throw new NotSendable('the record of the call is incomplete: replay the check');
  if (sent.some(({ text }) => text.includes('[redacted'))) {
    throw new NotSendable('a secret in the call was redacted: replay the check');
  }
  const steps = sent.filter(({ text }) => !ownReactions.includes(typeOf(text)));
  return steps.map((step, at) => {
    const next = steps[at + 1];
    const until = next?.n ?? Infinity;
    const between = frames.filter(({ n, from }) => from === 'ai' && n > step.n && n < until);
    const last = next?.atMs ?? frames.at(-1)?.atMs ?? step.atMs;
    const name = `${typeOf(step.text)} (frame ${step.n})`;
    const reaction = reactionOf(between.map(asFrame));
    return { text: step.text, name, reaction, isWhole: reaction !== begun, pauseMs: last - step.atMs };
  });
}

function typeOf(text: string): string {
  const value = parseJsonText(text);
  return isJsonObject(value) && typeof value.type === 'string' ? value.type : 'a frame without a type';
}

function asFrame({ from, atMs, text, bytes, binary }: CallFrameRecord): CallFrame {
  return { from, atMs, text, bytes, ...(binary && { binary }), value: parseJsonText(text) };
}

async function play(call: Call, { text, reaction, isWhole, pauseMs }: ReplayedStep): Promise<string> {
  if (!call.isUp) return 'the call was over';
  const value = parseJsonText(text);
  const isPrompt = isJsonObject(value) && value.type === 'prompt' && typeof value.text === 'string';
  const sent = isPrompt ? call.speak(value.text as string) : call.send(text);
  if (reaction === 'nothing') await call.pass(Math.min(pauseMs, longestPauseMs));
  else if (isPrompt && isWhole) await call.answer(sent);
  else await call.firstPiece(sent);
  return reactionOf(
    call.observation.frames.slice(sent + 1).filter(({ from }) => from === 'ai'),
    isWhole,
  );
}

const begun = 'an answer that began';

/** Describes the reaction of an AI as the service understands it, without its words. An interrupted answer only began. */
function reactionOf(frames: readonly CallFrame[], isWhole = true): string {
  const meanings = frames.map(interpretFrame);
  const spoke = meanings.filter((one) => one.kind === 'speech');
  const parts = [
    ...(spoke.length > 0 ? [isWhole && spoke.some(({ last }) => last) ? 'an answer' : begun] : []),
    ...(meanings.some(({ kind }) => kind === 'skill') ? ['a skill'] : []),
    ...meanings.flatMap((one) => (one.kind === 'action' ? [`action ${one.action}`] : [])),
    ...(meanings.some(({ kind }) => kind === 'too-large') ? ['a frame over 64 KB'] : []),
    ...(meanings.some(({ kind }) => kind === 'ignored') ? ['a frame of an unknown kind'] : []),
  ];
  return parts.length === 0 ? 'nothing' : [...new Set(parts)].join(' and ');
}

function describeEnd(by: 'service' | 'ai' | undefined): string {
  // The service ends a call that was still open at the last observation.
  return by === 'ai' ? 'the AI' : 'the service';
}

function upgradeOf(
  exchange: Exchange,
  record: CallRecord,
  callId: string,
  connection: Connection,
  report: Report,
): FreshlySigned {
  const headers = exchange.request.headers.flatMap(([name = '', value = '']): [string, string][] => {
    if (name.toLowerCase() === 'x-svc-signature') return [];
    return [[name, value === record.callId ? callId : value]];
  });
  const signedFor = exchange.request.headers.find(([name]) => name?.toLowerCase() === 'x-svc-call-id')?.[1];
  return freshSignature(
    exchange,
    SignedDelivery.upgrade(callId, headers, connection.credential),
    report,
    connection,
    signedFor ?? record.callId,
  );
}
