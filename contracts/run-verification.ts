import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinishedCheck } from '../harness/engine.ts';
import { HarnessFault } from '../harness/faults.ts';
import { Session } from '../harness/session.ts';
import type { RunSettings } from '../harness/settings.ts';
import { answerPatience } from './answer-patience.ts';
import { contractChecks, type ContractCheck } from './contract-checks.ts';
import { serviceContracts, type ServiceContract } from './contract-files.ts';
import { InteractionTrial } from './interaction-trial.ts';
import { messagePath, runPactVerifier, statePath, type VerifierFilter } from './pact-verifier.ts';

/** What is verified. */
export interface Verification {
  readonly settings: RunSettings;
  /** Surfaces whose contracts are verified; those without one are passed over. */
  readonly surfaces: readonly string[];
  /** Default: the service's contracts for these surfaces. */
  readonly contracts?: readonly ServiceContract[];
  readonly onCheck?: ((check: FinishedCheck) => void) | undefined;
}

/** Name of the one state that the verifier sees: it stands for all that an interaction asks for. */
const anyState = 'as the interaction asks';
/** Milliseconds beyond our own patience until the verifier gives an answer up: what did not come is ours to say. */
const beyondPatienceMs = 60_000;

/**
 * Verifies the service's contracts against the endpoints of a config with Pact's verifier, in this process. The verifier
 * writes to the standard output of the process, so this runs in one of its own (`verifyContracts`).
 *
 * @returns a check for each interaction, in the order of the contracts
 * @throws HarnessFault when the inbox cannot listen, or the verifier cannot be run
 */
export async function runVerification({
  settings,
  surfaces,
  contracts,
  onCheck,
}: Verification): Promise<FinishedCheck[]> {
  const checks = contractChecks(contracts ?? (await serviceContracts(surfaces)), settings.only);
  if (checks.length === 0) return [];
  await using session = await Session.open(settings);
  const byFile = [...Map.groupBy(checks, ({ contract }) => contract.file).values()];
  const finished = await Promise.all(byFile.map((ofOne) => verifyOne(ofOne, session)));
  const all = finished.flat();
  for (const check of all) onCheck?.(check);
  return all;
}

async function verifyOne(checks: readonly ContractCheck[], session: Session): Promise<FinishedCheck[]> {
  const [first] = checks;
  if (!first) return [];
  const { pact, surface, file } = first.contract;
  const trials = checks.map((check) => new InteractionTrial(check, session));
  const folder = await mkdtemp(join(tmpdir(), 'svc-conform-'));
  try {
    const path = join(folder, file);
    const interactions = checks.map(({ interaction }, at) => ({
      ...interaction,
      key: String(at),
      providerStates: [{ name: anyState, params: { trial: at } }],
    }));
    await writeFile(path, JSON.stringify({ ...pact, interactions }));
    const results = await runPactVerifier({
      provider: surface,
      file: path,
      timeoutMs: answerPatience(session.settings) + beyondPatienceMs,
      filter: filterOf(trials),
    });
    const byKey = new Map(results.map((result) => [result.interactionKey, result]));
    return trials.map((trial, at) => trial.finish(byKey.get(String(at))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The verifier goes through a file one by one: what it asks after the states of an interaction belongs to that one. */
function filterOf(trials: readonly InteractionTrial[]): VerifierFilter {
  let current: InteractionTrial | undefined;
  return async ({ path, body }) => {
    if (path === statePath) {
      const { action, params } = body as { action: string; params?: { trial?: number } };
      current = trials[params?.trial ?? -1];
      if (action === 'teardown') await current?.tearDown();
      return json(action === 'setup' ? await current?.setUp() : {});
    }
    if (!current) throw new HarnessFault('engine-failed', "Pact's verifier sent a request without its state.");
    return path === messagePath ? json(await current.talk()) : await current.deliver(body);
  };
}

function json(value: unknown = null) {
  return {
    status: 200,
    headers: [['content-type', 'application/json']] as const,
    body: Buffer.from(JSON.stringify(value)),
  };
}
