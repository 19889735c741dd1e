import type { Exchange } from '../../../specs/generated/types.ts';
import type { Break } from '../../text/transcript.ts';
import { curlCommand } from '../../text/curl-command.ts';
import { formatExchange, hasConnection } from '../../text/wording.ts';
import type { BrokenPart } from './broken-parts.ts';
import { callDetails } from './call-details.ts';
import { logView } from './log-lines.ts';
import type { ExchangeLog } from './log-lines.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { brokenLine, messageView } from './message.ts';
import { timingBar } from './timing-bar.ts';
import { timeElement } from './outcome-mark.ts';

interface ExchangeOptions {
  /** Anchor of this exchange on the page; omitted where it is shown a second time. */
  readonly anchor?: string | undefined;
  readonly open?: boolean;
  /** Frames that violated rules, for a call. */
  readonly breaks?: readonly Break[];
  /** Parts of its messages that violated rules. */
  readonly broken?: readonly BrokenPart[];
  /** The container log during the exchange. */
  readonly log?: ExchangeLog | undefined;
  /** The transcript is shown elsewhere. */
  readonly isTranscribed?: boolean;
  /** A call has a timeline above its transcript. */
  readonly isPictured?: boolean;
}

/** One exchange, folded to its summary line: timing, request and answer. */
export function exchangeDetails(
  exchange: Exchange,
  {
    anchor,
    open = false,
    breaks = [],
    broken = [],
    log,
    isTranscribed = false,
    isPictured = false,
  }: ExchangeOptions = {},
): Markup {
  const titles = titlesOf[exchange.kind];
  const { id, label, timing, request, response, call } = exchange;
  const anchorAttribute = anchor !== undefined && html` id="${anchor}"`;
  const parts = (part: BrokenPart['part']) => broken.filter((one) => one.part === part);
  const late = parts('time');
  const withoutConnect = call ? undefined : 'kept-alive connection';
  const total = call ? 'set up' : 'complete';
  const curl = curlCommand(exchange);
  const isMarked = broken.length + breaks.length > 0;
  return html`<details class="exchange${isMarked && ' broken'}" ${anchorAttribute}${open && html` open`}>
    <summary><code>${formatExchange(exchange)}</code> <span class="quiet">${id} · ${label}</span></summary>
    <p class="quiet">${timeElement(exchange.startedAt)}</p>
    ${timingBar(timing, { total, withoutConnect }, late.length > 0)} ${late.map(brokenLine)}
    ${call && hasConnection(exchange) && !isTranscribed && callDetails(call, breaks, isPictured)}
    <div class="messages">
      ${messageView({
        title: titles.request,
        start: `${request.method} ${request.url}`,
        record: request,
        status: [],
        headers: parts('request-header'),
        body: parts('request-body'),
      })}
      ${
        response
          ? messageView({
              title: titles.answer,
              start: `status ${response.status}`,
              record: response,
              status: parts('response-status'),
              headers: parts('response-header'),
              body: parts('response-body'),
            })
          : noAnswer(exchange, titles.answer, broken)
      }
    </div>
    ${curl !== undefined && curlView(curl)} ${log && logView(log)}
  </details>`;
}

function curlView(command: string): Markup {
  return html`<details class="curl">
    <summary>Copy as curl</summary>
    <p class="quiet">
      Set the variables of secrets, such as SECRET or TOKEN, first. A signed request is signed again with the current
      time. Additional headers, the proxy, certificate authorities and client certificates of the config are not
      included.
    </p>
    <div class="command"><code>${command}</code></div>
  </details>`;
}

const fromEndpoint = { request: 'Request from the endpoint', answer: 'Our answer' };
const titlesOf: Readonly<Record<Exchange['kind'], { readonly request: string; readonly answer: string }>> = {
  http: { request: 'Request', answer: 'Answer' },
  call: { request: 'Upgrade', answer: 'Answer to the upgrade' },
  callback: fromEndpoint,
  api: fromEndpoint,
};

function noAnswer({ outcome, detail }: Exchange, title: string, broken: readonly BrokenPart[]): Markup {
  return html`<section class="message">
    <p class="label">${title}</p>
    <p><strong>No answer (${outcome}).</strong> ${detail}</p>
    ${broken.filter(({ part }) => part.startsWith('response')).map(brokenLine)}
  </section>`;
}
