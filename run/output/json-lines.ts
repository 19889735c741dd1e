import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { makeDirectory } from '../../reports/write/make-directory.ts';
import { formatJson } from '../../reports/text/format-json.ts';
import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { runnerSafe } from './runner-safe.ts';

/** Writes values as they come, a JSON object per line, to a file or to standard output. */
export class JsonLines implements Disposable {
  readonly #write: (line: string) => void;
  readonly #close: () => void;
  #isClosed = false;
  #failure: Error | undefined;

  private constructor(write: (line: string) => void, close: () => void) {
    this.#write = write;
    this.#close = close;
  }

  /**
   * Opens a new file (its directories are created), or with `-` standard output. Lines are written one by one, so that a
   * reader receives each at once and none is lost when the process ends.
   *
   * @throws HarnessFault when the file of `--events` cannot be written
   */
  static open(place: string): JsonLines {
    if (place === '-') {
      return new JsonLines(
        (line) => process.stdout.write(runnerSafe(line, 'json')),
        () => undefined,
      );
    }
    try {
      makeDirectory(dirname(place));
      const file = openSync(place, 'w');
      return new JsonLines(
        (line) => writeFileSync(file, line),
        () => closeSync(file),
      );
    } catch (error) {
      throw new HarnessFault('file-not-written:events', { file: place, reason: describeFileError(error) });
    }
  }

  /** The reason why lines are missing: a full disk or a closed pipe. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Writes one line. An error ends the log, not the command. */
  write(value: object): void {
    if (this.#isClosed || this.#failure) return;
    try {
      this.#write(formatJson(value, 0));
    } catch (error) {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }

  [Symbol.dispose](): void {
    if (!this.#isClosed) this.#close();
    this.#isClosed = true;
  }
}
