import type { Report } from '../../specs/generated/types.ts';
import { endpointFlags } from '../../specs/endpoint-flags.ts';
import { splitCommand } from '../plan/split-command.ts';

/** Flags of `check` and `pact verify` that select a target. */
export const namingFlags: readonly string[] = [
  '--config',
  '--target',
  '--image',
  '--allow-http',
  ...Object.values(endpointFlags).flatMap((flags) => [flags.urlFlag, flags.credentialFlag]),
];

/** The arguments of the first command of the report that repeats a check. */
export function commandOf({ checks }: Report): string[] {
  const command = checks.find(({ reproduce }) => reproduce !== undefined)?.reproduce ?? '';
  const words = splitCommand(command);
  return words.slice(words.indexOf('svc-conform') + 1);
}

/** These flags of a command with their values. */
export function flagsOf(words: readonly string[], flags: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const value = words[at + 1];
    return flags.includes(word) && value !== undefined ? [word, value] : [];
  });
}
