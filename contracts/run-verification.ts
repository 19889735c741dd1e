import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { Session } from '../harness/checks/session.ts';
import type { ClientTraffic } from '../harness/client/api-exchange.ts';
import type { RunSettings } from '../harness/config/settings.ts';
import { maxAnswerWaitMs } from './contract-timeouts.ts';
import { contractChecks, type ContractCheck } from './contract-checks.ts';
import { serviceContracts, type ServiceContract } from './contract-files.ts';
import { InteractionTrial } from './interaction-trial.ts';
import { messagePath, runPactVerifier, statePath, type VerifierFilter } from './pact-verifier.ts';

/** A verification to run. */
export interface VerificationRequest {
  readonly settings: RunSettings;
  /** Surfaces whose contracts are verified; those without one are skipped. */
  readonly surfaces: readonly string[];
  /** Default: the service's contracts for these surfaces. */
  readonly contracts?: readonly ServiceContract[];
  /** Called with each interaction as it ends. */
  readonly onCheck?: ((check: FinishedCheck) => void) | undefined;
  /** Called at the end with the requests to API v1 that the endpoint sent on its own. */
  readonly onObserved?: ((traffic: ClientTraffic) => void) | undefined;
}

/** Name of the one state that the verifier sees: it represents all states of an interaction. */
const anyState = 'as the interaction requires';
/** Milliseconds beyond our own timeout until the verifier's: a missing answer is ours to report. */
const beyondTimeoutMs = 60_000;

/**
 * Verifies the service's contracts against the endpoints of a config with Pact's verifier, in this process. The
 * verifier writes to the standard output of the process, so this runs in a separate one (`verifyContracts`).
 *
 * @returns a check for each interaction, in the order of the contracts
 * @throws HarnessFault when the inbox cannot listen, or the verifier cannot be run
 */
export async function runVerification({
  settings,
  surfaces,
  contracts,
  onCheck,
  onObserved,
}: VerificationRequest): Promise<FinishedCheck[]> {
  const checks = contractChecks(contracts ?? (await serviceContracts(surfaces)), settings.only);
  if (checks.length === 0) return [];
  await using session = await Session.open(settings);
  const byFile = [...Map.groupBy(checks, ({ contract }) => contract.file).values()];
  const finished = await Promise.all(
    byFile.map(async (ofOne) => {
      const ended: FinishedCheck[] = [];
      for (const check of ofOne) {
        const one = await verifyOne(check, session);
        ended.push(one);
        onCheck?.(one);
      }
      return ended;
    }),
  );
  if (onObserved) {
    // An endpoint may act a moment after its answer.
    await delay(settings.quietMs);
    onObserved(session.client.observed(session.inbox));
  }
  return finished.flat();
}

/** The verifier reports results only at its end, so each interaction has a separate run, which costs milliseconds. */
async function verifyOne(check: ContractCheck, session: Session): Promise<FinishedCheck> {
  const { contract, interaction } = check;
  const trial = new InteractionTrial(check, session);
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-'));
  try {
    const file = join(directory, contract.file);
    const alone = { ...interaction, providerStates: [{ name: anyState }] };
    await writeFile(file, JSON.stringify({ ...contract.pact, interactions: [alone] }));
    const [result] = await runPactVerifier({
      provider: contract.surface,
      file,
      timeoutMs: maxAnswerWaitMs(session.settings) + beyondTimeoutMs,
      filter: filterOf(trial),
    });
    return trial.finish(result);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function filterOf(trial: InteractionTrial): VerifierFilter {
  return async ({ path, body }) => {
    if (path === statePath) {
      const { action } = body as { action: string };
      if (action === 'teardown') await trial.tearDown();
      return json(action === 'setup' ? await trial.setUp() : {});
    }
    return path === messagePath ? json(await trial.talk()) : await trial.deliver(body);
  };
}

function json(value: unknown = null) {
  return {
    status: 200,
    headers: [['content-type', 'application/json']] as const,
    body: Buffer.from(JSON.stringify(value)),
  };
}
