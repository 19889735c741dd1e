const prefix = 'env:';

/** Whether a string is `env:NAME`, the reference to an environment variable. */
export function isEnvReference(text: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** The name after `env:`, whatever its characters; `undefined` for a string that does not begin so. */
export function envVariable(text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/** The value of a reference; or, without one, whether the variable is empty rather than not set. */
export function readEnvReference(
  reference: string,
  environment: Readonly<Record<string, string | undefined>>,
): { value: string } | { isEmpty: boolean } {
  const value = environment[envVariable(reference) ?? ''];
  return value ? { value } : { isEmpty: value === '' };
}
