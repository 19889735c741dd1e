import { isJsonObject } from '../harness/checks/json.ts';
import type { CheckResult, Exchange } from '../specs/generated/types.ts';
import type { Failing } from './outcome.ts';

/** What a failed check knows, for a probe that goes straight to it. */
export function failingFrom(check: CheckResult, exchanges: readonly Exchange[]): Failing {
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

/** The event that an exchange carried, where all of it is on record as it was sent. */
function eventOf({ kind, request: { body, bodyBytes } }: Exchange): unknown {
  if (kind !== 'http' || bodyBytes !== Buffer.byteLength(body)) return undefined;
  return readWhole(body);
}

/** JSON that was not cut, and in which nothing stands for a secret. */
function readWhole(text: string): unknown {
  if (text.includes('[redacted')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) || Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
