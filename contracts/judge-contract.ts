import { DocumentComparison, operationOf } from './document-comparison.ts';
import { readConsumerContract, type ConsumerInteraction, type OtherInteraction } from './consumer-contract.ts';
import {
  findingKinds,
  verdictOf,
  worstInteractionVerdict,
  type ContractFinding,
  type ContractPlace,
  type JudgedContract,
  type JudgedInteraction,
} from './contract-finding.ts';
import { replayContract } from './replay-contract.ts';
import { replayFindings } from './replay-findings.ts';
import type { ReplayedInteraction } from './replay-interactions.ts';
import type { StateTranslations } from './state-translations.ts';

/**
 * Judges a consumer's contract for API v1: expectations that the OpenAPI document does not meet, and the answers of the
 * simulated service in the required states.
 *
 * @param text of a Pact file, version 1 to 4
 * @param words translations of states that are not ours
 * @throws ContractFault for an invalid file, HarnessFault `engine-failed` when Pact cannot be run
 */
export async function judgeContract(text: string, words: StateTranslations = new Map()): Promise<JudgedContract> {
  const { consumer, provider, version, interactions, others } = readConsumerContract(text, words);
  const document = await DocumentComparison.open();
  const replayed = interactions.length === 0 ? [] : await replayContract(text, words);
  const judged: JudgedInteraction[] = [];
  for (const interaction of interactions) {
    const replay = replayed.find(({ index }) => index === interaction.index);
    judged.push(judgeInteraction(interaction, await document.compare(interaction), replay));
  }
  judged.push(...others.map(otherInteraction));
  judged.sort((a, b) => a.index - b.index);
  return {
    consumer,
    provider,
    pactVersion: version,
    verdict: worstInteractionVerdict(judged.map(({ verdict }) => verdict)),
    interactions: judged,
  };
}

function judgeInteraction(
  interaction: ConsumerInteraction,
  ofDocument: readonly ContractFinding[],
  replay: ReplayedInteraction | undefined,
): JudgedInteraction {
  const { index, description, states, request } = interaction;
  const operation = operationOf(interaction);
  const ofReplay = replay ? replayFindings(interaction, operation, replay) : [];
  const findings = [...ofDocument, ...ofReplay.filter((finding) => !isReported(finding, ofDocument))].toSorted(
    (a, b) => findingKinds.indexOf(a.kind) - findingKinds.indexOf(b.kind),
  );
  return {
    index,
    description,
    states: states.map(({ name }) => name),
    request: `${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`,
    ...(operation !== undefined && { operation }),
    verdict: verdictOf(findings),
    replayed: replay?.answer !== undefined,
    findings,
  };
}

/** Whether the document check already reported this, or its cause. */
function isReported(finding: ContractFinding, reported: readonly ContractFinding[]): boolean {
  const serious = reported.filter(({ kind }) => kind !== 'note');
  if (finding.kind === 'not-shown' && serious.some(({ assumption }) => assumption === finding.assumption)) return true;
  if (finding.kind === 'not-judged' && serious.some(({ kind }) => kind === 'not-judged')) return true;
  if (finding.place === 'status' && serious.some(({ place }) => refuses(place, finding.status))) return true;
  return serious.some(({ place, pointer }) => {
    if (place !== finding.place) return false;
    if (place === 'status') return true;
    return pointer.toLowerCase() === finding.pointer.toLowerCase() || finding.pointer.startsWith(`${pointer}/`);
  });
}

/** Statuses that can result from the reported part of a request; any that the path has. */
const refusals: Readonly<Partial<Record<ContractPlace, readonly number[]>>> = {
  query: [400],
  'request-header': [400, 406, 415],
  'request-body': [400, 413, 415, 422],
};

/** Whether a status is the consequence of an issue with this part of the request. */
function refuses(place: ContractPlace, status: number | undefined): boolean {
  return place === 'path' || (status !== undefined && refusals[place]?.includes(status) === true);
}

function otherInteraction({ index, description, type }: OtherInteraction): JudgedInteraction {
  const finding: ContractFinding = {
    kind: 'not-judged',
    place: 'path',
    pointer: `/interactions/${index}`,
    expected: `an interaction of the type ${type}`,
    received: 'API v1 is HTTP',
    advice: 'Remove it from this contract. The frames of the own-AI phone are verified with svc-conform pact verify.',
  };
  return { index, description, states: [], request: type, verdict: 'not-judged', replayed: false, findings: [finding] };
}
