import type { CheckResult, Exchange, Report } from '../../specs/types.ts';
import { breaksOf } from '../findings.ts';
import type { Break } from '../transcript.ts';
import { counted } from '../wording.ts';
import type { Anchors } from './anchors.ts';
import { exchangeDetails } from './exchange.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Several rules may have broken in one call, so each is told with its requirement. */
function namedBreaks(check: CheckResult, exchange: Exchange): Break[] {
  return breaksOf(check, exchange).map(({ frame, words }) => ({ frame, words: `${check.requirement}, ${words}` }));
}

/** The exchanges of the run, in order. */
export function evidenceSection(report: Report, anchors: Anchors): Markup | undefined {
  if (report.exchanges.length === 0) return undefined;
  const shown = report.exchanges.filter(({ id }) => anchors.exchangeAnchor(id) !== undefined);
  const rest = report.exchanges.length - shown.length;
  return html`<section id="evidence" aria-labelledby="evidence-title">
    <h2 id="evidence-title">Evidence</h2>
    <p class="quiet">
      ${counted(shown.length, 'exchange')} with their headers and bodies; secrets are
      redacted.${rest > 0 && ` ${counted(rest, 'more exchange')} in report.json.`}
    </p>
    ${shown.map((exchange) => {
      const breaks = report.checks.flatMap((check) => namedBreaks(check, exchange));
      return html`${exchangeDetails(exchange, { anchor: anchors.exchangeAnchor(exchange.id), breaks })} `;
    })}
  </section>`;
}
