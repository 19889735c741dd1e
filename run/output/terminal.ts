import type { WriteStream } from 'node:tty';
import { visibleControls } from '../../reports/text/visible-controls.ts';
import { runnerSafe, type Notation } from './runner-safe.ts';

/** An output stream. */
export type Stream = NodeJS.WriteStream | WriteStream;

/** Whether a stream gets colour codes: NO_COLOR disables, FORCE_COLOR enables them; otherwise terminals get them. */
export function wantsColour(stream: Stream, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal(stream, environment);
}

/** Whether a stream is a terminal on which a line can be updated. */
export function isTerminal(stream: Stream, environment: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY && environment['TERM'] !== 'dumb';
}

/** Characters of a line where neither a terminal nor COLUMNS gives the width. */
const usualWidth = 100;

/** The width of a terminal; elsewhere that of the environment variable COLUMNS, as a CI system may set it. */
export function outputWidth(stream: Stream, environment: NodeJS.ProcessEnv = process.env): number {
  return stream.columns || Number.parseInt(environment['COLUMNS'] ?? '', 10) || usualWidth;
}

/**
 * Writes a string and waits until it is flushed, so that a pipe receives all of it before the process ends. In a job of
 * GitHub Actions commands in it are escaped.
 */
export function write(
  stream: Stream,
  text: string,
  { notation, environment }: { notation?: Notation; environment?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  return new Promise((resolve) => {
    stream.write(runnerSafe(text, notation, environment), () => {
      resolve();
    });
  });
}

/** Writes a line for a person to standard error. */
export function writeNote(line: string): void {
  process.stderr.write(`${runnerSafe(visibleControls(line))}\n`);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
