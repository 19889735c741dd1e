import { limits } from '../specs/limits.ts';
import type { ChatAnswer } from '../specs/generated/types.ts';
import { validate, formatViolation } from '../specs/validators.ts';
import { describeAnswer } from './describe-answer.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { readJson } from './json-body.ts';
import type { OutboundAnswer } from './outbound.ts';

/** How the service reads an answer to `message.received`. */
export type ChatAnswerReading =
  /** A 200 with a body, to be carried out. */
  | { kind: 'answer'; answer: ChatAnswer }
  /** A reply may follow by agent-replies. `ignored`: why the received answer is not carried out, if there is one. */
  | { kind: 'later'; ignored?: string }
  | { kind: 'failure'; reason: string };

/** Reads an answer to a chat event (interface: Own-AI chat event, Receiver answers). */
export function readChatAnswer(received: OutboundAnswer): ChatAnswerReading {
  if (received.outcome !== 'answered') return failure(describeAnswer(received));
  const { status, body, bodyBytes, truncated } = received;
  if (status < 200 || status > 299) return failure(`status ${status} instead of a 2xx`);
  if (truncated || bodyBytes > limits.ownAiAnswerBytes) {
    return failure(`a body of more than ${limits.ownAiAnswerBytes} bytes`);
  }
  // The interface does not call an unlisted 2xx a failure; its body is not read (assumption chat-other-2xx).
  if (status !== 200) {
    const ignored = status !== 202 && status !== 204 ? `status ${status} is not one of 200, 202 and 204` : undefined;
    const lost = body.length > 0 ? `the body of a ${status} is not read` : undefined;
    const why = ignored ?? lost;
    return { kind: 'later', ...(why !== undefined && { ignored: why }) };
  }
  return body.length === 0 ? { kind: 'later' } : readBody(body);
}

function readBody(body: Uint8Array): ChatAnswerReading {
  const json = readJson(body);
  if ('error' in json) return failure(`${json.error} as the body of a 200 answer`);
  const value = isJsonObject(json.value) ? withUsableFields(json.value) : json.value;
  // A sixth skill is refused when it would run; the rest of the answer stays valid.
  const named = isJsonObject(value) ? value.executeSkills : undefined;
  const judged = Array.isArray(named)
    ? { ...(value as object), executeSkills: named.slice(0, limits.executeSkillsPerAnswer) }
    : value;
  const [wrong] = validate('chatAnswer', judged);
  if (wrong) return failure(`an invalid answer: ${formatViolation(wrong)}`);
  return { kind: 'answer', answer: value as ChatAnswer };
}

/**
 * The answer without a note, announcement or skills of another type: the interface does not list these as failures
 * (assumption chat-answer-wrong-types).
 */
function withUsableFields(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isUsable = ([name, value]: [string, unknown]) => {
    if (name === 'note' || name === 'announcement') return value === null || typeof value === 'string';
    if (name !== 'executeSkills') return true;
    return value === null || (Array.isArray(value) && value.every(isSkillName));
  };
  return Object.fromEntries(Object.entries(answer).filter(isUsable));
}

function isSkillName(value: unknown): boolean {
  return typeof value === 'string' || Number.isInteger(value);
}

function failure(reason: string): ChatAnswerReading {
  return { kind: 'failure', reason };
}
