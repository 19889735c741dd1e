import type { CheckResult, Report } from '../../specs/generated/types.ts';
import type { CauseEntry, Consequence } from './cause-entries.ts';
import { receivedSameAnswer } from './answer-key.ts';
import { entriesToFix, findingGroups } from './finding-groups.ts';

/** The entry of a check, for formats with a case for each check. */
export interface CauseReference {
  readonly entry: CauseEntry;
  /** The case of the lead describes the cause in full; the others refer to it. */
  readonly role: 'lead' | 'other';
  /** The only sign of the common cause is the same answer. */
  readonly isProbable: boolean;
}

/** Finds the entry of a check; `undefined` for a check that may have another cause than its requirement. */
export type CauseReferences = (requirement: string, check: CheckResult | undefined) => CauseReference | undefined;

/** The entry of each check; the lead of an entry is the deciding check of its first requirement. */
export function causeReferences(report: Report): CauseReferences {
  const entries = new Map(
    entriesToFix(findingGroups(report)).flatMap((entry) =>
      [{ ...entry.lead, isProbable: false }, ...entry.rest].map(
        ({ finding, isProbable }: Consequence) => [finding.requirement.id, { entry, finding, isProbable }] as const,
      ),
    ),
  );
  return (requirement, check) => {
    const known = entries.get(requirement);
    if (!known || (check && check.verdict !== known.finding.requirement.verdict)) return undefined;
    const { entry, finding, isProbable } = known;
    const isDeciding = check?.id === finding.deciding?.id;
    if (isDeciding && entry.lead.finding === finding) return { entry, role: 'lead', isProbable };
    if (!check || isDeciding) return { entry, role: 'other', isProbable };
    const own = check.causes?.[0]?.id;
    if (own !== undefined) return own === entry.cause?.id ? { entry, role: 'other', isProbable: false } : undefined;
    return receivedSameAnswer(finding, check) ? { entry, role: 'other', isProbable } : undefined;
  };
}
