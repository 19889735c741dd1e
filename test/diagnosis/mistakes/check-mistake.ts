import { addCauses } from '../../../diagnosis/add-causes.ts';
import { causeOf, type CauseId } from '../../../diagnosis/causes.ts';
import type { CauseSearch } from '../../../diagnosis/diagnose.ts';
import { everyAcceptance } from '../../../diagnosis/explained-requirements.ts';
import { isEntranceCause } from '../../../diagnosis/part-of-search.ts';
import { isOfAuthentication, isOfSameSubject, probeFor, probesFor, slugOf } from '../../../diagnosis/probe-for.ts';
import { configRedactor } from '../../../harness/config/config-redactor.ts';
import type { CheckResult } from '../../../specs/generated/types.ts';
import { requirements, type Requirement } from '../../../specs/requirements/catalogue.ts';
import { surfaceOf } from '../../../specs/surfaces.ts';
import type { Mistake } from './mistake.ts';
import { mistakeConfig } from './mistake-config.ts';

/** One failed or blocked requirement of a run: what the search for causes reads of it. */
export interface RecordedFailure {
  requirement: string;
  verdict: 'fail' | 'blocked';
  code?: string;
  pause?: NonNullable<CheckResult['pause']>;
  /** The event that failed, as JSON. */
  event?: string;
}

/** What a run shows of an endpoint. The search for causes reads of the other requirements only that they passed. */
export interface RecordedRun {
  failures: readonly RecordedFailure[];
  /** Slugs of requirements without a pass, where no failure of a probe of the same subject is recorded. */
  open: readonly string[];
}

/** The recorded run of each endpoint, by its name: node test/diagnosis/mistakes-proof.ts --check --write. */
export const runsFile = new URL('../mistake-runs.json', import.meta.url);

/** Milliseconds for the causes, so that a busy machine does not end the search. */
const withinMs = 120_000;

/** The checks of this run, with the causes that `check` reports. */
export async function explainedChecks(mistake: Mistake, run: RecordedRun): Promise<CheckResult[]> {
  await using running = await mistake.start();
  const config = mistakeConfig(mistake, running);
  return await addCauses(
    { checks: checksOf(mistake, run), exchanges: [] },
    { config, seed: 3, redact: configRedactor(config), withinMs },
  );
}

/**
 * What `check` reports and the diagnosis contradicts, one sentence each. A certain cause must be a mistake of the endpoint,
 * or one that the diagnosis has confirmed, and belong to a requirement that it explains; a possible one must be one of
 * them, a symptom of the mistake, or one of its suspects.
 */
export function disagreements(
  checks: readonly CheckResult[],
  { causes, and = [], ofCheck = [], mayAlso = [], symptoms = [] }: Mistake,
  { confirmed, suspects, closedAt }: CauseSearch,
): string[] {
  const certain = new Set<string>([...causes, ...and, ...ofCheck, ...mayAlso, ...confirmed.map(({ id }) => id)]);
  const possible = new Set<string>([...certain, ...symptoms, ...suspects.map(({ id }) => id)]);
  const reported = checks.flatMap(({ requirement, verdict, causes: own = [] }) =>
    own.map((cause) => ({ requirement, isBlocked: verdict === 'blocked', ...cause })),
  );
  const isExplained = ({ requirement, id, isBlocked }: (typeof reported)[number]) => {
    const found = confirmed.find((one) => one.id === id);
    const probe = probeFor(requirement);
    // Which invalid requests are accepted shows even if the content of valid ones is rejected.
    const isBehind = closedAt !== undefined && (closedAt !== 'protocol' || !isOfAuthentication(probe));
    // Whatever rejects valid signatures explains every delivery that was not accepted.
    const isEntrance = found !== undefined && isEntranceCause(found) && everyAcceptance.test(slugOf(requirement));
    if (isBlocked || isBehind || isEntrance || found?.stage === 'http') return true;
    const { explains, explainsOtherProbes } = causeOf(id as CauseId);
    const isReached =
      explainsOtherProbes === true ||
      found?.probe === undefined ||
      probesFor(requirement).some((one) => isOfSameSubject(found.probe, one));
    return isReached && explains?.test(slugOf(requirement)) !== false;
  };
  const wrong = reported.flatMap((one) => {
    const { requirement, id } = one;
    if (!(one.certain ? certain : possible).has(id))
      return [`${requirement}: ${one.certain ? 'certainly' : 'possibly'} ${id}, which the diagnosis does not report`];
    return one.certain && !isExplained(one) ? [`${requirement}: ${id}, which does not explain it`] : [];
  });
  const missing = ofCheck.filter((id) => !reported.some((one) => one.id === id));
  return [...wrong, ...missing.map((id) => `no failure has the cause ${id}`)];
}

function checksOf({ surface }: Mistake, { failures, open }: RecordedRun): CheckResult[] {
  const others = new Set([...open.map((slug) => `${surface}/${slug}`), ...failures.map((one) => one.requirement)]);
  const passed = Object.entries<Requirement>(requirements)
    .filter(([id, { unobservable }]) => surfaceOf(id) === surface && unobservable === undefined && !others.has(id))
    .map(([requirement]) => resultOf(surface, { requirement, verdict: 'pass' }));
  return [...failures.map((failure) => checkOf(surface, failure)), ...passed];
}

function checkOf(surface: string, { event, ...failure }: RecordedFailure): CheckResult {
  const check = resultOf(surface, failure);
  if (event === undefined) return check;
  return { ...check, counterexample: { seed: 1, path: '0', runs: 1, shrinks: 0, event, differences: [] } };
}

function resultOf(surface: string, over: Pick<CheckResult, 'requirement' | 'verdict'>): CheckResult {
  const { requirement } = over;
  return {
    id: `${requirement}#recorded`,
    surface,
    title: requirement,
    level: 'must',
    durationMs: 0,
    evidence: [],
    ...over,
  };
}
