const plain = /^[A-Za-z0-9_/:=.,@%+-]+$/;

/** Words as one line for a POSIX shell, quoted where the shell would read more into them. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
}

/** Words of a command to be shown: what a flag was given is redacted; flags and names of variables are never secrets. */
export function redactWords(words: readonly string[], redact: (text: string) => string): string[] {
  return words.map((word) => (/^-|^env:\w+$/.test(word) ? word : redact(word)));
}
