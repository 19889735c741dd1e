import { closeSync, openSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { makeDirectory } from '../../reports/write/make-directory.ts';
import { formatJson } from '../../reports/text/format-json.ts';
import { surfaceOf } from '../../reports/model/surfaces.ts';
import type { Repeats, Report, RunEvent, RunFinished, RunStarted } from '../../specs/generated/types.ts';
import { runnerSafe } from './runner-safe.ts';
import { UsageError } from '../usage-error.ts';

/** An event before it is written. */
type Untimed<Event extends RunEvent> = Event extends RunEvent ? Omit<Event, 'at'> : never;

/** Writes what happens in a run as it happens, a JSON object per line, after run-event.schema.json. */
export class RunEvents implements Disposable {
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
   * Events into a file, which is made anew with the directories above it, or with `-` to standard output. Lines are handed
   * over one by one, so that a reader sees each at once and none is lost when the process ends.
   *
   * @param now the clock of `at`
   * @throws UsageError when the file cannot be written
   */
  static open(place: string, now: () => Date = () => new Date()): RunEvents {
    if (place === '-') {
      return new RunEvents(
        (line) => process.stdout.write(runnerSafe(line, 'json')),
        () => undefined,
        now,
      );
    }
    const refuse = (error: unknown) =>
      new UsageError(`--events ${place}: expected a file that can be written, received ${(error as Error).message}.`);
    try {
      makeDirectory(dirname(place));
      const file = openSync(place, 'w');
      return new RunEvents(
        (line) => writeFileSync(file, line),
        () => closeSync(file),
        now,
      );
    } catch (error) {
      throw refuse(error);
    }
  }

  /** Why events could not be told to their end: a full disk, or a reader that went away. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** The run begins. */
  started(run: Omit<RunStarted, 'event' | 'at' | 'schemaVersion'>): void {
    const { harness, protocol, seed, surfaces, target, selection, checks } = run;
    this.#emit({
      event: 'run-started',
      schemaVersion: 2,
      harness,
      protocol,
      seed,
      surfaces,
      target,
      ...(selection && { selection }),
      ...(checks !== undefined && { checks }),
    });
  }

  /** What a person is told meanwhile. */
  note(text: string): void {
    this.#emit({ event: 'note', text });
  }

  /** A check ended for the first time. */
  checkFinished({ id, requirement, title, level, verdict, durationMs, message, code }: FinishedCheck): void {
    this.#emit({
      event: 'check-finished',
      check: id,
      requirement,
      surface: surfaceOf(requirement),
      title,
      level,
      verdict,
      durationMs,
      ...(message !== undefined && { message }),
      ...(code !== undefined && { code }),
    });
  }

  /** What is believed of a check after its failure was repeated. */
  checkRepeated({ id, verdict, message }: FinishedCheck, { failed, of }: Repeats): void {
    this.#emit({
      event: 'check-repeated',
      check: id,
      verdict,
      failed,
      of,
      ...(message !== undefined && { message }),
    });
  }

  /** The report is written. */
  finished(report: Report, { exitCode, file }: { exitCode: RunFinished['exitCode']; file: string }): void {
    const { verdict, summary, gate, durationMs } = report;
    this.#end({ event: 'run-finished', verdict, summary, ...(gate && { gate }), durationMs, exitCode, report: file });
  }

  /** The run ends before it is over: by a signal, or by what went wrong. Says nothing once the run has finished. */
  stopped(reason: string | Error): void {
    const text = typeof reason === 'string' ? reason : reason.message;
    const code = reason instanceof HarnessFault ? reason.code : undefined;
    this.#end({ event: 'run-stopped', reason: text, ...(code !== undefined && { code }) });
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    this.#close();
  }

  #end(event: Untimed<RunEvent>): void {
    this.#emit(event);
    this.#isOver = true;
  }

  #emit(event: Untimed<RunEvent>): void {
    if (this.#isOver) return;
    const { event: kind, ...rest } = event;
    try {
      this.#write(formatJson({ event: kind, at: this.#now().toISOString(), ...rest }, 0));
    } catch (error) {
      // This ends the telling and not the run.
      this.#isOver = true;
      this.#failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}
