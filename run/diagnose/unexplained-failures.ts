import { runSuites, type FinishedCheck } from '../../harness/checks/engine.ts';
import { runDefaults, type ResolvedConfig } from '../../harness/config/settings.ts';
import { formatDelivery } from '../../diagnosis/format-note-file.ts';
import { counted } from '../../reports/text/wording.ts';
import type { FaultCode } from '../../specs/faults/fault-table.ts';
import type { DiagnosedSurface, Diagnosis } from '../../specs/generated/types.ts';
import { limits } from '../../specs/limits.ts';
import { isRequirementId, requirement as requirementOf } from '../../specs/requirements/catalogue.ts';

/** Milliseconds for a callback, and at most this part of the time: the probe of callbacks has waited as long. */
const callbackWaitMs = 10_000;
const partForCallbacks = 1 / 4;

/** Faults that show that the endpoint fails, although no check could judge why. */
const endpointFails: readonly (FaultCode | undefined)[] = ['target-unreachable', 'target-stopped'];

/** Why a check gave no verdict, where its message names flags of `check`. */
const noVerdict: Partial<Record<FaultCode, string>> = {
  'budget-used': 'the time of --within was over.',
  'limit-used': 'the limits of the config were used up.',
  'no-answer-yet':
    'an answer took too long to wait for, and the interface sets no limit; svc-conform check --answer-timeout waits longer.',
  'still-open':
    'a callback may still arrive, or has no way here without service.publicUrl; svc-conform check waits longer.',
};

export interface UnexplainedOptions {
  seed: number;
  /** Requirements to check, also advice; empty: all of the surface except advice. */
  only: readonly string[];
  /** Milliseconds for the checks. */
  withinMs: number;
  runChecks?: typeof runSuites;
}

/** What the checks of a surface find. */
export interface CheckFindings extends Pick<Diagnosis, 'suspects' | 'notObserved' | 'deliveries'> {
  /** Whether a check passed. */
  isObserved: boolean;
  /** A line for each delivery of the checks that found something. */
  lines: string[];
}

/**
 * What the checks of a surface find although no probe does, as suspects with the ids of requirements: some faults show only
 * in several conversations, in the order of events or in what an AI decides. A check without a verdict is not a suspect: a
 * correct endpoint may only be slow.
 */
export async function unexplainedFailures(
  surface: DiagnosedSurface,
  config: ResolvedConfig,
  { seed, only, withinMs, runChecks = runSuites }: UnexplainedOptions,
): Promise<CheckFindings> {
  // The wait for callbacks is not part of the budget.
  const waitMs = surface === 'crm-webhook' ? Math.min(callbackWaitMs, withinMs * partForCallbacks) : callbackWaitMs;
  const budgetMs = surface === 'crm-webhook' ? withinMs - waitMs : withinMs;
  const settings = {
    ...runDefaults,
    config,
    seed,
    only: [...only],
    callbackWaitMs: waitMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    budgetMs,
    answeringBudgetMs: budgetMs,
  };
  const checks = await runChecks({ settings, surfaces: [surface] });
  const judged = checks.filter(({ level }) => level !== 'advice' || only.length > 0);
  const suspects = new Map<string, Diagnosis['suspects'][number]>();
  const open = new Map<FaultCode | undefined, FinishedCheck[]>();
  const lines = new Set<string>();
  for (const check of judged) {
    const { requirement: id, verdict, code, message = '', title, evidence } = check;
    if (verdict === 'fail' || (verdict === 'blocked' && endpointFails.includes(code))) {
      for (const exchange of evidence) {
        if (exchange.kind === 'http' || exchange.kind === 'call') lines.add(formatDelivery(exchange));
      }
      if (!isRequirementId(id) || suspects.has(id)) continue;
      const how = verdict === 'fail' ? 'failed' : 'could not be completed';
      const { statement, remediation } = requirementOf(id);
      suspects.set(id, { id, summary: statement, why: `Check "${title}" ${how}: ${message}`, remediation });
    } else if (verdict === 'blocked' || code === 'limit-used') {
      open.set(code, [...(open.get(code) ?? []), check]);
    }
  }
  const notObserved = [...open].map(([code, some]) => {
    const reason = (code && noVerdict[code]) ?? some[0]?.message ?? '';
    return `${counted(some.length, 'check')} of ${surface} gave no verdict: ${reason}`;
  });
  return {
    suspects: [...suspects.values()],
    notObserved,
    deliveries: checks.reduce((sum, { sent = 0 }) => sum + sent, 0),
    isObserved: judged.some(({ verdict }) => verdict === 'pass'),
    lines: [...lines].toSorted(),
  };
}
