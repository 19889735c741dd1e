import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { LogLine } from '../../specs/generated/types.ts';

/** Lines kept from the start of the endpoint. */
const keptAtFirst = 200;
/** Latest lines kept. */
const keptAtLast = 5_000;
/** Maximum characters of a line; the start of a dump is enough. */
const longestLine = 2_000;
/** Maximum bytes of a line that are buffered; the rest is dropped. */
const gatheredBytes = 60_000;

type LogStream = LogLine['stream'];

/** The output of an endpoint that was started for the run: lines with timestamps, redacted and bounded. */
export class EndpointLogs {
  /** Accepts the chunks of each stream: one per line or part of a line, each prefixed with its time (RFC 3339). */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly #redact: (text: string) => string;
  readonly #awaited: string | undefined;
  readonly #endings: (() => void)[] = [];
  readonly #first: LogLine[] = [];
  #last: LogLine[] = [];
  #dropped = 0;
  #hasAwaited = false;

  /**
   * @param redact redacts the secrets in a line
   * @param awaited the text that signals that the endpoint is ready
   */
  constructor(redact: (text: string) => string, awaited?: string) {
    this.#redact = redact;
    this.#awaited = awaited;
    this.stdout = this.#taker('stdout');
    this.stderr = this.#taker('stderr');
  }

  /** Whether the awaited text has been written. */
  get hasAwaited(): boolean {
    return this.#hasAwaited;
  }

  /** Only what is written from now on shows that the endpoint is ready: it is started again. */
  awaitAgain(): void {
    this.#hasAwaited = false;
  }

  /** Number of lines that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Lines in chronological order. `aheadMs`: offset of the endpoint's clock to the local one. */
  lines(aheadMs = 0): LogLine[] {
    const all = [...this.#first, ...this.#last].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    if (aheadMs === 0) return all;
    return all.map((line) => ({ ...line, at: new Date(Date.parse(line.at) - aheadMs).toISOString() }));
  }

  /** Adds the lines that have no line break yet: the program that wrote them has ended. */
  endLines(): void {
    for (const end of this.#endings) end();
  }

  #taker(stream: LogStream): Writable {
    let open: { at: Date; parts: Buffer[]; bytes: number } | undefined;
    const end = () => {
      if (open) this.#add(stream, open.at, Buffer.concat(open.parts).toString('utf8'));
      open = undefined;
    };
    this.#endings.push(end);
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        const { at, rest } = timeOf(chunk);
        open ??= { at, parts: [], bytes: 0 };
        // A long line arrives in parts; the last one ends with the line break.
        const isEnd = rest.at(-1) === 0x0a;
        const text = isEnd ? rest.subarray(0, -1) : rest;
        if (open.bytes < gatheredBytes) open.parts.push(text.subarray(0, gatheredBytes - open.bytes));
        open.bytes += text.length;
        if (isEnd) end();
        done();
      },
      final: (done) => {
        end();
        done();
      },
    });
  }

  #add(stream: LogStream, at: Date, raw: string): void {
    const text = stripVTControlCharacters(raw.replace(/\r$/, ''));
    if (this.#awaited !== undefined && text.includes(this.#awaited)) this.#hasAwaited = true;
    const redacted = this.#redact(text);
    const line = {
      at: at.toISOString(),
      stream,
      text: redacted.length > longestLine ? `${redacted.slice(0, longestLine)}…` : redacted,
    };
    if (this.#first.length < keptAtFirst) {
      this.#first.push(line);
      return;
    }
    this.#last.push(line);
    // Truncated in batches: removing single elements from the front is slow.
    if (this.#last.length >= 2 * keptAtLast) this.#cut();
  }

  #cut(): void {
    const before = this.#last.length;
    this.#last = this.#last.slice(-keptAtLast);
    this.#dropped += before - this.#last.length;
  }
}

const timeInFront = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) /;

function timeOf(chunk: Buffer): { at: Date; rest: Buffer } {
  const [all = '', text = ''] = timeInFront.exec(chunk.subarray(0, 64).toString('latin1')) ?? [];
  return { at: text === '' ? new Date() : new Date(text), rest: chunk.subarray(all.length) };
}
