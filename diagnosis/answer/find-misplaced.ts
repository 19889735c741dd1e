import { parseJsonText } from '../../harness/checks/json.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { AnswerFault } from './answer-fault.ts';

/**
 * Explains why an object has none of the fields that the service reads. `undefined` without an explanation: an empty
 * object is a valid answer. `elsewhere` finds the same fields under other names.
 */
export function findMisplaced(
  answer: Record<string, unknown>,
  fields: readonly string[],
  elsewhere: (answer: Record<string, unknown>) => AnswerFault | undefined,
): AnswerFault | undefined {
  const isRead = (value: unknown) => isJsonObject(value) && fields.some((field) => Object.hasOwn(value, field));
  if (isRead(answer)) return undefined;
  const { statusCode, body } = answer;
  if (statusCode !== undefined && body !== undefined && isRead(typeof body === 'string' ? parseJsonText(body) : body)) {
    return wrapped('the envelope of a gateway (statusCode and body)');
  }
  const around = Object.entries(answer).find(([, value]) => isRead(value));
  if (around) return wrapped(`the field ${shortJson(around[0])}`);
  const error = reportedError(answer);
  if (error !== undefined) {
    return {
      id: 'answer/error-in-success',
      summary: `The status is a success, but the body reports an error: ${error}.`,
    };
  }
  return elsewhere(answer);
}

function wrapped(by: string): AnswerFault {
  return {
    id: 'answer/wrapped',
    summary: `The answer is wrapped in ${by}, where the service does not read its fields.`,
  };
}

const errorNames = ['error', 'errors', 'errorMessage', 'exception', 'traceback', 'stackTrace'];

/** Whether the value of an error field is an error: not if it is empty, zero or a word for none. */
function isError(value: unknown): boolean {
  if (typeof value === 'string')
    return !/^\s*(?:|0|ok|none|null|nil|false|no(?: errors?)?|success)\s*$/i.test(value.slice(0, 40));
  if (isJsonContainer(value)) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

/** The field of an object that reports an error, without its message. */
function reportedError(answer: Record<string, unknown>): string | undefined {
  const { statusCode, status, success, ok } = answer;
  // Many answers always have an error field, and another one that reports success.
  if (ok === true || success === true) return undefined;
  const name = errorNames.find((one) => isError(answer[one]));
  if (name !== undefined) return `it has the field ${name}`;
  for (const [name, value] of Object.entries({ statusCode, status })) {
    if (typeof value === 'number' && value >= 400 && value < 600) return `${name} is ${value}`;
  }
  if (typeof status === 'string' && /^(?:error|fail(?:ed|ure)?)$/i.test(status))
    return `status is ${shortJson(status)}`;
  if (success === false) return 'success is false';
  return ok === false ? 'ok is false' : undefined;
}
