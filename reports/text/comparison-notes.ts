import { isLoopback } from '../../specs/is-loopback.ts';
import type { Report } from '../../specs/generated/types.ts';
import { groupOf } from '../model/groups.ts';
import { requirementChecks } from '../model/requirement-checks.ts';
import { requirementPairs } from '../model/requirement-pairs.ts';
import { selectionNotes } from './run-notes.ts';
import { counted } from './wording.ts';
import { surfaceRank } from '../../specs/surfaces.ts';

/** Names of the two reports in the sentences. */
export interface ReportNames {
  readonly before: string;
  readonly after: string;
}

/** Surfaces or ids named in one sentence at most. */
const shown = 3;

/**
 * Notes on the comparison of a run with a baseline, one sentence each: those of {@link comparisonNotes}, and ways in which
 * the baseline may excuse more than expected. Contains outside text: escape it for the output format.
 */
export function baselineNotes(baseline: Report, report: Report): string[] {
  const names = { before: 'the baseline', after: 'this run' };
  return [
    ...comparisonNotes(baseline, report, names),
    ...partNotes(baseline, names.before),
    ...unacceptedNotes(baseline),
    ...otherCheckNotes(baseline, report),
  ];
}

/**
 * Differences that make two reports hard to compare, one sentence each: another target, protocol or version, a surface
 * that only one of them judged, a changed level.
 */
export function comparisonNotes(before: Report, after: Report, names: ReportNames): string[] {
  const first = capitalised(names.before);
  return [
    ...targetNotes(before, after, names),
    ...(before.protocol === after.protocol
      ? []
      : [`${first} was made with protocol ${before.protocol}, ${names.after} with ${after.protocol}.`]),
    ...(before.harness.version === after.harness.version
      ? []
      : [
          `${first} was made by version ${before.harness.version}, ${names.after} by ${after.harness.version}: checks may have been added or changed.`,
        ]),
    ...unjudgedNotes(before, after, names),
    ...levelNotes(before, after),
  ];
}

/** The limits of a partial report, one sentence each; empty for a complete run. */
export function partNotes({ selection }: Report, name: string): string[] {
  return selectionNotes(selection).map((note) => `${capitalised(name)} is partial: ${uncapitalised(note)}`);
}

/** Stand-ins of two anonymised reports are not comparable, and local ports differ in each run. */
function targetNotes(before: Report, after: Report, names: ReportNames): string[] {
  if (before.anonymized || after.anonymized) return [];
  return Object.keys(after.target).flatMap((surface) => {
    const [there, here] = [before, after].map(({ target }) => {
      const { url, command, file } = target[surface] ?? {};
      return url ?? command ?? file;
    });
    if (there === undefined || here === undefined || withoutLocalPort(there) === withoutLocalPort(here)) return [];
    return [`The target of ${surface} differs: ${there} in ${names.before}, ${here} in ${names.after}.`];
  });
}

function withoutLocalPort(address: string): string {
  const url = URL.parse(address);
  return url && isLoopback(url.hostname) ? `${url.protocol}//loopback${url.pathname}${url.search}` : address;
}

function unjudgedNotes(before: Report, after: Report, names: ReportNames): string[] {
  const [there, here] = [judgedSurfaces(before), judgedSurfaces(after)];
  const sentence = (surfaces: readonly string[], others: readonly string[], name: string, so: string) => {
    const missing = others.filter((surface) => !surfaces.includes(surface));
    return missing.length === 0 ? [] : [`No requirement of ${listed(missing)} was judged in ${name}${so}.`];
  };
  return [
    ...sentence(there, here, names.before, ': its failures count as new'),
    ...sentence(here, there, names.after, ''),
  ];
}

function judgedSurfaces({ requirements }: Report): string[] {
  const left: readonly string[] = ['not-selected', 'not-applicable', 'unobservable'];
  const judged = new Set(requirements.filter((row) => !left.includes(groupOf(row))).map(({ surface }) => surface));
  return [...judged].toSorted((a, b) => surfaceRank(a) - surfaceRank(b));
}

function levelNotes(before: Report, after: Report): string[] {
  return requirementPairs(before.requirements, after.requirements).flatMap((pair) =>
    pair.before && pair.after?.verdict === 'fail' && pair.before.level !== pair.after.level
      ? [`The level of ${pair.after.id} changed from ${pair.before.level} to ${pair.after.level}.`]
      : [],
  );
}

/** A baseline that is replaced after each run turns every new failure into a known one. */
function unacceptedNotes({ gate }: Report): string[] {
  const unaccepted = gate?.passed === false ? (gate.baseline?.new ?? []) : [];
  if (unaccepted.length === 0) return [];
  return [
    `${counted(unaccepted.length, 'known failure')} failed the gate of the baseline as new: ${listed(unaccepted)}.`,
  ];
}

function otherCheckNotes(baseline: Report, report: Report): string[] {
  const there = new Map(baseline.checks.map((check) => [check.id, check.verdict]));
  return requirementPairs(baseline.requirements, report.requirements).flatMap(({ before, after }) => {
    if (before?.verdict !== 'fail' || after?.verdict !== 'fail') return [];
    const fresh = requirementChecks(report, after).filter(
      ({ id, verdict }) => verdict === 'fail' && there.get(id) === 'pass',
    );
    const titles = fresh.map(({ title }) => title).join('; ');
    return fresh.length === 0
      ? []
      : [`${after.id} is a known failure, but checks that passed in the baseline fail now: ${titles}.`];
  });
}

function listed(names: readonly string[]): string {
  const more = names.length > shown ? ` and ${names.length - shown} more` : '';
  return names.slice(0, shown).join(', ') + more;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function uncapitalised(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
