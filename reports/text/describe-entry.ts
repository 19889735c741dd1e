import type { CauseEntry, Consequence } from '../model/cause-entries.ts';
import type { CauseReference } from '../model/cause-references.ts';
import type { GateStatus, GatedFinding } from '../model/gate-status.ts';
import { counted, adviceLines, type Advised, type AdviceLine } from './wording.ts';

/**
 * The fault as observed: the diagnosed cause, with its surfaces where others have the same, or else what was received.
 * Contains outside text.
 */
export function describeFault(entry: CauseEntry): string {
  const fault = describeCause(entry);
  return entry.isRepeated ? `${entry.surfaces.join(', ')}: ${fault}` : fault;
}

function describeCause({ cause, lead }: CauseEntry): string {
  if (!cause) return describeObservation(lead);
  return cause.certain ? cause.summary : `Probable cause: ${cause.summary}`;
}

/** The received value of a failed check, before the expected one; the evidence contains the address. Contains outside text. */
export function describeObservation({ finding: { requirement, deciding, exchanges } }: GatedFinding): string {
  const { expected, received } = deciding ?? {};
  if (expected === undefined || received === undefined) {
    return requirement.message ?? deciding?.message ?? `Not met: ${requirement.statement}`;
  }
  const exchange = exchanges.at(-1);
  if (!exchange) return `Received ${received}; expected ${expected}`;
  const place = ` for ${exchange.request.method} ${exchange.request.url} (${exchange.label})`;
  const shown = received.endsWith(place) ? `${received.slice(0, -place.length)} for ${exchange.label}` : received;
  return `Received ${shown}; expected ${expected}`;
}

/** The message of the deciding check, where the headline is the cause. Contains outside text. */
export function describeEvidenceMessage({ cause, lead: { finding } }: CauseEntry): string | undefined {
  return cause ? finding.requirement.message : undefined;
}

/**
 * The advice of an entry without its headline: the fix, why the cause is probable, the hint, the id of the cause. A certain
 * cause has one fix.
 */
export function entryAdvice({ cause, hint, lead }: CauseEntry): AdviceLine[] {
  const { requirement } = lead.finding;
  const lines = adviceLines(
    { hint, ...(cause && { causes: [cause] }) },
    lead.status === 'blocked' ? '' : requirement.remediation,
  );
  const isRoute = cause !== undefined && routeAreas.test(cause.id);
  const why = cause?.why === undefined ? [] : [{ label: 'Reason' as const, text: cause.why }];
  const id = cause ? [{ label: 'Cause' as const, text: cause.id }] : [];
  const fixes = lines.filter(({ label }) => label === 'Fix');
  return [
    ...fixes,
    ...why,
    ...lines.filter(({ label }) => label === 'Hint' || (label === 'In general' && !isRoute)),
    ...id,
  ];
}

/** Causes before the endpoint handles a request, so its handling is not what has to change. */
const routeAreas = /^(?:network|tls|http)\//;

/** Consequences with one gate status, and a label for them. */
export interface ConsequenceGroup {
  readonly status: GateStatus;
  /** `also fails`; reads with the ids of the requirements. */
  readonly label: string;
  readonly requirements: readonly Consequence[];
}

const labels: Readonly<Partial<Record<GateStatus, string>>> = {
  fail: 'also fails',
  blocked: 'blocks',
  warn: 'also warns about',
  advice: 'also advises on',
};

/** Whether the requirement that shows the fault is one of several that it blocks, rather than the one that it fails. */
export function isBlockOnly({ lead, rest }: CauseEntry): boolean {
  return lead.status === 'blocked' && rest.length > 0;
}

/** The consequences of a cause by gate status, most severe first. */
export function consequencesOf(entry: CauseEntry): ConsequenceGroup[] {
  const { lead, rest } = entry;
  const all = isBlockOnly(entry) ? [{ ...lead, isProbable: false }, ...rest] : rest;
  return [...Map.groupBy(all, ({ status }) => status)].map(([status, requirements]) => ({
    status,
    label: labels[status] ?? status,
    requirements,
  }));
}

/** How many requirements a cause also fails, blocks or warns about; `undefined` for a single one. */
export function countConsequences(entry: CauseEntry): string | undefined {
  const parts = consequencesOf(entry).map(({ status, label, requirements }) =>
    status === 'fail' || status === 'blocked'
      ? `${label} ${counted(requirements.length, 'requirement')}`
      : counted(requirements.length, status === 'warn' ? 'warning' : 'recommendation'),
  );
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** States that a common cause is only probable; `undefined` where the diagnosis found it, or where the headline states it. */
export function describeLikeness({ cause }: CauseEntry, { requirements }: ConsequenceGroup): string | undefined {
  if (cause?.certain === false) return undefined;
  const probable = requirements.filter(({ isProbable }) => isProbable).length;
  if (probable === 0) return undefined;
  return probable === requirements.length
    ? 'same answer, so probably the same cause'
    : `${probable} of them probably, because the answer is the same`;
}

/** Refers to the requirement whose case describes the cause in full. Contains outside text. */
export function describeReference(entry: CauseEntry): string {
  return `${entry.lead.finding.requirement.id}: ${describeFault(entry)}`;
}

/** The hint and the causes that the case of a check describes: those of its entry in the case of the lead. */
export function describedBy(reference: CauseReference | undefined, check: Advised | undefined): Advised {
  if (!reference) return check ?? {};
  if (reference.role === 'other') return { hint: check?.hint };
  const { cause, hint } = reference.entry;
  // The cause may come from another requirement than the lead, whose own diagnosis is only a guess then.
  if (cause && check?.causes?.[0]?.id === cause.id) return { hint, causes: check.causes };
  return { hint, ...(cause && { causes: [cause] }) };
}

/**
 * The advice in the case of a check: in full for the lead of an entry, a reference for the others. A requirement that only
 * probably has the cause keeps its fix. Contains outside text.
 */
export function caseAdvice(
  reference: CauseReference | undefined,
  check: Advised | undefined,
  remediation?: string,
): AdviceLine[] {
  const lines = adviceLines(describedBy(reference, check), remediation);
  if (reference?.role !== 'other') return lines;
  const text = describeReference(reference.entry);
  return reference.isProbable
    ? [{ label: 'Probably the same cause', text }, ...lines]
    : [{ label: 'Same cause', text }];
}
