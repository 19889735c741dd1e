const plain = /^[A-Za-z0-9_/:=.,@%+-]+$/;

/** Words as one line for a POSIX shell, quoted where the shell would read more into them. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
}
