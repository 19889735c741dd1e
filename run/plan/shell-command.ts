import { isEnvReference } from '../../specs/env-reference.ts';

const plain = /^[A-Za-z0-9_/:=.,@%+-]+$/;

/** Joins words into a command line for a POSIX shell, quoted where necessary. */
export function shellCommand(words: readonly string[]): string {
  return words.map((word) => (plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`)).join(' ');
}

/** Redacts the words of a command, except flags and variable names, which are never secrets. */
export function redactCommand(words: readonly string[], redact: (text: string) => string): string[] {
  return words.map((word) => (word.startsWith('-') || isEnvReference(word) ? word : redact(word)));
}
