import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { LogLine } from '../../specs/types.ts';

/** First lines that are kept: how it started. */
const keptAtFirst = 200;
/** Latest lines that are kept in addition to. */
const keptAtLast = 5_000;
/** Characters of a line that are kept; a dump in one line tells nothing that its beginning does not. */
const longestLine = 2_000;
/** Bytes of a line that are gathered; the rest is dropped. */
const gatheredBytes = 60_000;

type Stream = LogLine['stream'];

/** What a container writes: lines with their times, secrets taken out, bounded. */
export class ContainerLogs {
  /** Takes what came on each stream, one chunk for each line or part of one, its time in front (RFC 3339). */
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly #redact: (text: string) => string;
  readonly #awaited: string | undefined;
  readonly #first: LogLine[] = [];
  #last: LogLine[] = [];
  #dropped = 0;
  #hasAwaited = false;

  /**
   * @param redact takes the secrets out of a line
   * @param awaited the text that says that the container is ready
   */
  constructor(redact: (text: string) => string, awaited?: string) {
    this.#redact = redact;
    this.#awaited = awaited;
    this.stdout = this.#taker('stdout');
    this.stderr = this.#taker('stderr');
  }

  /** Whether the awaited text has come. */
  get hasAwaited(): boolean {
    return this.#hasAwaited;
  }

  /** Lines that were not kept. */
  get dropped(): number {
    return this.#dropped;
  }

  /** In the order of their times. `aheadMs`: by how much the clock of the container is ahead of ours. */
  lines(aheadMs = 0): LogLine[] {
    const all = [...this.#first, ...this.#last].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
    if (aheadMs === 0) return all;
    return all.map((line) => ({ ...line, at: new Date(Date.parse(line.at) - aheadMs).toISOString() }));
  }

  #taker(stream: Stream): Writable {
    let open: { at: Date; parts: Buffer[]; bytes: number } | undefined;
    const end = () => {
      if (open) this.#add(stream, open.at, Buffer.concat(open.parts).toString('utf8'));
      open = undefined;
    };
    return new Writable({
      write: (chunk: Buffer, _, done) => {
        const { at, rest } = timeOf(chunk);
        open ??= { at, parts: [], bytes: 0 };
        // Parts of a long line come one by one; the last one has the line break.
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

  #add(stream: Stream, at: Date, raw: string): void {
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
    // Cut in one go now and then: taking the first element off an array each time is slow.
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
