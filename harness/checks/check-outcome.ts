import type { CheckSource, Level, PauseRequest, Verdict } from '../../specs/generated/types.ts';
import type { Finding } from './finding.ts';
import type { FaultCode } from './faults.ts';
import type { EvidenceRecord } from './evidence.ts';
import type { OwnRequirement } from './own-requirement.ts';

/** The names by which a check is selected and reported. */
export interface CheckIdentity {
  id: string;
  requirement: string;
  title: string;
  level: Level;
  /** Default: `live`. */
  source?: CheckSource;
  /** Requirement of an integrator's check. */
  own?: Pick<OwnRequirement, 'section' | 'statement' | 'remediation'>;
}

/** How long an endpoint took for one exchange. */
export interface AnswerTime {
  /** The type of the event, or what else was awaited. */
  what: string;
  /** Milliseconds; for `isSilent`, how long an answer was awaited. */
  ms: number;
  isSilent?: true;
}

/** The outcome of one check as it leaves the worker: redacted and bounded. */
export interface CheckOutcome {
  verdict: Verdict;
  /** The origin of what was judged, if it is not that of the check. */
  source?: CheckSource;
  durationMs: number;
  finding?: Finding;
  /** Why it was blocked or not exercised. */
  message?: string;
  code?: FaultCode;
  /** The pause that the endpoint asked for, which blocked it. */
  pause?: PauseRequest;
  /** Its body did not run to the end, or not at all. */
  isUnfinished?: true;
  evidence: EvidenceRecord[];
  samples: { name: string; limit: number; ms: number }[];
  /** Times of its exchanges, whether they are judged or not. */
  answerTimes?: AnswerTime[];
  /** Number of deliveries and calls that it sent; absent: none. */
  sent?: number;
}

/** The verdict of a check and its reason, before its record is added. */
export type CheckEnding = Pick<CheckOutcome, 'verdict' | 'finding' | 'message' | 'code' | 'pause'>;
