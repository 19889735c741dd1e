import { isContractCheck } from '../../contracts/contract-checks.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { runSuites } from '../../harness/checks/engine.ts';
import { collectOwnSuites } from '../../harness/checks/own-suites.ts';
import { watchGroups } from '../../harness/start/process-group.ts';
import type { ResolvedConfig, RunSettings } from '../../harness/config/settings.ts';
import { isCrashRequirement } from '../../specs/crash-requirements.ts';
import type { CheckResult, Exchange, Report, Stimuli } from '../../specs/generated/types.ts';
import { runWithContracts } from '../execute/contract-run.ts';
import { beforeEnd } from '../execute/end-on-signals.ts';
import { behavesOtherwise, differsInMessage } from './behaves-otherwise.ts';
import type { Replayed } from './replay-result.ts';
import { counterexamplePath, secondsUpTo, wholeNumber, type ReadValue } from '../run-values.ts';
import { mostCallbackWaitSeconds, maxAnswerTimeoutSeconds, mostRuns } from '../run-input.ts';
import { runSettings } from '../plan/run-settings.ts';
import { splitCommand } from '../plan/split-command.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Repeats checks of a report with their seed, counterexample and timeouts. A check that now passes alone, but without the
 * deciding exchange of the report, or has nothing to judge any more, is repeated with all checks of its surface: it may
 * depend on effects of the others, or on what the endpoint does instead.
 */
export async function replayChecks(
  checks: readonly CheckResult[],
  report: Report,
  config: ResolvedConfig,
): Promise<Replayed[]> {
  using clients = watchGroups();
  using _end = beforeEnd(() => clients.killAll());
  const isOwn = ({ requirement }: CheckResult) => report.requirements.some(({ id, own }) => id === requirement && own);
  const ownSuites = checks.some(isOwn) && config.suites ? (await collectOwnSuites(config.suites)).files : undefined;
  const settingsOf = (group: readonly CheckResult[], only = group.map(({ id }) => id)): RunSettings => ({
    ...runSettings(config, { ...flagsOf(group, report), only, chaos: group.some(isOfCrash) }),
    ...(ownSuites && { ownSuites }),
  });
  const finished = new Map<string, FinishedCheck>();
  const run = async (group: readonly CheckResult[], settings: RunSettings) => {
    const surfaces = [...new Set(group.map(({ surface }) => surface))];
    const runChecks = group.some(isContractCheck) ? runWithContracts('alone') : runSuites;
    const all = await runChecks({ settings, surfaces });
    for (const check of all) if (group.some(({ id }) => id === check.id)) finished.set(check.id, check);
    return all;
  };
  for (const group of groupsOf(checks)) await run(group, settingsOf(group));
  const doubtful = checks.filter((check) => isDoubtful(check, finished.get(check.id), report));
  const whole = new Map<string, readonly FinishedCheck[]>();
  for (const [surface, group] of Map.groupBy(doubtful, (check) => check.surface))
    whole.set(surface, await run(group, settingsOf(group, [])));
  return checks.map((check) =>
    compared(check, finished.get(check.id), report, config.stimuli, whole.get(check.surface)),
  );
}

/** Whether the endpoint is killed to repeat this check; only a process or container that this replay started is. */
function isOfCrash({ requirement }: CheckResult): boolean {
  return isCrashRequirement(requirement);
}

/** Groups checks: each counterexample needs a separate run, and contracts have a separate verifier. */
function groupsOf(checks: readonly CheckResult[]): CheckResult[][] {
  const groups = Map.groupBy(checks, (check) => {
    if (isContractCheck(check)) return 'contracts';
    return isGenerated(check) ? check.id : 'suites';
  });
  return [...groups.values()];
}

function isGenerated({ counterexample }: CheckResult): boolean {
  return counterexample !== undefined && counterexample.path !== '';
}

/** The flags of a check's command, or the values of the report. The limits of the flags apply. */
function flagsOf([first, ...others]: readonly CheckResult[], { seed, selection }: Report) {
  const words = splitCommand(first?.reproduce ?? '');
  const valueOf = (flag: string) => (words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined);
  const example = others.length === 0 && first && isGenerated(first) ? first.counterexample : undefined;
  const runs = asFlag('--runs', valueOf('--runs') ?? selection?.runs, wholeNumber(1, mostRuns));
  const answerTimeout = asFlag('--answer-timeout', valueOf('--answer-timeout'), secondsUpTo(maxAnswerTimeoutSeconds));
  const waitSeconds = selection?.callbackWaitMs === undefined ? undefined : selection.callbackWaitMs / 1000;
  const callbackWait = asFlag('--callback-wait', waitSeconds, secondsUpTo(mostCallbackWaitSeconds));
  const path = asFlag('--path', example?.path, counterexamplePath);
  return {
    surface: [],
    out: '',
    diagnose: false,
    seed: example?.seed ?? seed,
    ...(runs !== undefined && { runs }),
    ...(answerTimeout !== undefined && { answerTimeout }),
    ...(callbackWait !== undefined && { callbackWait }),
    ...(words.includes('--thorough') && { thorough: true }),
    ...(path !== undefined && { path }),
  };
}

