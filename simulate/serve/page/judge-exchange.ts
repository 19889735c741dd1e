import { outboundAnswer } from '../../../harness/wire/harness-outbound.ts';
import type { CallObservation, Observation } from '../../../harness/wire/observation.ts';
import { isConnected } from '../../../harness/wire/upgrade-answer.ts';
import { describeAnswer } from '../../../service/describe-answer.ts';
import { readChatAnswer } from '../../../service/read-chat-answer.ts';
import { readCrmResponse } from '../../../service/read-crm-answer.ts';
import { crmEventTypes } from '../../../specs/crm-event-types.ts';
import { isJsonObject } from '../../../specs/json-object.ts';
import type { LoggedExchange } from '../traffic-log.ts';

/** Whether an exchange succeeded. */
export interface ExchangeVerdict {
  isUsable: boolean;
  /** Why not, or what follows; contains outside text. */
  why?: string;
}

/** Judges an exchange as the service does: whether it can use the answer, or has accepted the request. */
export function judgeExchange({ exchange, eventType }: LoggedExchange): ExchangeVerdict {
  switch (exchange.kind) {
    case 'http':
      return judgeAnswer(exchange, eventType);
    case 'call':
      return judgeCall(exchange);
    case 'callback':
    case 'api':
      return { isUsable: exchange.response.status > 0 && exchange.response.status < 400 };
  }
}

function judgeAnswer({ answer: observed }: Observation, eventType: string | undefined): ExchangeVerdict {
  const answer = outboundAnswer(observed);
  if (eventType === 'message.received') {
    const read = readChatAnswer(answer);
    if (read.kind === 'failure') return { isUsable: false, why: read.reason };
    return { isUsable: true, ...(read.kind === 'later' && { why: 'a reply may follow' }) };
  }
  if (crmEventTypes.some((one) => one === eventType)) {
    const read = readCrmResponse(answer);
    if ('reason' in read) return { isUsable: false, why: read.reason };
    return { isUsable: true, ...(read.kind === 'later' && { why: 'a callback is awaited' }) };
  }
  if (answer.outcome !== 'answered') return { isUsable: false, why: describeAnswer(answer) };
  const { status } = answer;
  return status >= 200 && status < 300 ? { isUsable: true } : { isUsable: false, why: 'expected a 2xx' };
}

function judgeCall({ answer, end, frames, framesOmitted }: CallObservation): ExchangeVerdict {
  if (!isConnected(answer)) return { isUsable: false, why: describeAnswer(outboundAnswer(answer)) };
  if (!end) return { isUsable: true, why: 'in progress' };
  // The service leaves a call only if the AI closes it without an action (interface: Own-AI phone frames).
  const isOver = frames.some(
    ({ from, value }) => isJsonObject(value) && (from === 'ai' ? 'action' in value : isEnd(value)),
  );
  return end.by === 'ai' && !isOver && framesOmitted === 0
    ? { isUsable: false, why: 'the AI closed the connection in mid-call, without an action' }
    : { isUsable: true };
}

function isEnd({ type }: Readonly<Record<string, unknown>>): boolean {
  return type === 'session.ended';
}
