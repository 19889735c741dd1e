import { describeFrame } from '../../reports/text/describe-frame.ts';
import { createPaint, type Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { columns, padded, shortened, wrapped } from '../../reports/write/terminal/terminal-text.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { formatDuration } from '../../reports/text/wording.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';
import { isTerminal, wantsColour, type Stream } from '../../run/output/terminal.ts';

/** Arrows as seen from the service: what it sends, what it gets, what changes in it. */
const arrows = { out: '→', in: '←', inside: '·' } as const;

/** Whose doing an event is, or whom it reaches. */
const whoAndWhere: Readonly<Record<ServiceEventType, readonly [direction: keyof typeof arrows, who: string]>> = {
  'api-request': ['in', 'client'],
  delivery: ['out', 'endpoint'],
  callback: ['in', 'endpoint'],
  customer: ['in', 'customer'],
  'to-customer': ['out', 'customer'],
  'to-team': ['out', 'team'],
  'auto-reply': ['inside', 'auto-reply'],
  appointment: ['inside', 'appointment'],
  skill: ['inside', 'skill'],
  call: ['inside', 'call'],
  'crm-data': ['inside', 'CRM data'],
  clock: ['inside', 'clock'],
};

const whoWidth = Math.max(...Object.values(whoAndWhere).map(([, who]) => who.length));
/** Columns below which the text gets a line of its own. */
const narrow = 64;
/** Columns and rows of one event's text on a terminal; all of it is in the JSON form. */
const rowsOfEvent = 4;
const leastRoom = 16;

export interface LogPlace {
  /** Columns; `undefined` where lines may be as long as they are. */
  width: number | undefined;
  paint: Paint;
}

/** One event for a terminal: time, direction, who, what, status. Control characters are shown, not sent. */
export function logLines(event: ServiceEvent, { width, paint }: LogPlace): string[] {
  const { direction, who, text: words } = describeEvent(event);
  const time = event.at.slice(11);
  const arrow = arrows[direction];
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

/** Writes events as they happen: lines for people, or one JSON object per line. */
export class LiveLog {
  readonly #stream: Stream;
  readonly #json: boolean;
  readonly #paint: Paint;
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
    const width = isTerminal(this.#stream) ? Math.max(leastRoom, (this.#stream.columns || 80) - 1) : undefined;
    const day = event.at.slice(0, 10);
    const lines = logLines(event, { width, paint: this.#paint });
    // The service's time can be moved by days.
    if (day !== this.#day) lines.unshift(this.#paint.dim(`${day} UTC`));
    this.#day = day;
    this.#stream.write(`${lines.join('\n')}\n`);
  }
}

/** What an event says, and of whom. A frame of a call is told in words, as reports tell it. */
function describeEvent(event: ServiceEvent): { direction: keyof typeof arrows; who: string; text: string } {
  const { type, text, data } = event;
  const { from, frame } = data;
  if (type === 'call' && typeof frame === 'string' && (from === 'ai' || from === 'service')) {
    const { who, what } = describeFrame({ n: 0, from, atMs: 0, text: frame, bytes: Buffer.byteLength(frame) });
    return { direction: from === 'ai' ? 'in' : 'out', who: 'call', text: `${who} ${what}` };
  }
  const [direction, who] = whoAndWhere[type];
  return { direction, who, text: text.replace(/^call: /, '') + formatStatus(event) };
}

/** Status and time, where the text does not tell them. */
function formatStatus({ type, text, data: { status, ms } }: ServiceEvent): string {
  if (type !== 'delivery' && type !== 'api-request') return '';
  const parts = [
    ...(typeof status === 'number' && !text.includes(String(status)) ? [String(status)] : []),
    ...(typeof ms === 'number' ? [formatDuration(ms)] : []),
  ];
  return parts.length === 0 ? '' : `  (${parts.join(', ')})`;
}

function hasFailed({ type, data: { status, outcome } }: ServiceEvent): boolean {
  if (typeof status === 'number') return status >= 400;
  return type === 'delivery' && typeof outcome === 'string' && outcome !== 'answered';
}

function bounded(text: string, room: number): string[] {
  const width = Math.max(leastRoom, room);
  const lines = wrapped(text, width).flatMap((line) => pieces(line, width));
  if (lines.length <= rowsOfEvent) return lines;
  return [...lines.slice(0, rowsOfEvent - 1), shortened(lines.slice(rowsOfEvent - 1).join(' '), width)];
}

/** A word without spaces, such as an address, may be longer than a line. */
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
