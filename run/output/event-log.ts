import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeDirectory } from '../../reports/write/make-directory.ts';
import { formatJson } from '../../reports/text/format-json.ts';
import { runEventOf } from '../run-event.ts';
import type { RunStep } from '../run-step.ts';
import { runnerSafe } from './runner-safe.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Writes the steps of a run as they happen, a JSON object per line, as run-event.schema.json describes them. */
export class EventLog implements Disposable {
  readonly #write: (line: string) => void;
  readonly #close: () => void;
  readonly #now: () => Date;
  #isOver = false;
  #failure: Error | undefined;

  private constructor(write: (line: string) => void, close: () => void, now: () => Date) {
    this.#write = write;
    this.#close = close;
    this.#now = now;
  }

  /**
   * Opens a log that writes to a new file (its directories are created), or with `-` to standard output. Lines are written
   * one by one, so that a reader receives each at once and none is lost when the process ends.
   *
   * @param now the clock of `at`
   * @throws HarnessFault when the file cannot be written
   */
  static open(place: string, now: () => Date = () => new Date()): EventLog {
    if (place === '-') {
      return new EventLog(
        (line) => process.stdout.write(runnerSafe(line, 'json')),
        () => undefined,
        now,
      );
    }
    const refuse = (error: unknown) =>
      new HarnessFault('file-not-written:events', { file: place, reason: describeFileError(error) });
    try {
      makeDirectory(dirname(place));
      const file = openSync(place, 'w');
      return new EventLog(
        (line) => writeFileSync(file, line),
        () => closeSync(file),
        now,
      );
    } catch (error) {
      throw refuse(error);
    }
  }

  /** The reason why the log is incomplete: a full disk or a closed pipe. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Writes a step as an event; ignores steps after the last event. */
  write(step: RunStep): void {
    if (this.#isOver) return;
    const event = runEventOf(step, this.#now);
    if (!event) return;
    try {
      this.#write(formatJson(event, 0));
    } catch (error) {
      // This ends the log, not the run.
      this.#isOver = true;
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
    if (step.step === 'run-finished' || step.step === 'run-stopped') this.#isOver = true;
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#close();
  }
}
