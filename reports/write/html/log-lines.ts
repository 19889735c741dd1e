import type { Exchange, LogLine, Report } from '../../../specs/generated/types.ts';
import { counted, formatDuration } from '../../text/wording.ts';
import { html } from './markup.ts';
import type { Markup, MarkupValue } from './markup.ts';

/** The log of the endpoint during an exchange. */
export interface ExchangeLog {
  readonly startedMs: number;
  readonly lines: readonly LogLine[];
}

/** A line is often written just after the answer. */
const afterwardsMs = 100;
/** With more concurrent exchanges, a line is shown only at the latest of them. */
const fewAtOnce = 3;
const shownLines = 30;

/** The log lines of each exchange, by its id: those written while it was open. */
export function logsByExchange({ exchanges, logs = [] }: Report): ReadonlyMap<string, ExchangeLog> {
  const spans = exchanges.map(spanOf).toSorted((a, b) => a.from - b.from);
  const found = new Map<string, { startedMs: number; lines: LogLine[] }>();
  let next = 0;
  let open: typeof spans = [];
  for (const line of logs.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const at = Date.parse(line.at);
    for (let span = spans[next]; span !== undefined && span.from <= at; span = spans[next]) {
      open.push(span);
      next += 1;
    }
    open = open.filter(({ to }) => at <= to);
    for (const { id, from } of open.length > fewAtOnce ? open.slice(-1) : open) {
      const log = found.get(id) ?? { startedMs: from, lines: [] };
      log.lines.push(line);
      found.set(id, log);
    }
  }
  return found;
}

function spanOf({ id, startedAt, timing, call }: Exchange): { id: string; from: number; to: number } {
  const from = Date.parse(startedAt);
  const lasted = Math.max((timing.connectMs ?? 0) + (timing.totalMs ?? 0), call?.end?.atMs ?? 0);
  return { id, from, to: from + lasted + afterwardsMs };
}

/** Log lines with the time since the exchange began. */
export function logView({ startedMs, lines }: ExchangeLog): Markup {
  const rest = lines.length - shownLines;
  return html`<section class="message">
    <p class="label">Endpoint log during this exchange</p>
    <pre class="log">
${lines.slice(0, shownLines).map((line) => logLine(`+${formatDuration(Math.max(0, Date.parse(line.at) - startedMs))}`, line))}</pre>
    ${rest > 0 && html`<p class="quiet">${counted(rest, 'more line')} in the whole log.</p>`}
  </section>`;
}

/** One line of a log with its newline; standard error is labelled. */
export function logLine(time: string, { stream, text }: LogLine): MarkupValue {
  return [html`<i>${time}</i>${stream === 'stderr' && html` <b>stderr</b>`} `, text, '\n'];
}
