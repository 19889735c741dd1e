import type { Report } from '../../../specs/generated/types.ts';
import { outcomeOf } from '../../model/verdict.ts';
import type { Evidence } from './evidence.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** Links inside the page. Anchors are counted, never made from outside text. */
export interface Anchors {
  readonly exchangeLink: (id: string) => Markup;
  readonly findingAnchor: (requirement: string) => string | undefined;
  readonly rowAnchor: (requirement: string) => string | undefined;
  /** Link to the row of the requirement. */
  readonly rowLink: (requirement: string) => Markup;
  /** Link to the finding of a failed or blocked requirement, or else to the row of the requirement. */
  readonly requirementLink: (requirement: string) => Markup;
}

/** Anchors for exchanges, findings and requirements. */
export function createAnchors(report: Report, { placeOf }: Evidence): Anchors {
  const findings = new Map(
    report.requirements
      .filter((row) => ['fail', 'blocked', 'warn', 'advice'].includes(outcomeOf(row)))
      .map(({ id }, index) => [id, `finding-${index + 1}`]),
  );
  const rows = new Map(
    report.requirements
      .filter(({ notJudged }) => notJudged !== 'not-configured')
      .map(({ id }, index) => [id, `requirement-${index + 1}`]),
  );
  return {
    exchangeLink: (id) => {
      const place = placeOf(id);
      if (place === undefined) return html`<code>${id}</code>`;
      return place.isPacked
        ? html`<a href="#further" data-exchange="${place.anchor}">${id}</a>`
        : html`<a href="#${place.anchor}">${id}</a>`;
    },
    findingAnchor: (requirement) => findings.get(requirement),
    rowAnchor: (requirement) => rows.get(requirement),
    rowLink: (requirement) => link(requirement, rows.get(requirement)),
    requirementLink: (requirement) => link(requirement, findings.get(requirement) ?? rows.get(requirement)),
  };
}

function link(requirement: string, anchor: string | undefined): Markup {
  const id = html`<code>${requirement}</code>`;
  return anchor === undefined ? id : html`<a href="#${anchor}">${id}</a>`;
}
