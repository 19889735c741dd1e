import type { Report } from '../../specs/generated/types.ts';
import { assertEventsPlace } from '../plan/assert-events-place.ts';
import { printReport } from '../publish/publish-report.ts';
import type { RunOutput, RunStep } from '../run-step.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { EventLog } from './event-log.ts';
import { RunProgress } from './run-progress.ts';
import { writeNote, type Stream } from './terminal.ts';

/** How a command shows its run. */
export interface OutputOptions {
  /** Print `report.json`, and nothing else, on standard output. */
  json?: boolean | undefined;
  /** File that receives an event per line during the run; `-` for standard output. */
  events?: string | undefined;
  /** Shows nothing that the endpoint sent before the report is anonymised. */
  anonymize?: boolean | undefined;
  /** Directory of the report. */
  out?: string | undefined;
  /** Directory of the report of a complete run when `out` is absent. */
  defaultOut?: string | undefined;
  /** The report that the run is compared with. */
  baseline?: string | undefined;
  /** Where the verdict is printed; default: standard output, or standard error when events go there. */
  printTo?: Stream | undefined;
}

/**
 * Progress on standard error, the verdict on standard output, events where the options send them, and annotations in a
 * job of GitHub Actions.
 */
export class CommandLineOutput implements RunOutput, Disposable {
  readonly note = writeNote;
  readonly #options: OutputOptions;
  readonly #progress: RunProgress;
  #log: EventLog | undefined;

  /** @throws HarnessFault for options that exclude each other */
  constructor(options: OutputOptions) {
    const { json, events, anonymize } = options;
    if (json === true && events === '-') {
      throw new HarnessFault('flags-conflict:json-events');
    }
    if (anonymize === true && events !== undefined) {
      throw new HarnessFault('flags-conflict:events-anonymize');
    }
    this.#options = options;
    this.#progress = new RunProgress(process.stderr, anonymize === true);
  }

  async open(): Promise<void> {
    const { events } = this.#options;
    if (events === undefined) return;
    await assertEventsPlace(this.#options);
    this.#log = EventLog.open(events);
  }

  emit(step: RunStep): void {
    this.#progress.show(step);
    this.#log?.write(step);
  }

  async print(report: Report, place: string | undefined): Promise<void> {
    const { json, events, printTo } = this.#options;
    // A reader of events must receive nothing else on that stream.
    const usual = events === '-' ? process.stderr : process.stdout;
    await printReport(report, { json, printTo: printTo ?? usual, place });
  }

  /** Reports on standard error when events are missing from their file. */
  reportMissingEvents(): void {
    const failure = this.#log?.failure;
    if (failure) process.stderr.write(`Events are missing from ${this.#options.events}: ${failure.message}\n`);
  }

  [Symbol.dispose](): void {
    this.#progress[Symbol.dispose]();
    this.#log?.[Symbol.dispose]();
  }
}