/** A value of the report as the flag reads it. @throws HarnessFault for one that the flag refuses */
function asFlag<Value>(flag: string, given: string | number | undefined, read: ReadValue<Value>) {
  if (given === undefined) return undefined;
  try {
    return read(String(given));
  } catch (error) {
    throw new HarnessFault(
      'value-invalid:option',
      { option: `${flag} in the report`, reason: (error as Error).message, received: String(given) },
      { cause: error },
    );
  }
}

/** Whether a failed check now passes alone, but its deciding exchange did not occur again, or has nothing to judge. */
function isDoubtful(check: CheckResult, now: FinishedCheck | undefined, report: Report): boolean {
  if (check.verdict !== 'fail' || isContractCheck(check) || isGenerated(check) || isOfCrash(check)) return false;
  const label = decidingOf(check, report)?.label;
  if (label === undefined) return false;
  if (now?.verdict === 'not-exercised') return true;
  return now?.verdict === 'pass' && !now.evidence.some((record) => record.label === label);
}

function decidingOf({ evidence }: CheckResult, { exchanges }: Report): Exchange | undefined {
  return exchanges.find(({ id }) => id === evidence.at(-1));
}

/** The exchanges that a check judged, the deciding one last. */
function judgedOf({ evidence }: CheckResult, { exchanges }: Report): Exchange[] {
  return evidence.flatMap((id) => exchanges.find((exchange) => exchange.id === id) ?? []);
}

function compared(
  check: CheckResult,
  now: FinishedCheck | undefined,
  report: Report,
  stimuli: Stimuli,
  whole: readonly FinishedCheck[] = [],
): Replayed {
  const was = check.verdict === 'pass' ? 'it passed' : (check.message ?? check.verdict);
  const result = (outcome: Replayed['outcome'], text: string): Replayed => ({
    id: check.id,
    kind: 'check',
    outcome,
    was,
    now: text,
  });
  if (!now) return result('not-tried', 'this version has no such check, or its suite was not found');
  const message = now.message ?? now.verdict;
  const failed = check.verdict === 'fail';
  const isOpen = failed || check.verdict === 'blocked';
  switch (now.verdict) {
    case 'pass':
      if (failed && !isGenerated(check) && differsInMessage(decidingOf(check, report), [now, ...whole])) {
        return result(
          'not-tried',
          'the message that decided it was sent with other words, as after a change of stimuli in the config',
        );
      }
      return result(isOpen ? 'fixed' : 'same', 'it passes');
    case 'fail':
      if (!failed) return result('different', message);
      return result(isSameFailure(check, now, report) ? 'still-failing' : 'different', message);
    case 'blocked':
      // Nothing was judged: an endpoint that only hung for a moment does not fail differently.
      return result('not-tried', message);
    case 'not-exercised':
      if (failed && behavesOtherwise({ judged: judgedOf(check, report), now: whole, recorded: report.checks, stimuli }))
        return result('fixed', `the endpoint behaves in another permitted way, and nothing new fails: ${message}`);
      return result(isOpen ? 'not-tried' : 'same', message);
    case 'not-applicable':
      return result(isOpen ? 'not-tried' : 'same', message);
  }
}

/** Whether the same rule fails, with an answer of the same kind. */
function isSameFailure(check: CheckResult, { finding, evidence }: FinishedCheck, report: Report): boolean {
  const deciding = decidingOf(check, report);
  const now = evidence.at(-1);
  const answer = (exchange: Pick<Exchange, 'outcome' | 'response'> | undefined) =>
    exchange && `${exchange.outcome} ${exchange.response?.status ?? ''}`;
  return plain(check.expected) === plain(finding?.expected) && answer(deciding) === answer(now);
}

/** Replaces the parts that differ from run to run: addresses, ids, numbers. */
function plain(text: string | undefined): string {
  return (text ?? '').replaceAll(/\b(?:https?|wss?):\/\/\S+/g, 'address').replaceAll(/\b[0-9a-f]{16,}\b|\d+/g, 'n');
}
