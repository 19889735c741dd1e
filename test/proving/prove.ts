import { parseLinkList } from '../../harness/client/deep-links.ts';
import { runSuites, type FinishedCheck } from '../../harness/checks/engine.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { isRequirementId, type RequirementId } from '../../specs/requirements/catalogue.ts';
import { startingWithoutProcess } from './client-start.ts';
import { apiKeyOf, setUp, startEndpoint, type RunningEndpoint } from './endpoint.ts';
import type { ProofEndpoint } from './proof-endpoints.ts';
import { runRegistered } from './run-registered.ts';
import type { Security } from './wire.ts';

/** One check that failed or was blocked. */
export interface Complaint {
  requirement: RequirementId;
  check: string;
  verdict: 'fail' | 'blocked';
  message: string;
}

/** Result of a run against one endpoint. */
export interface ProofResult {
  name: string;
  /** Whether the requirement that must fail has failed. */
  caught: boolean;
  /** Checks of that requirement that failed. */
  catchers: string[];
  /** Complaints about anything else that are not excused. */
  accusations: Complaint[];
  /** Every complaint. */
  complaints: Complaint[];
  checks: number;
  /** Ids of the checks that passed. */
  passed: string[];
  ms: number;
}

/**
 * Extent of the suites that run against a mutant: those of its surface, in the engine, or only the checks of the
 * requirement that it breaks, without it.
 */
export type ProofExtent = 'whole' | 'broken';

/**
 * Runs the suites of the endpoint's surfaces against it, over TLS if `security` is given; a correct endpoint always runs
 * against all of them.
 *
 * @param extent a list contains the ids of the checks to run, without the engine
 */
export async function prove(
  endpoint: ProofEndpoint,
  extent: ProofExtent | readonly string[],
  security?: Security,
): Promise<ProofResult> {
  const from = performance.now();
  await using running = await startEndpoint(endpoint.build(), security);
  const settings = proofSettings(endpoint, running, extent);
  const checks = await (extent === 'whole' ? runSuites : runRegistered)({
    settings,
    surfaces: endpoint.surfaces,
  });
  const complaints = checks.flatMap(complaintOf);
  const catchers = complaints
    .filter(({ requirement, verdict }) => requirement === endpoint.breaks && verdict === 'fail')
    .map(({ check }) => check);
  return {
    name: endpoint.name,
    caught: catchers.length > 0,
    catchers: [...new Set(catchers)].sort(),
    accusations: complaints.filter(({ requirement }) => !endpoint.isExcused(requirement)),
    complaints,
    checks: checks.length,
    passed: checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
    ms: Math.round(performance.now() - from),
  };
}

function complaintOf({ id, requirement, verdict, message = '' }: FinishedCheck): Complaint[] {
  if ((verdict !== 'fail' && verdict !== 'blocked') || !isRequirementId(requirement)) return [];
  return [{ requirement, check: id, verdict, message }];
}

/**
 * Milliseconds after which a callback counts as late here: few for a mutant, which may never call back, but enough for
 * a variant whose process is delayed by other runs.
 */
const callbackWithinMs = { mutant: 2_500, variant: 6_000 };

/**
 * Milliseconds in which a repetition is awaited: longer for mutants whose late repetition must come while the run lasts.
 */
const retryWatchMs = { usual: 600, late: 2_500 };

/** The settings of a run against one endpoint of the proof. */
export function proofSettings(
  endpoint: ProofEndpoint,
  { crm, hooks, chat, voice, state, client, links }: RunningEndpoint,
  extent: ProofExtent | readonly string[],
): RunSettings {
  const { name, surfaces, breaks, subscribed, knowsNobody, brand } = endpoint;
  const callbackMs = breaks === undefined ? callbackWithinMs.variant : callbackWithinMs.mutant;
  return {
    config: {
      ...(brand !== undefined && { brand }),
      ...(surfaces.includes('crm-webhook') && { crmWebhook: { url: crm, token: setUp.token } }),
      ...(surfaces.includes('api-webhooks') && {
        apiWebhooks: { url: hooks, secret: setUp.hookSecret, ...(subscribed && { events: subscribed }) },
      }),
      ...(surfaces.includes('own-ai-chat') && { chat: { url: chat, secret: setUp.agentSecret, timeoutSeconds: 2 } }),
      ...(surfaces.includes('own-ai-phone') && { phone: { url: voice, secret: setUp.agentSecret, timeoutSeconds: 2 } }),
      ...(surfaces.includes('api-client') && { apiClient: startBy(client) }),
      ...(surfaces.includes('deep-links') && {
        deepLinks: { file: 'links.txt', links: parseLinkList(Buffer.from(links.join('\n'))) },
      }),
      skills: setUp.skills,
      stimuli: knowsNobody ? withoutCaller : setUp.stimuli,
      observe: { url: state },
      service: { host: '127.0.0.1', port: 0, apiKey: apiKeyOf(brand) },
    },
    seed: seedOf(name),
    runs: 30,
    callbackWaitMs: callbackMs,
    callbackLimitMs: callbackMs,
    // No phone endpoint here takes longer than its timeoutSeconds, and silence is waited for many times.
    answerTimeoutMs: surfaces.includes('own-ai-phone') ? 3_500 : 4_000,
    quietMs: 200,
    shrinkMs: 1_500,
    propertyMs: 6_000,
    retryWatchMs: endpoint.watchMs ?? (endpoint.needsTheRest === undefined ? retryWatchMs.usual : retryWatchMs.late),
    only: selectChecks(endpoint, extent),
    ...(extent !== 'whole' && { startClient: startingWithoutProcess(client) }),
  };
}

function selectChecks(
  { breaks, breaksToo, needsTheRest }: ProofEndpoint,
  extent: ProofExtent | readonly string[],
): string[] {
  if (extent !== 'whole' && extent !== 'broken') return [...extent];
  if (extent === 'whole' || breaks === undefined || needsTheRest !== undefined) return [];
  return [breaks, ...(breaksToo === undefined ? [] : [breaksToo])];
}

const { knownCaller: _, ...withoutCaller } = setUp.stimuli;

/** The command that has the endpoint's client run once, as an integrator would configure it. */
function startBy(url: string): NonNullable<RunSettings['config']['apiClient']> {
  return {
    command: `"${process.execPath}" start-client.js ${url}`,
    timeoutSeconds: 30,
    directory: import.meta.dirname,
  };
}

/** A separate seed for each endpoint, the same in every run. */
export function seedOf(name: string): number {
  let seed = 7;
  for (const character of name) seed = (seed * 31 + (character.codePointAt(0) ?? 0)) % 0x7fff_ffff;
  return seed;
}
