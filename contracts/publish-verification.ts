import { createHash } from 'node:crypto';
import { Brand } from '../specs/brand.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { protocolRevision } from '../specs/limits.ts';
import type { CheckResult } from '../specs/generated/types.ts';
import { contractChecks, type ContractCheck } from './contract-checks.ts';
import { contractSurfaces, serviceContracts, type ServiceContract } from './contract-files.ts';
import { cutText } from './cut-text.ts';
import { PactBrokerClient, type BrokerSettings, type PactNames } from './pact-broker-client.ts';

/** The data that is published to a broker after a run. */
export interface VerificationToPublish {
  readonly broker: BrokerSettings;
  /** Its names are in what is published; default: that of the document. */
  readonly brand?: Brand;
  /** Surfaces that were verified completely. */
  readonly surfaces: readonly string[];
  /** The checks of the run, including those of contracts. */
  readonly checks: readonly CheckResult[];
  /** Called with a note about each step. */
  readonly note: (line: string) => void;
}

/**
 * Publishes the contracts that the broker lacks, and, with `publish`, the outcome: a result for each provider. It is
 * successful if no `must` failed. Interactions that were not exercised are omitted from the result, so that the broker
 * reports them itself (`can-i-deploy` warns of interactions without a test); a provider with a blocked check, or
 * without any passed one, gets no result.
 *
 * @throws BrokerError when the broker cannot be reached or refuses
 */
export async function publishVerification({
  broker,
  brand = Brand.named(),
  surfaces,
  checks,
  note,
}: VerificationToPublish): Promise<void> {
  const at = new PactBrokerClient(broker);
  const version = await serviceVersion(brand);
  for (const contract of await serviceContracts(surfaces)) {
    const { consumer, provider } = contract.pact;
    const names: PactNames = { provider: provider.name, consumer: consumer.name, consumerApplicationVersion: version };
    const pact =
      (await at.pact(names)) ??
      (await publishContract(at, names, { ...contract, text: brand.text(contract.text) }, note));
    if (!broker.publish || broker.providerVersion === undefined) continue;
    const results = resultsOf(contract, checks);
    const silence = describeMissingResult(results);
    if (silence !== undefined) {
      note(`No result of ${provider.name} was published: ${silence}.`);
      continue;
    }
    if (broker.providerBranch !== undefined) {
      await at.addToBranch(provider.name, broker.providerBranch, broker.providerVersion);
    }
    const success = !results.some(({ result: { verdict, level } }) => verdict === 'fail' && level === 'must');
    await at.publishResult(pact, {
      providerApplicationVersion: broker.providerVersion,
      success,
      testResults: results.flatMap((one) => testResult(one, pact, brand)),
      verifiedBy: { implementation: 'svc-conform', version: protocolRevision },
    });
    note(`Published to ${broker.url}: ${provider.name} ${broker.providerVersion} ${success ? 'verified' : 'failed'}.`);
  }
}

/** Version of the consumer: the protocol, and a hash of all contracts; the same contracts have the same version. */
async function serviceVersion(brand: Brand): Promise<string> {
  const hash = createHash('sha256');
  for (const { text } of await serviceContracts(contractSurfaces)) hash.update(brand.text(text));
  return `${protocolRevision}-${hash.digest('hex').slice(0, 12)}`;
}

async function publishContract(
  broker: PactBrokerClient,
  names: PactNames,
  { file, text }: ServiceContract,
  note: (line: string) => void,
): Promise<Record<string, unknown>> {
  await broker.publishContract(names, text);
  note(`Published to the broker: ${file} as version ${names.consumerApplicationVersion} of ${names.consumer}.`);
  return (await broker.pact(names)) ?? {};
}

/** Characters of a message sent to a broker: it quotes answers of the endpoint. */
const mostCharacters = 400;

interface PublishedResult {
  readonly check: ContractCheck;
  readonly result: CheckResult;
}

function resultsOf(contract: ServiceContract, checks: readonly CheckResult[]): PublishedResult[] {
  const byId = new Map(checks.map((check) => [check.id, check]));
  return contractChecks([contract]).flatMap((check) => {
    const result = byId.get(check.identity.id);
    return result ? [{ check, result }] : [];
  });
}

function describeMissingResult(results: readonly PublishedResult[]): string | undefined {
  const blocked = results.filter(({ result }) => result.verdict === 'blocked').length;
  if (blocked > 0) return `${blocked} of its interactions could not be judged`;
  return results.some(({ result }) => result.verdict === 'pass' || result.verdict === 'fail')
    ? undefined
    : 'none of its interactions was exercised';
}

/** Identified by the id that the broker gave the interaction, found by its description and states. */
function testResult(
  { check: { interaction }, result }: PublishedResult,
  pact: Record<string, unknown>,
  brand: Brand,
): object[] {
  if (result.verdict !== 'pass' && result.verdict !== 'fail') return [];
  const stored = Array.isArray(pact.interactions) ? pact.interactions.filter(isJsonObject) : [];
  const interactionDescription = brand.text(interaction.description);
  const id = stored.find(({ description }) => description === interactionDescription)?._id;
  return [
    {
      ...(typeof id === 'string' && { interactionId: id }),
      interactionDescription,
      success: result.verdict === 'pass',
      ...(result.verdict === 'fail' && {
        mismatches: [{ attribute: 'body', description: cutText(result.message ?? '', mostCharacters) }],
      }),
    },
  ];
}
