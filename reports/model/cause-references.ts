import type { CheckResult, Report } from '../../specs/generated/types.ts';
import type { CauseEntry } from './cause-entries.ts';
import { receivedSameAnswer } from './answer-key.ts';
import { entriesToFix, findingGroups } from './finding-groups.ts';

/** The entry that describes the cause of a check at another place; `undefined` where the check describes it itself. */
export type CauseReference = (requirement: string, check: CheckResult | undefined) => CauseEntry | undefined;

/**
 * For formats with a case for each check: the deciding check of the lead describes a cause in full, the others refer to it. A
 * check that may have another cause than its requirement describes itself.
 */
export function causeReferences(report: Report): CauseReference {
  const entries = new Map(
    entriesToFix(findingGroups(report)).flatMap((entry) =>
      [entry.lead, ...entry.rest].map(({ finding }) => [finding.requirement.id, { entry, finding }] as const),
    ),
  );
  return (requirement, check) => {
    const known = entries.get(requirement);
    if (!known || (check && check.verdict !== known.finding.requirement.verdict)) return undefined;
    const { entry, finding } = known;
    if (entry.lead.finding.requirement.id === requirement && check?.id === finding.deciding?.id) return undefined;
    if (!check || check.id === finding.deciding?.id) return entry;
    const own = check.causes?.[0]?.id;
    const isSame = own === undefined ? receivedSameAnswer(finding, check) : own === entry.cause?.id;
    return isSame ? entry : undefined;
  };
}
