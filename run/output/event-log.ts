import { runEventOf } from '../run-event.ts';
import type { RunStep } from '../run-step.ts';
import { JsonLines } from './json-lines.ts';

/** Writes the steps of a run as they happen, a JSON object per line, as run-event.schema.json describes them. */
export class EventLog implements Disposable {
  readonly #lines: JsonLines;
  readonly #now: () => Date;
  #isOver = false;

  private constructor(lines: JsonLines, now: () => Date) {
    this.#lines = lines;
    this.#now = now;
  }

  /**
   * Opens a log that writes to a new file, or with `-` to standard output.
   *
   * @param now the clock of `at`
   * @throws HarnessFault when the file cannot be written
   */
  static open(place: string, now: () => Date = () => new Date()): EventLog {
    return new EventLog(JsonLines.open(place), now);
  }

  /** The reason why the log is incomplete: a full disk or a closed pipe. */
  get failure(): Error | undefined {
    return this.#lines.failure;
  }

  /** Writes a step as an event; ignores steps after the last event. */
  write(step: RunStep): void {
    if (this.#isOver) return;
    const event = runEventOf(step, this.#now);
    if (event) this.#lines.write(event);
    this.#isOver = step.step === 'run-finished' || step.step === 'run-stopped';
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#lines[Symbol.dispose]();
  }
}
