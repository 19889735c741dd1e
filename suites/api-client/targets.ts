import { numberOfRequest } from '../../specs/deep-link.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** Fields for the target of a message, logged message or note (interface: API v1). */
const targetNames = {
  sendMessage: ['phone', 'email', 'contactId'],
  logMessage: ['projectId', 'contactId', 'phone', 'email'],
  addNote: ['projectId', 'contactId', 'phone', 'email'],
} as const;

type Targeted = keyof typeof targetNames;

/** Whether the requests of an operation name a target. */
export function hasTarget(operation: OperationId | undefined): operation is Targeted {
  return operation !== undefined && Object.hasOwn(targetNames, operation);
}

/** Targets of a body, each once; an empty string is not a target. Logs and notes may have theirs in `target`. */
export function targetsOf(operation: Targeted, body: Readonly<Record<string, unknown>>): string[] {
  const within = operation !== 'sendMessage' && isJsonObject(body.target) ? body.target : {};
  return targetNames[operation].filter((name) => isNamed(body[name]) || isNamed(within[name]));
}

/** The value of a field of the target, at the top of the body or in `target`. */
export function targetValue(body: Readonly<Record<string, unknown>>, name: string): unknown {
  return body[name] ?? (isJsonObject(body.target) ? body.target[name] : undefined);
}

/** The field names that lead to a field of the target that the body has. */
export function targetPath(body: Readonly<Record<string, unknown>>, name: string): string[] {
  return isNamed(body[name]) ? [name] : ['target', name];
}

/** Whether a field `target` may name one in a form that the interface does not show. */
export function isUndocumentedTarget(target: unknown): boolean {
  if (!isJsonObject(target)) return isNamed(target);
  const known: readonly string[] = targetNames.addNote;
  return Object.entries(target).some(([name, value]) => !known.includes(name) && isNamed(value));
}

function isNamed(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** A phone number in a form in which its notations are equal; a string that is not one stays unchanged. */
export function plainNumber(phone: string): string {
  return numberOfRequest(phone) ?? phone;
}
