const sentence =
  /^(?:Mismatch with header '[^']*': )?Expected ([^]+?) (?:\([^()]*\) )?(to (?:be|match|equal|have|contain|include|not) [^]*)$/;
const missingRule = /missing the following keys?: ([^]+)$/;

/**
 * The received value and the rule it breaks, from Pact's sentence about a matcher. `undefined` for another sentence.
 */
export function pactSentence(mismatch: string): { received: string; rule: string } | undefined {
  const [, received, rule] = sentence.exec(mismatch) ?? [];
  return received === undefined || rule === undefined ? undefined : { received, rule };
}

/** Fields that an object lacks, from Pact's sentence about it; none for another sentence. */
export function missingKeys({
  mismatch = '',
  expected,
  actual,
}: {
  readonly mismatch?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}): string[] {
  const keys = missingRule.exec(mismatch)?.[1];
  if (keys === undefined) return [];
  // The keys of both sides are JSON lists; in the sentence a comma may also be part of a key.
  const [wanted, got] = [listed(expected), listed(actual)];
  return wanted && got ? wanted.filter((key) => !got.includes(key)) : keys.split(', ');
}

function listed(value: unknown): string[] | undefined {
  let list = value;
  try {
    if (typeof value === 'string') list = JSON.parse(value);
  } catch {
    return undefined;
  }
  return Array.isArray(list) ? list.filter((key): key is string => typeof key === 'string') : undefined;
}
