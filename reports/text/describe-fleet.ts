import type {
  FleetCause,
  FleetReport,
  FleetSummary,
  SuspectedFault,
  TargetResult,
} from '../../specs/generated/types.ts';
import type { Group } from '../model/groups.ts';
import { counted, labelVerdict } from './wording.ts';

interface ResultOfTarget {
  readonly state: TargetResult['state'];
  readonly verdict?: FleetReport['verdict'] | undefined;
}

/** The result of a target in one or two words. */
export function labelTarget({ state, verdict }: ResultOfTarget): string {
  return verdict === undefined ? withoutVerdict[state] : labelVerdict({ verdict });
}

const withoutVerdict = {
  complete: 'incomplete',
  failed: 'no report',
  unusable: 'unusable config',
  'not-checked': 'not checked',
} as const satisfies Record<TargetResult['state'], string>;

/** The colour of a result. */
export function targetGroup({ state, verdict }: ResultOfTarget): Group {
  if (state === 'not-checked') return 'not-exercised';
  return verdictGroups[verdict ?? 'incomplete'];
}

const verdictGroups = {
  conformant: 'pass',
  'conformant-with-warnings': 'warn',
  'non-conformant': 'fail',
  incomplete: 'blocked',
} as const satisfies Record<FleetReport['verdict'], Group>;

/** The counts of a summary in reading order, each with its label. */
export const summaryLabels = {
  nonConformant: { label: 'non-conformant', group: 'fail' },
  incomplete: { label: 'incomplete', group: 'blocked' },
  failed: { label: 'without a report', group: 'blocked' },
  unusable: { label: 'with an unusable config', group: 'blocked' },
  conformantWithWarnings: { label: 'conformant, with warnings', group: 'warn' },
  conformant: { label: 'conformant', group: 'pass' },
  notChecked: { label: 'not checked', group: 'not-exercised' },
} as const satisfies Record<keyof FleetSummary, { label: string; group: Group }>;

/** `42 targets since 2026-10-12`. */
export function describeExtent({ targets, since }: FleetCause): string {
  return `${counted(targets.length, 'target')} since ${since}`;
}

/** What to do first about a cause that many targets have. */
export const serviceFirst =
  'So many independent endpoints rarely get the same fault: examine the service and this check first.';

/** A sentence about a requirement that a new version of svc-conform may judge incorrectly. */
export function describeSuspectedFault({ requirement, targets, from, to }: SuspectedFault): string {
  return `${counted(targets.length, 'target')} passed with svc-conform ${from} and ${targets.length === 1 ? 'fails' : 'fail'} ${requirement} with ${to}: probably a fault of svc-conform ${to}.`;
}
