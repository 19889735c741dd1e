import { isContractCheck } from '../../contracts/contract-checks.ts';
import { contractSurfaces } from '../../contracts/contract-files.ts';
import { verifyContracts } from '../../contracts/verify-contracts.ts';
import { runSuites, type EngineOptions, type FinishedCheck } from '../../harness/checks/engine.ts';
import type { ClientTraffic } from '../../harness/client/api-exchange.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { Brand } from '../../specs/brand.ts';
import type { Report } from '../../specs/generated/types.ts';
import type { KnownCheck } from '../plan/known-checks.ts';
import type { RunOptions } from '../run-input.ts';
import type { RunChecks } from '../run-plan.ts';
import type { RunContext } from '../run-context.ts';
import { isStopped } from './execute-checks.ts';
import type { SelectedChecks } from '../plan/select-checks.ts';
import { contractsOf, selectContracts } from '../plan/select-contracts.ts';
import { shellCommand } from '../plan/shell-command.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** Whether contracts are verified without the suites, or after them. */
export type ContractsPart = 'alone' | 'after-suites';

/** Refuses options that cannot be combined with contracts. Throws {@link HarnessFault}. */
export function assertContractsFit({ contracts, shard, path }: RunOptions): void {
  if (contracts !== true) return;
  if (shard) {
    throw new HarnessFault('flags-conflict:contracts-shard');
  }
  if (path !== undefined) throw new HarnessFault('flags-conflict:contracts-path');
}

/** The selection for a run with contracts. Throws {@link HarnessFault} when it is empty. */
export async function selectWithContracts(
  part: ContractsPart,
  config: ResolvedConfig,
  options: RunOptions,
  ofSuites: (ofContracts: readonly KnownCheck[]) => Promise<SelectedChecks>,
): Promise<SelectedChecks> {
  if (part === 'alone') return await selectContracts(config, options);
  const selected = await ofSuites(await contractsOf(contractSurfaces));
  const { surfaces } = selected;
  if ((await contractsOf(surfaces)).length === 0) {
    throw new HarnessFault('selection-empty:no-contract', { surfaces, known: contractSurfaces });
  }
  if ((await contractsOf(surfaces, options.only)).length === 0) {
    throw new HarnessFault('selection-empty:only-contracts');
  }
  return selected;
}

/** Returns the function that runs the checks of such a run. */
export function runWithContracts(part: ContractsPart): RunChecks {
  return async (options) => {
    const { surfaces, onCheck } = options;
    // The contracts of a large API need their own time, which the user has asked for.
    const { budgetMs: _, ...settings } = options.settings;
    if (part === 'after-suites') {
      const ofSuites = await runSuites(options);
      if (isStopped(ofSuites)) return ofSuites;
      return [...ofSuites, ...(await verifyContracts({ settings, surfaces, onCheck }))];
    }
    let observed: ClientTraffic | undefined;
    const ofContracts = await verifyContracts({
      settings,
      surfaces,
      onCheck,
      onObserved: (traffic) => (observed = traffic),
    });
    if (isStopped(ofContracts)) return ofContracts;
    return [...ofContracts, ...(await judgeObserved(observed, options))];
  };
}

/** Judges the requests to API v1 that the endpoint sent on its own, as a run of the suites does. */
async function judgeObserved(
  observed: ClientTraffic | undefined,
  { settings, onCheck }: EngineOptions,
): Promise<FinishedCheck[]> {
  if (!observed || observed.exchanges.length === 0 || settings.only.length > 0) return [];
  return await runSuites({
    // Nothing is sent any more, so no request can be made to fail on purpose.
    settings: { ...settings, observed, withoutTrouble: true },
    surfaces: [],
    ...(onCheck && { onCheck }),
  });
}

/**
 * The command that verifies one interaction again, or all of them for a request of the endpoint; `undefined` for a check
 * of the suites.
 *
 * @param command command and flags that select the target
 */
export function verifyAgain(
  command: readonly string[],
  check: FinishedCheck,
  { answerTimeout }: RunOptions,
  seed: number,
): string | undefined {
  const [verb = '', ...flags] = command;
  const isObservedAlone = check.source === 'observed' && verb === 'pact';
  if (!isContractCheck(check) && !isObservedAlone) return undefined;
  const { id, requirement } = check;
  // The demo starts its own endpoint, and selects checks by requirement.
  const words =
    verb === 'demo'
      ? [verb, ...flags, '--contracts', '--only', requirement, '--seed', String(seed)]
      : [
          'pact',
          'verify',
          ...withoutSuites(verb === 'pact' ? flags.slice(1) : flags),
          // Requests of the endpoint come only with all interactions.
          ...(isObservedAlone ? [] : ['--only', id]),
        ];
  return shellCommand([
    'npx',
    'svc-conform',
    ...words,
    ...(answerTimeout === undefined ? [] : ['--answer-timeout', String(answerTimeout)]),
  ]);
}

/** Removes the flags of suites: `pact verify` runs none. */
function withoutSuites(flags: readonly string[]): string[] {
  return flags.filter((flag, at) => flag !== '--suites' && flag !== '--no-suites' && flags[at - 1] !== '--suites');
}

/** Publishes the results to the broker of the config, if any. Returns `false` when the broker did not accept them. */
export async function publishToBroker(
  { settings, redact, output }: RunContext,
  { surfaces }: SelectedChecks,
  report: Report,
): Promise<boolean> {
  const { config, only } = settings;
  const broker = config.pact?.broker;
  if (!broker || surfaces.every((surface) => !contractSurfaces.some((one) => one === surface))) return true;
  const note = output.note;
  if (only.length > 0) {
    note('Nothing was published to the broker: only some interactions were verified.');
    return true;
  }
  const { publishVerification } = await import('../../contracts/publish-verification.ts');
  const { BrokerError } = await import('../../contracts/pact-broker-client.ts');
  try {
    await publishVerification({ broker, brand: Brand.named(config.brand), surfaces, checks: report.checks, note });
  } catch (error) {
    if (!(error instanceof BrokerError)) throw error;
    note(`The results were not published to the broker: ${redact(error.message)}`);
    return false;
  }
  return true;
}
