import type { OperationId } from '../../specs/api-operations.ts';
import type { ProblemCode } from '../../specs/api-problems.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { matchesSchema, validate, formatViolation, type Violation } from '../../specs/validators.ts';
import { Problem } from '../problem.ts';

/** What the body of an operation has to be. */
export interface RequestSchema {
  name: SchemaName;
  operation: OperationId;
  /** The body may be omitted. */
  isOptional: boolean;
}

/** What some patterns are for, in words. */
const patternWords: readonly (readonly [pattern: string, words: string])[] = [
  ['a text that matches ^[^@', 'an email address'],
  ['a text that matches ^([^@', 'an email address'],
  ['a text that matches ^(https://', 'an https address (http for loopback only)'],
];

/** Violations that one answer tells of. */
const shownViolations = 5;

/** Fastify's validator for one operation: our schema decides, and the answer says where and why in our words. */
export function requestValidator({ name, operation, isOptional }: RequestSchema) {
  return (body: unknown): { value: unknown } | { error: Problem } => {
    // Fastify hands over null where there is no body; whoever sends null says no more than that.
    if (body === null ? isOptional : matchesSchema(name, body)) return { value: body ?? undefined };
    // The interface names a code of its own for replies (Errors).
    const code: ProblemCode = operation === 'sendAgentReply' ? 'invalid_reply' : 'invalid_request';
    if (body === null) return { error: new Problem(code, 'expected a JSON object, received none') };
    const found = validate(name, body);
    const more = found.length > shownViolations ? [`and ${found.length - shownViolations} more`] : [];
    return { error: new Problem(code, [...found.slice(0, shownViolations).map(describeViolation), ...more].join('; ')) };
  };
}

function describeViolation(violation: Violation): string {
  const words = patternWords.find(([pattern]) => violation.expected.startsWith(pattern))?.[1];
  return formatViolation(words === undefined ? violation : { ...violation, expected: words });
}
