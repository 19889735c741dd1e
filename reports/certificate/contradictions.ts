import type { CheckResult, Report, RequirementResult } from '../../specs/generated/types.ts';
import type { Catalogue } from '../model/build-report.ts';
import { unbrandedReport } from '../model/brand-report.ts';
import { runVerdict, summarise, worstVerdict } from '../model/verdict.ts';
import { judgedSurfaces } from './statement.ts';

/** Links are read from a file; nothing is sent. */
const withoutExchanges = 'deep-links';
/** The most ids in a sentence. */
const mostNamed = 3;

/** Contradictions within a report, a sentence each. They show that it was changed after the run. */
export function contradictions(report: Report, catalogue: Catalogue): string[] {
  return [
    ...countContradictions(report),
    ...subjectContradictions(report),
    ...evidenceContradictions(report),
    ...catalogueContradictions(unbrandedReport(report), catalogue),
  ];
}

function countContradictions({ requirements, checks, summary, verdict, selection }: Report): string[] {
  const checksOf = Map.groupBy(checks, ({ requirement }) => requirement);
  const isBacked = ({ id, verdict: said, checks: named }: RequirementResult) => {
    const own = checksOf.get(id) ?? [];
    const isSame = JSON.stringify(own.map((check) => check.id).sort()) === JSON.stringify([...named].sort());
    return own.length === 0
      ? named.length === 0 && (said === 'not-exercised' || said === 'not-applicable')
      : isSame && worstVerdict(own.map((check) => check.verdict)) === said;
  };
  const unbacked = requirements.filter((row) => !isBacked(row)).map(({ id }) => id);
  const counts = summarise(requirements);
  const isCounted = Object.entries(counts).every(([key, count]) => summary[key as keyof typeof summary] === count);
  return [
    ...(unbacked.length > 0
      ? [`The report contradicts itself: its checks do not support the verdict of ${listed(unbacked)}.`]
      : []),
    ...(isCounted ? [] : ['The report contradicts itself: its summary does not match its requirements.']),
    ...(runVerdict(counts, selection) === verdict
      ? []
      : ['The report contradicts itself: its requirements result in another verdict.']),
  ];
}

/** A certificate names exactly the judged surfaces. */
function subjectContradictions(report: Report): string[] {
  const named = Object.keys(report.target);
  const judged = judgedSurfaces(report);
  const isSame = named.length === judged.length && judged.every((surface) => named.includes(surface));
  return isSame || named.length === 0
    ? []
    : [
        `The report lists ${named.join(', ')} as judged, but its requirements are those of ${judged.join(', ') || 'nothing'}.`,
      ];
}

function evidenceContradictions({ checks, exchanges }: Report): string[] {
  const known = new Set(exchanges.map(({ id }) => id));
  const idsOf = (wanted: (check: CheckResult) => boolean) => checks.filter(wanted).map(({ id }) => id);
  const dangling = idsOf(({ evidence }) => evidence.some((id) => !known.has(id)));
  const unseen = idsOf(
    ({ surface, verdict, evidence }) => verdict === 'pass' && evidence.length === 0 && surface !== withoutExchanges,
  );
  return [
    ...(dangling.length > 0 ? [`The report lacks exchanges that are evidence of ${listed(dangling)}.`] : []),
    ...(unseen.length > 0 ? [`The report has no evidence for ${listed(unseen)}, which passed.`] : []),
    ...(known.size === exchanges.length ? [] : ['The report has several exchanges with one id.']),
  ];
}

function catalogueContradictions({ requirements }: Report, catalogue: Catalogue): string[] {
  const known = Object.keys(catalogue).filter((id) => !id.startsWith('service/'));
  const ids = new Set(requirements.map(({ id }) => id));
  const isWhole = ids.size === requirements.length && known.length === ids.size && known.every((id) => ids.has(id));
  const isSame = requirements.every(({ id, level, statement, unobservable }) => {
    const entry = catalogue[id];
    return entry?.level === level && entry.statement === statement && entry.unobservable === unobservable;
  });
  return isWhole && isSame ? [] : ['The requirements of the report are not those of the catalogue.'];
}

function listed(ids: readonly string[]): string {
  const more = ids.length - mostNamed;
  return more > 0 ? `${ids.slice(0, mostNamed).join(', ')} and ${more} more` : ids.join(', ');
}
