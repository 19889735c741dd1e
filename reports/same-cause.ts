import type { Exchange, Report } from '../specs/types.ts';
import { findingsOf } from './findings.ts';
import type { Finding } from './findings.ts';

/** Failures of one surface that received one and the same answer. */
export interface SameCause {
  readonly surface: string;
  /** The answer in a few words; holds outside text as it is. */
  readonly answer: string;
  /** The first of them in reading order: the one to mend first. */
  readonly lead: Finding;
  /** The others, in reading order. */
  readonly rest: readonly Finding[];
}

/** The cause that a finding probably shares with others; `undefined` when it stands alone. */
export type CauseOf = (finding: Finding) => SameCause | undefined;

/** Failures with one answer from which a common cause is more likely than chance. */
const likelyFrom = 4;

/** Characters of a body within which answers must agree; what differs further on is mostly an id or a time. */
const beginning = 80;

/** Finds the failures of a report that probably have one cause. Nothing but the answers is compared. */
export function sameCauses(report: Report): CauseOf {
  const failing = (['fail', 'warn', 'advice'] as const).flatMap((outcome) => findingsOf(report, outcome));
  const causes = new Map<string, SameCause>();
  for (const [key, [lead, ...rest]] of Map.groupBy(failing, answerKey)) {
    const exchange = lead?.exchanges.at(-1);
    if (key === undefined || !lead || !exchange || rest.length + 1 < likelyFrom) continue;
    causes.set(key, { surface: lead.requirement.surface, answer: answerWords(exchange), lead, rest });
  }
  return (finding) => causes.get(answerKey(finding) ?? '');
}

/**
 * What makes the answers to two findings of a surface the same. A 2xx counts for refusals only, which it fails by its
 * status; any other requirement fails on what is in the answer, and one answer can have several faults.
 */
export function answerKey({ requirement, exchanges }: Finding): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined || exchange.kind === 'callback' || exchange.kind === 'api') return undefined;
  const { outcome, response, detail } = exchange;
  if (outcome !== 'answered' || !response) {
    return JSON.stringify([requirement.surface, outcome, detail?.replaceAll(/\d+(\.\d+)? m?s\b/g, 'n ms')]);
  }
  const accepted = response.status >= 200 && response.status < 300;
  if (accepted && !requirement.id.includes('/refuses-')) return undefined;
  return JSON.stringify([requirement.surface, response.status, response.body.slice(0, beginning)]);
}

function answerWords({ outcome, response, detail }: Exchange): string {
  if (outcome !== 'answered' || !response) return detail ?? outcome;
  const { status, body } = response;
  if (body === '') return `status ${status} without a body`;
  return `status ${status} with ${body.length > beginning ? `${body.slice(0, beginning)}…` : body}`;
}
