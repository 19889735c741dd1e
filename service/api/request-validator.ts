import type { OperationId } from '../../specs/api-operations.ts';
import type { ProblemCode } from '../../specs/api-problems.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { matchesSchema, validate, formatViolation, type SchemaViolation } from '../../specs/validators.ts';
import { Problem } from '../problem.ts';

/** Requirements for the body of an operation. */
export interface RequestSchema {
  name: SchemaName;
  operation: OperationId;
  /** The body may be omitted. */
  isOptional: boolean;
}

/** The purpose of some patterns of our schemas, by their beginning. */
const patternDescriptions: readonly (readonly [pattern: string, words: string])[] = [
  ['^[^@', 'an email address'],
  ['^([^@', 'an email address'],
  ['^(https://', 'an https address (http for loopback only)'],
];

/** Violations that one answer lists. */
const shownViolations = 5;

/** Fastify's validator for one operation, based on our schema; the answer gives place and reason in our words. */
export function requestValidator({ name, operation, isOptional }: RequestSchema) {
  return (body: unknown): { value: unknown } | { error: Problem } => {
    // Fastify passes null without a body; a client that sends null means the same.
    if (body === null ? isOptional : matchesSchema(name, body)) return { value: body ?? undefined };
    // The interface has a separate code for replies (Errors).
    const code: ProblemCode = operation === 'sendAgentReply' ? 'invalid_reply' : 'invalid_request';
    if (body === null) return { error: new Problem(code, 'expected a JSON object, received none') };
    const found = validate(name, body);
    const more = found.length > shownViolations ? [`and ${found.length - shownViolations} more`] : [];
    return {
      error: new Problem(code, [...found.slice(0, shownViolations).map(describeViolation), ...more].join('; ')),
    };
  };
}

function describeViolation(violation: SchemaViolation): string {
  const { rule } = violation;
  const words =
    rule.keyword === 'pattern' ? patternDescriptions.find(([start]) => rule.pattern.startsWith(start))?.[1] : undefined;
  return formatViolation(words === undefined ? violation : { ...violation, expected: words });
}
