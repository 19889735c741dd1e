import { createPaint, type Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { columns, padded, shortened, wrapped } from '../../reports/write/terminal/terminal-text.ts';
import { visibleControls, visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { formatExchangeResult } from '../../reports/text/wording.ts';
import { indentJson } from '../../reports/text/indent-json.ts';
import type { Exchange } from '../../specs/generated/types.ts';
import type { ServiceEvent } from '../../service/service-events.ts';
import { isTerminal, wantsColour, type Stream } from '../../run/output/terminal.ts';
import { describeEvent, hasFailed, whoWidth } from './describe-event.ts';
import { JoinedSpeech } from './joined-speech.ts';

/** Columns below which the message gets its own line. */
const narrow = 64;
/** Maximum rows of one event on a terminal; the JSON output is complete. */
const rowsOfEvent = 4;
const leastRoom = 16;
/** Milliseconds without a frame after which the pieces of an answer are shown although nothing has closed it. */
const unclosedMs = 2_000;

export interface LogPlace {
  /** Columns; `undefined` for lines of any length. */
  width: number | undefined;
  paint: Paint;
}

/** Formats one event for a terminal: time, direction, party, message, status. Control characters are made visible. */
export function logLines(event: ServiceEvent, { width, paint }: LogPlace): string[] {
  const { arrow, who, text: words } = describeEvent(event);
  const time = event.at.slice(11);
  const text = visibleOnOneLine(words);
  const colour = (line: string) => (hasFailed(event) ? paint.outcome('fail', line) : line);
  if (width === undefined) return [`${paint.dim(time)}  ${arrow} ${padded(who, whoWidth)}  ${colour(text)}`];
  const head = `${paint.dim(time)}  ${arrow} `;
  if (width < narrow) {
    const indent = '    ';
    return [head + paint.bold(who), ...bounded(text, width - indent.length).map((line) => indent + colour(line))];
  }
  const gutter = time.length + 4 + whoWidth + 2;
  return bounded(text, width - gutter).map((line, at) =>
    at === 0 ? `${head}${paint.bold(padded(who, whoWidth))}  ${colour(line)}` : ' '.repeat(gutter) + colour(line),
  );
}

/** Writes events as they happen: lines for people, with the speech of a call as a conversation, or one JSON object per line. */
export class LiveLog implements Disposable {
  readonly #stream: Stream;
  readonly #json: boolean;
  readonly #paint: Paint;
  readonly #speech = new JoinedSpeech();
  #pause: NodeJS.Timeout | undefined;
  #day = '';

  constructor(stream: Stream, { json = false }: { json?: boolean } = {}) {
    this.#stream = stream;
    this.#json = json;
    this.#paint = createPaint(!json && wantsColour(stream));
  }

  event(event: ServiceEvent): void {
    if (this.#json) {
      this.#stream.write(`${JSON.stringify(event)}\n`);
      return;
    }
    for (const one of this.#speech.next(event)) this.#write(one);
    if (event.type !== 'call') return;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#flush(), unclosedMs).unref();
  }

  /** Writes the bodies of an exchange, before the event that it causes. It must be redacted. */
  exchange(exchange: Exchange): void {
    this.#stream.write(
      this.#json ? `${JSON.stringify({ type: 'exchange', exchange })}\n` : exchangeLines(exchange).join('\n') + '\n',
    );
  }

  /** Writes what is left. */
  [Symbol.dispose](): void {
    clearTimeout(this.#pause);
    this.#flush();
  }

  #flush(): void {
    for (const one of this.#speech.flush()) this.#write(one);
  }

  #write(event: ServiceEvent): void {
    const width = isTerminal(this.#stream) ? Math.max(leastRoom, (this.#stream.columns || 80) - 1) : undefined;
    const day = event.at.slice(0, 10);
    const lines = logLines(event, { width, paint: this.#paint });
    // The service's clock can be moved by days.
    if (day !== this.#day) lines.unshift(this.#paint.dim(`${day} UTC`));
    this.#day = day;
    this.#stream.write(`${lines.join('\n')}\n`);
  }
}

/** Both bodies of an exchange, without the headers, which `send` shows. */
function exchangeLines(exchange: Exchange): string[] {
  const { kind, request, response } = exchange;
  const [sends, answers] = kind === 'http' || kind === 'call' ? [out, back] : [back, out];
  const body = (text: string) => (text === '' ? [] : indentJson(text).split('\n'));
  return [
    `${sends} ${request.method} ${request.url}`,
    ...body(request.body),
    `${answers} ${formatExchangeResult(exchange)}`,
    ...body(response?.body ?? ''),
  ].map((line) => `          ${visibleControls(line)}`);
}

const [out, back] = ['→', '←'];

function bounded(text: string, room: number): string[] {
  const width = Math.max(leastRoom, room);
  const lines = wrapped(text, width).flatMap((line) => pieces(line, width));
  if (lines.length <= rowsOfEvent) return lines;
  return [...lines.slice(0, rowsOfEvent - 1), shortened(lines.slice(rowsOfEvent - 1).join(' '), width)];
}

/** Splits a word that is longer than a line, such as an address. */
function pieces(line: string, width: number): string[] {
  const found: string[] = [];
  let piece = '';
  for (const character of line) {
    if (columns(piece + character) > width) {
      found.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...found, piece];
}
