import type { WriteStream } from 'node:tty';
import { runnerSafe, type Notation } from './runner-safe.ts';

/** Where text goes and what is known about the place. */
export type Stream = NodeJS.WriteStream | WriteStream;

/** Whether a stream gets colour codes: NO_COLOR forbids, FORCE_COLOR demands, else a terminal that can show them. */
export function wantsColour(stream: Stream, environment: NodeJS.ProcessEnv = process.env): boolean {
  if (isSet(environment['NO_COLOR'])) return false;
  const forced = environment['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal(stream, environment);
}

/** Whether a stream is a terminal on which a line can be written again. */
export function isTerminal(stream: Stream, environment: NodeJS.ProcessEnv = process.env): boolean {
  return stream.isTTY && environment['TERM'] !== 'dumb';
}

/**
 * Writes text and waits until it is handed over, so that a pipe gets all of it before the process ends. In a job of
 * GitHub Actions nothing in it is taken for a command.
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

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
