import { describeFrame } from '../../reports/text/describe-frame.ts';
import { createPaint, type Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { columns, padded, shortened, wrapped } from '../../reports/write/terminal/terminal-text.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { formatDuration } from '../../reports/text/wording.ts';
import type { ServiceEvent, ServiceEventType } from '../../service/service-events.ts';
import { isTerminal, wantsColour, type Stream } from '../../run/output/terminal.ts';

/** Arrows from the service's point of view: it sends, it receives, it changes. */
const arrows = { out: '→', in: '←', inside: '·' } as const;

/** The direction of each event type and its other party. */
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
/** Columns below which the message gets its own line. */
const narrow = 64;
/** Maximum rows of one event on a terminal; the JSON output is complete. */
const rowsOfEvent = 4;
const leastRoom = 16;

export interface LogPlace {
  /** Columns; `undefined` for lines of any length. */
  width: number | undefined;
  paint: Paint;
}

/** Formats one event for a terminal: time, direction, party, message, status. Control characters are made visible. */
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
    // The service's clock can be moved by days.
    if (day !== this.#day) lines.unshift(this.#paint.dim(`${day} UTC`));
    this.#day = day;
    this.#stream.write(`${lines.join('\n')}\n`);
  }
}

/** Describes an event and its party. A frame of a call is described as in reports. */
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

/** Formats status and time, unless the message has the status. */
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
