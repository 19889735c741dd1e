import type { Report } from '../../specs/types.ts';
import { outcomeOf } from '../verdict.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Links inside the page. Anchors are counted, never made from outside text. */
export interface Anchors {
  readonly exchangeAnchor: (id: string) => string | undefined;
  readonly exchangeLink: (id: string) => Markup;
  readonly findingAttribute: (requirement: string) => Markup | undefined;
  readonly findingAnchor: (requirement: string) => string | undefined;
}

/** Anchors for the first `maxExchanges` exchanges and for everything that does not hold. */
export function createAnchors(report: Report, maxExchanges: number): Anchors {
  const exchanges = new Map(
    report.exchanges.slice(0, maxExchanges).map(({ id }, index) => [id, `exchange-${index + 1}`]),
  );
  const findings = new Map(
    report.requirements
      .filter((row) => ['fail', 'warn', 'advice'].includes(outcomeOf(row)))
      .map(({ id }, index) => [id, `finding-${index + 1}`]),
  );
  return {
    exchangeAnchor: (id) => exchanges.get(id),
    exchangeLink: (id) => {
      const anchor = exchanges.get(id);
      return anchor === undefined ? html`<code>${id}</code>` : html`<a href="#${anchor}">${id}</a>`;
    },
    findingAnchor: (requirement) => findings.get(requirement),
    findingAttribute: (requirement) => {
      const anchor = findings.get(requirement);
      return anchor === undefined ? undefined : html` id="${anchor}"`;
    },
  };
}
