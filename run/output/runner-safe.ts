/** The notation of a string, which decides how a character is escaped. `commands` are meant for the runner and not escaped. */
export type Notation = 'plain' | 'json' | 'markup' | 'commands';

interface Spelling {
  readonly hash: string;
  readonly colon: string;
}

const spellings: Readonly<Record<Exclude<Notation, 'commands'>, Spelling>> = {
  plain: { hash: '⟨U+0023⟩', colon: '⟨U+003A⟩' },
  // A line of JSON never begins with a colon: a string begins with its quote.
  json: { hash: '\\u0023', colon: ':' },
  markup: { hash: '&#35;', colon: '&#58;' },
};

// The runner's comparison depends on culture and ignores invisible characters.
const hashes = /#(?=\p{DI}*#\p{DI}*\[)/gu;
const colons = /^((?:[^\S\r\n]|\u0085|\p{DI})*):(?=\p{DI}*:)/gmu;

/**
 * Escapes output for the log of a GitHub Actions job, so that the runner finds no command in it: it executes lines that
 * begin with two colons, and `##[` anywhere in a line (actions/runner, ActionCommand), and some of our lines come from an
 * endpoint. Outside such a job the output is unchanged.
 */
export function runnerSafe(
  text: string,
  notation: Notation = 'plain',
  environment: NodeJS.ProcessEnv = process.env,
): string {
  if (environment['GITHUB_ACTIONS'] !== 'true' || notation === 'commands') return text;
  const { hash, colon } = spellings[notation];
  return text.replace(hashes, hash).replace(colons, `$1${colon}`);
}
