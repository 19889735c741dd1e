import type { Exchange, HttpRequestRecord, HttpResponseRecord } from '../../specs/types.ts';
import { indentJson } from '../indent-json.ts';
import type { Break } from '../transcript.ts';
import { duration, exchangeLine, hasConnection } from '../wording.ts';
import { callDetails } from './call.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { timingBar } from './timing-bar.ts';
import { moment } from './words.ts';

interface ExchangeOptions {
  /** Anchor of this exchange on the page; left out where it is shown a second time. */
  readonly anchor?: string | undefined;
  readonly open?: boolean;
  /** Where rules broke in it, when it is a call. */
  readonly breaks?: readonly Break[];
  /** How the call went is told elsewhere. */
  readonly isTold?: boolean;
}

/** One exchange behind its summary line: what was sent, what came back, and how long it took. */
export function exchangeDetails(
  exchange: Exchange,
  { anchor, open = false, breaks = [], isTold = false }: ExchangeOptions = {},
): Markup {
  const titles = titlesOf[exchange.kind];
  const { timing, response, call } = exchange;
  const anchorAttribute = anchor !== undefined && html` id="${anchor}"`;
  return html`<details class="exchange" ${anchorAttribute}${open && html` open`}>
    <summary>
      <code>${exchangeLine(exchange)}</code> <span class="quiet">${exchange.id} · ${exchange.label}</span>
    </summary>
    <p class="quiet">
      ${[moment(exchange.startedAt), timesOf(timing, call !== undefined).map((part) => ` · ${part}`)]}
    </p>
    ${timingBar(timing)} ${call && hasConnection(exchange) && !isTold && callDetails(call, breaks)}
    ${message(titles.request, `${exchange.request.method} ${exchange.request.url}`, exchange.request)}
    ${response ? message(titles.answer, `status ${response.status}`, response) : noAnswer(exchange)}
  </details>`;
}

const fromEndpoint = { request: 'Request of the endpoint', answer: 'Our answer' };
const titlesOf: Readonly<Record<Exchange['kind'], { readonly request: string; readonly answer: string }>> = {
  http: { request: 'Request', answer: 'Answer' },
  call: { request: 'Upgrade', answer: 'Answer to the upgrade' },
  callback: fromEndpoint,
  api: fromEndpoint,
};

function noAnswer({ outcome, detail }: Exchange): Markup {
  return html`<p><strong>No answer (${outcome}).</strong> ${detail}</p>`;
}

function timesOf(timing: Exchange['timing'], isCall: boolean): string[] {
  const { connectMs, firstByteMs, totalMs, limitMs } = timing;
  const parts: string[] = [];
  if (connectMs !== null) parts.push(`connect ${duration(connectMs)}`);
  else if (!isCall) parts.push('kept-alive connection');
  if (firstByteMs !== null) parts.push(`first byte ${duration(firstByteMs)}`);
  if (totalMs !== null) parts.push(`${isCall ? 'set up' : 'complete'} ${duration(totalMs)}`);
  if (limitMs !== undefined) parts.push(`limit ${duration(limitMs)}${usedOf(totalMs, limitMs)}`);
  return parts;
}

function usedOf(totalMs: number | null, limitMs: number): string {
  if (totalMs === null || limitMs <= 0) return '';
  if (totalMs > limitMs) return `, over it by ${duration(totalMs - limitMs)}`;
  const used = (totalMs / limitMs) * 100;
  return `, ${used < 1 ? 'less than 1' : Math.round(used)} % of it used`;
}

function message(title: string, start: string, record: HttpRequestRecord | HttpResponseRecord): Markup {
  const shown = Buffer.byteLength(record.body);
  const readable = indentJson(record.body);
  const notes = [`${record.bodyBytes} bytes`];
  if (shown < record.bodyBytes) notes.push('shortened or redacted here');
  if (readable !== record.body) notes.push('indented for reading');
  return html`<section class="message">
    <p class="label">${title}</p>
    <pre>${start}${record.headers.map(([name, value]) => `\n${name ?? ''}: ${value ?? ''}`)}</pre>
    ${record.body !== '' && html`<pre>${readable}</pre>`}
    <p class="quiet">${record.body === '' && record.bodyBytes === 0 ? 'no body' : `body: ${notes.join(', ')}`}</p>
  </section>`;
}
