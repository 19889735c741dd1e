import { exchangeDetails } from '../../../reports/write/html/exchange-details.ts';
import { html, type Markup } from '../../../reports/write/html/markup.ts';
import type { Exchange } from '../../../specs/generated/types.ts';
import type { ExchangeVerdict } from './judge-exchange.ts';

/** One exchange: whether it succeeded, both messages or the call, and a button to send a delivery again. */
export function exchangeItem(
  exchange: Exchange,
  { isUsable, why }: ExchangeVerdict,
  { isRepeatable }: { isRepeatable: boolean },
): Markup {
  const { id, kind, label } = exchange;
  const isAnswer = kind === 'http' || kind === 'call';
  const word = isAnswer ? (isUsable ? 'usable' : 'not usable') : isUsable ? 'accepted' : 'rejected';
  return html`<li class="${isUsable ? 'pass' : 'fail'}">
    <p class="verdict-line">
      <span class="mark"><span aria-hidden="true">${isUsable ? '✓' : '✗'}</span> ${word}</span>
      <strong>${label}</strong>
      ${why !== undefined && html`<span class="quiet">${why}</span>`}
      ${
        isRepeatable &&
        html`<button type="button" data-again="${id}" aria-label="Send again: ${id}, ${label}">Send again</button>`
      }
    </p>
    ${exchangeDetails(exchange, { isPictured: true })}
  </li>`;
}
