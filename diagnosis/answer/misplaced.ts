import { isJsonObject, parseJsonText } from '../../harness/checks/json.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import type { AnswerFault } from './answer-fault.ts';

/**
 * Of an object without any field that the service reads: why, where its fields show it. An object that says nothing
 * is a right answer, so `undefined` stands for that too. `elsewhere` knows other names of the same fields.
 */
export function misplaced(
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
  const told = errorNamed(answer);
  if (told !== undefined) {
    return { id: 'answer/error-in-success', text: `The status says success, but the body tells of an error: ${told}.` };
  }
  return elsewhere(answer);
}

function wrapped(by: string): AnswerFault {
  return { id: 'answer/wrapped', text: `The answer is wrapped into ${by}, where its fields are not read.` };
}

const errorNames = ['error', 'errors', 'errorMessage', 'exception', 'traceback', 'stackTrace'];

/** Whether a field for errors has one: not when it is empty, or a number or word for none. */
function tellsOfError(value: unknown): boolean {
  if (typeof value === 'string')
    return !/^\s*(?:|0|ok|none|null|nil|false|no(?: errors?)?|success)\s*$/i.test(value.slice(0, 40));
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}

/** What in an object tells of an error; nothing of its words is quoted. */
function errorNamed(answer: Record<string, unknown>): string | undefined {
  const { statusCode, status, success, ok } = answer;
  // Many name a place for errors in every answer, and say beside it that there are none.
  if (ok === true || success === true) return undefined;
  const name = errorNames.find((one) => tellsOfError(answer[one]));
  if (name !== undefined) return `it has the field ${name}`;
  for (const [name, value] of Object.entries({ statusCode, status })) {
    if (typeof value === 'number' && value >= 400 && value < 600) return `${name} is ${value}`;
  }
  if (typeof status === 'string' && /^(?:error|fail(?:ed|ure)?)$/i.test(status))
    return `status is ${shortJson(status)}`;
  if (success === false) return 'success is false';
  return ok === false ? 'ok is false' : undefined;
}
