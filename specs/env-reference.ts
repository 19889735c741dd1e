const prefix = 'env:';

/** Whether a string is `env:NAME`, the reference to an environment variable. */
export function isEnvReference(text: string): boolean {
  return /^env:[A-Za-z_][A-Za-z0-9_]*$/.test(text);
}

/** The name after `env:`, whatever its characters; `undefined` for a string that does not begin so. */
export function envVariable(text: string): string | undefined {
  return text.startsWith(prefix) ? text.slice(prefix.length) : undefined;
}

/** The value of a reference; or, where there is none, the end of a sentence that says what is missing. */
export function readEnvReference(
  reference: string,
  environment: Readonly<Record<string, string | undefined>>,
): { value: string } | { missing: string } {
  const name = envVariable(reference) ?? '';
  const value = environment[name];
  if (value) return { value };
  return {
    missing: `${reference}, but the environment variable ${name} is ${value === '' ? 'empty' : 'not set'}`,
  };
}
