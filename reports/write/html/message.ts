import type { HttpRequestRecord, HttpResponseRecord } from '../../../specs/generated/types.ts';
import { indentJson } from '../../text/indent-json.ts';
import type { BrokenPart } from './broken-parts.ts';
import { html, type Markup, type MarkupValue } from './markup.ts';
import { markedJson } from './marked-json.ts';
import { failureMark } from './outcome-mark.ts';

/** The first line, headers and body of a request or an answer, with the violating parts marked. */
export interface Message {
  readonly title: string;
  readonly start: string;
  readonly record: HttpRequestRecord | HttpResponseRecord;
  readonly status: readonly BrokenPart[];
  readonly headers: readonly BrokenPart[];
  readonly body: readonly BrokenPart[];
}

/** Bodies with this many lines scroll separately. */
const tallLines = 40;

/** The message for reading: JSON is indented, and notes list the differences from what was sent. */
export function messageView({ title, start, record, status, headers, body }: Message): Markup {
  return html`<section class="message">
    <p class="label">${title}</p>
    <pre>${status.length > 0 ? html`<mark>${start}</mark>` : start}${headerLines(record.headers, headers)}</pre>
    ${[...status, ...headers].map(brokenLine)} ${bodyView(record, body)}
  </section>`;
}

/** The failure at a part, on a separate line. */
export function brokenLine({ failure }: Pick<BrokenPart, 'failure'>): Markup {
  return html`<p class="here">${failureMark(failure)}</p>`;
}

function headerLines(headers: HttpRequestRecord['headers'], broken: readonly BrokenPart[]): MarkupValue[] {
  const names = new Set(broken.flatMap(({ name }) => name ?? []));
  const present = new Set(headers.map(([name]) => name?.toLowerCase()));
  const lines = headers.map(([name = '', value = '']) => {
    const line = html`<b>${name}:</b> ${value}`;
    return names.has(name.toLowerCase()) ? html`<mark>${line}</mark>` : line;
  });
  const missing = [...names].filter((name) => !present.has(name));
  const marked = missing.map((name) => html`<mark><b>${name}:</b> (missing)</mark>`);
  return [...lines, ...marked].map((line) => ['\n', line]);
}

function bodyView({ body, bodyBytes }: Message['record'], broken: readonly BrokenPart[]): Markup {
  const readable = indentJson(body);
  const pointers = broken.flatMap(({ pointer }) => (pointer === undefined || pointer === '' ? [] : [pointer]));
  const isWhole = broken.length > pointers.length;
  const { text, missing } = markedJson(readable, pointers);
  const notes = [`${bodyBytes} bytes`];
  if (Buffer.byteLength(body) < bodyBytes) notes.push('shortened or redacted here');
  if (readable !== body) notes.push('indented for reading');
  const isTall = broken.length === 0 && readable.split('\n', tallLines + 1).length > tallLines;
  const shown = isWhole ? html`<mark>${text}</mark>` : text;
  return html`${body !== '' && (isTall ? html`<pre class="tall" tabindex="0">${shown}</pre>` : html`<pre>${shown}</pre>`)}
    <p class="quiet">${body === '' && bodyBytes === 0 ? emptyBody(isWhole) : `body: ${notes.join(', ')}`}</p>
    ${missing.map((pointer) => html`<p class="here"><mark>${pointer}</mark> is missing</p>`)} ${broken.map(brokenLine)}`;
}

function emptyBody(isBroken: boolean): Markup {
  return isBroken ? html`<mark>no body</mark>` : html`no body`;
}
