import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { measuredTime, timelinessOf } from '../../harness/wire/timeliness.ts';
import { isInTime, timed } from '../certain-time.ts';
import { toBeInTime } from '../matchers/answer-matchers.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { describeExchange } from '../matchers/describe-answer.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';

/** Name of the times in the report. */
export const answerTimes = 'own-ai-chat/answer';

/** Late situations that a run shows; further ones would only cost time. */
const mostLateSituations = 3;

/** Late messages of one kind that are sent again alone: any of them may have been late for our traffic. */
const mostRepeated = 4;

/** Situations of a run that are late for certain. */
const lateSituations = new WeakMap<CheckKit['session'], number>();

/** Sends one message whose time is judged, in its own conversation. */
export async function sayTimed(kit: CheckKit, label: string, over: Partial<ChatData> = {}): Promise<ChatObservation> {
  return await sendTimed(kit, label, kit.sample.messageReceived(over));
}

/** Sends the event of an earlier delivery again as a new one, with a new id and a new message. */
export async function repeatTimed(kit: CheckKit, label: string, { event }: ChatObservation): Promise<ChatObservation> {
  const { ids } = kit;
  const data = event.data as ChatData;
  const message = { ...data.message, id: ids.integer() };
  return await sendTimed(kit, label, { ...event, id: ids.event(), data: { ...data, message } });
}

/** A plain message with no other traffic, on a new connection; sent once in a run. */
export function plainAnswer(kit: CheckKit): Promise<ChatObservation> {
  return once(kit.session, 'chat plain answer', () =>
    withoutTraffic(kit, () => timed(kit, answerTimes, () => sayTimed(kit, 'a message, timed'))),
  );
}

/**
 * Judges the time of a message that varies one thing. In time among other traffic is in time. Otherwise the message is
 * sent again with no other traffic, so that neither our traffic nor a busy moment decides. `message` is the one that was
 * sent among other traffic; `before` is the one before it in its conversation, which is sent again first.
 */
export async function judgeTime(kit: CheckKit, message: ChatObservation, before?: ChatObservation): Promise<void> {
  const { notExercised, session } = kit;
  requireTime(kit, message);
  if (isInTime(message)) {
    expect(message).toBeInTime();
    return;
  }
  const plain = await plainAnswer(kit);
  if (!isInTime(plain)) return notExercised('A plain message is not answered in time either; another check judges it.');
  const again = await withoutTraffic(kit, async () => {
    const found = lateSituations.get(session) ?? 0;
    if (found >= mostLateSituations) return undefined;
    const measured = await timed(kit, answerTimes, async () => {
      if (before) await repeatTimed(kit, before.label, before);
      return await repeatTimed(kit, message.label, message);
    });
    const time = measuredTime(measured);
    if (time && timelinessOf(time) === 'late') lateSituations.set(session, found + 1);
    return measured;
  });
  if (!again) {
    return notExercised(
      `It was late while other messages were handled. Alone it was not timed, since ${mostLateSituations} other messages were late alone.`,
    );
  }
  requireTime(kit, again);
  const finding = toBeInTime(again);
  conclude(
    again,
    finding && {
      ...finding,
      received: `${finding.received} ${describeExchange(again)}`,
      hint: `A plain message was answered after ${Math.round(plain.times.totalMs ?? 0)} ms.`,
    },
  );
}

/**
 * Judges the times of messages of one kind: those that were late among other traffic, the latest first. `areOfOne`
 * conversation: each may be late because of the one before it.
 */
export async function judgeTimes(
  kit: CheckKit,
  messages: readonly ChatObservation[],
  { areOfOne = false } = {},
): Promise<void> {
  const accepted = messages.filter(isTimed);
  if (accepted.length === 0) return kit.notExercised('No such message was accepted; other checks judge that.');
  const late = accepted.filter((message) => !isInTime(message));
  for (const message of accepted) if (!late.includes(message)) expect(message).toBeInTime();
  late.sort((a, b) => msOf(b) - msOf(a));
  for (const message of late.slice(0, mostRepeated)) {
    await judgeTime(kit, message, areOfOne ? messages[messages.indexOf(message) - 1] : undefined);
  }
}

async function sendTimed(kit: CheckKit, label: string, event: Parameters<CheckKit['chat']['open']>[0]) {
  const { chat } = kit;
  return await chat.deliver(chat.open(event), {
    label,
    timed: true,
    limitMs: chat.timeoutMs,
    timeoutMs: chat.timedAnswerMs,
  });
}

function requireTime({ notExercised }: CheckKit, message: ChatObservation): void {
  if (!isTimed(message)) notExercised('The message was not accepted; another check judges that.');
}

/** Whether the time of a message says anything: it does not where it was refused or the connection was closed. */
function isTimed({ answer }: ChatObservation): boolean {
  return answer.outcome === 'answered' ? isSuccess(answer.status) : answer.outcome === 'no-answer';
}

function msOf(message: ChatObservation): number {
  return measuredTime(message)?.ms ?? 0;
}
