import { outboundAnswer } from '../../../harness/wire/harness-outbound.ts';
import type { CallObservation, Observation, WireExchange } from '../../../harness/wire/observation.ts';
import { isConnected } from '../../../harness/wire/upgrade-answer.ts';
import { describeAnswer } from '../../../service/describe-answer.ts';
import { readChatAnswer } from '../../../service/read-chat-answer.ts';
import { readCrmAnswer } from '../../../service/read-crm-answer.ts';
import { crmEventTypes } from '../../../specs/crm-event-types.ts';
import { isJsonObject } from '../../../specs/json-object.ts';

/** Whether an exchange succeeded. */
export interface ExchangeVerdict {
  isUsable: boolean;
  /** Why not, or what follows; contains outside text. */
  why?: string;
}

/** Judges an exchange as the service does: whether it can use the answer, or has accepted the request. */
export function judgeExchange(exchange: WireExchange): ExchangeVerdict {
  switch (exchange.kind) {
    case 'http':
      return judgeAnswer(exchange);
    case 'call':
      return judgeCall(exchange);
    case 'callback':
    case 'api':
      return { isUsable: exchange.response.status > 0 && exchange.response.status < 400 };
  }
}

function judgeAnswer({ label, answer: observed }: Observation): ExchangeVerdict {
  const answer = outboundAnswer(observed);
  // "IncomingCallLookup, once more": the label begins with the type of the event.
  const [type = ''] = label.split(',');
  if (type === 'message.received') {
    const read = readChatAnswer(answer);
    if (read.kind === 'failure') return { isUsable: false, why: read.reason };
    return { isUsable: true, ...(read.kind === 'later' && { why: 'a reply may follow' }) };
  }
  if (answer.outcome !== 'answered') return { isUsable: false, why: describeAnswer(answer) };
  const { status, body, truncated } = answer;
  if (!crmEventTypes.some((one) => one === type)) {
    return status >= 200 && status < 300 ? { isUsable: true } : { isUsable: false, why: 'expected a 2xx' };
  }
  if (status === 202) return { isUsable: true, why: 'a callback is awaited' };
  if (status === 204) return { isUsable: true };
  if (status !== 200) return { isUsable: false, why: 'expected 200, 202 or 204' };
  if (truncated) return { isUsable: false, why: 'the body is too large' };
  const read = readCrmAnswer('crmAnswer', body);
  return 'invalid' in read ? { isUsable: false, why: read.invalid } : { isUsable: true };
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
