import type { Finding } from '../harness/finding.ts';
import { isJsonObject, parseJson } from '../harness/json.ts';
import { shortJson } from '../specs/explain-violations.ts';

/** Whether bytes are a JSON object, by what they are: `the body of a callback`. */
export function jsonObjectFinding(body: Uint8Array, what: string, hint?: string): Finding | undefined {
  const parsed = parseJson(body);
  if (!('error' in parsed) && isJsonObject(parsed.value)) return undefined;
  return {
    expected: `a JSON object as ${what}`,
    received: 'error' in parsed ? parsed.error : shortJson(parsed.value),
    hint,
    part: { body: [] },
  };
}

/** The JSON object that bytes are, if they are one. */
export function jsonObjectOf(body: Uint8Array): Record<string, unknown> | undefined {
  const parsed = parseJson(body);
  return 'error' in parsed || !isJsonObject(parsed.value) ? undefined : parsed.value;
}
