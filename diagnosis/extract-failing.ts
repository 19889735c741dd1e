import { isJsonObject } from '../specs/json-object.ts';
import type { CheckResult, Exchange } from '../specs/generated/types.ts';
import type { Failing } from './outcome.ts';

/** Extracts from a failed check what a probe needs. */
export function extractFailing(check: CheckResult, exchanges: readonly Exchange[]): Failing {
  const { requirement, message, evidence, counterexample } = check;
  const deciding = exchanges.find(({ id }) => id === evidence.at(-1));
  const event = counterexample ? readWhole(counterexample.event) : deciding && eventOf(deciding);
  return {
    requirement,
    ...(event !== undefined && { event }),
    ...(deciding && { label: deciding.label }),
    ...(message !== undefined && { message }),
  };
}

/** The event of an exchange, if it is recorded completely and unredacted. */
function eventOf({ kind, request: { body, bodyBytes } }: Exchange): unknown {
  if (kind !== 'http' || bodyBytes !== Buffer.byteLength(body)) return undefined;
  return readWhole(body);
}

/** Parses JSON that is neither truncated nor redacted. */
function readWhole(text: string): unknown {
  if (text.includes('[redacted')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
