/** How a text is written down, and so how a sign in it can be written otherwise. `commands` are meant to be carried out. */
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

// The runner compares by culture, which passes over characters that show nothing.
const hashes = /#(?=\p{DI}*#\p{DI}*\[)/gu;
const colons = /^((?:[^\S\r\n]|\u0085|\p{DI})*):(?=\p{DI}*:)/gmu;

/**
 * The text as it can go to the log of a job. In a job of GitHub Actions nothing in it is then taken for a command: the
 * runner carries out a line that begins with two colons, and `##[` anywhere in one (actions/runner, ActionCommand), and
 * some of our lines are an endpoint's. Elsewhere the text stays as it is.
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
