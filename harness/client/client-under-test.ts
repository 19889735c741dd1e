import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { SimulatedService } from '../../service/simulated-service.ts';
import { apiArrival } from '../wire/api-effects.ts';
import type { ApiExchange, ClientTraffic, Round, TroubleKind } from './api-exchange.ts';
import { runClient, type ClientExit } from './run-client.ts';
import { ClientTroubles } from './client-troubles.ts';
import { HarnessFault } from '../checks/faults.ts';
import { RecordedExchanges } from './recorded-exchanges.ts';
import { randomToken } from '../wire/inbox.ts';
import { noOutbound } from '../wire/no-outbound.ts';
import type { NamedSecret } from '../../service/redact.ts';
import { configRedactor } from '../config/config-redactor.ts';
import type { ResolvedConfig, RunSettings } from '../config/settings.ts';

/** Maximum number of exchanges kept. */
const maxExchanges = 5_000;
/** Milliseconds by which the service's clock advances between the two rounds, so that rate limits start anew. */
const betweenRoundsMs = 120_000;

/** The integrator's client and its traffic to the simulated API. */
export class ClientUnderTest {
  readonly #settings: RunSettings;
  #traffic: Promise<ClientTraffic> | undefined;
  #secrets: readonly NamedSecret[] = [];

  constructor(settings: RunSettings) {
    this.#settings = settings;
  }

  /**
   * All traffic of the client: recorded, or produced by starting it twice, undisturbed and then with troubles. Throws
   * {@link HarnessFault} `client-not-started` and `client-silent`.
   */
  traffic(): Promise<ClientTraffic> {
    return (this.#traffic ??= this.#load());
  }

  /** Secrets issued to the client; empty until its traffic is available. */
  get secrets(): readonly NamedSecret[] {
    return this.#secrets;
  }

  async #load(): Promise<ClientTraffic> {
    const { recorded, config } = this.#settings;
    const traffic = recorded ?? (await exercise(config));
    this.#secrets = traffic.secrets;
    return traffic;
  }
}

async function exercise(config: ResolvedConfig): Promise<ClientTraffic> {
  const { apiClient, skills } = config;
  if (!apiClient) throw new HarnessFault('check-broken:not-configured', { key: 'apiClient' });
  const apiKey = config.service.apiKey ?? `svc_sk_${randomToken()}`;
  const recorded = new RecordedExchanges({ mostExchanges: maxExchanges, withRefusedBodies: true });
  const met = new Map<number, TroubleKind>();
  const troubles = new ClientTroubles();
  /** A request that was in flight when its client ended belongs to the round in which it arrived. */
  let troubledFrom = Infinity;
  const roundOf = ({ at }: { at: number }): Round => (at < troubledFrom ? 'undisturbed' : 'troubled');
  await using service = await SimulatedService.open({
    outbound: noOutbound,
    inboxes: [{ apiKeys: { [apiKey]: 'The client under test' }, skills: skills.length > 0 ? skills : undefined }],
    apiHooks: {
      trouble: (request) => {
        const trouble = roundOf(request) === 'troubled' ? troubles.meet(request) : undefined;
        if (trouble) met.set(request.at, trouble.name);
        return trouble;
      },
      onExchange: (record) => recorded.add(record),
    },
  });
  const projectIds = { undisturbed: 0, troubled: 0 };
  const run = async (round: Round): Promise<ClientExit> => {
    const conversation = conversationOf(service);
    projectIds[round] = Number(conversation.SVC_PROJECT_ID);
    return await runClient(apiClient.command, {
      env: { SVC_BASE_URL: service.baseUrl, SVC_API_KEY: apiKey, ...conversation },
      cwd: apiClient.directory,
      timeoutMs: apiClient.timeoutSeconds * 1000,
    });
  };
  const first = await run('undisturbed');
  const failure = failureOf(first, config, apiKey);
  if (recorded.kept.length === 0 && failure) {
    throw new HarnessFault(first.how === 'not-started' ? 'client-not-started' : 'client-silent', { failure });
  }
  await service.clock.move(betweenRoundsMs);
  troubledFrom = performance.now();
  const second = await run('troubled');
  return {
    exchanges: recorded.kept
      .map((record) => clientExchange(record, service.baseUrl, roundOf(record), met))
      .toSorted((a, b) => a.at - b.at),
    apiKeys: [apiKey],
    // A client that timed out may not have reached all of its requests.
    ...(failure !== undefined && first.how !== 'timed-out' && { failure }),
    ...(([first, second].some(({ how }) => how === 'timed-out') || recorded.leftOut > 0) && { cutShort: true }),
    ...(recorded.leftOut > 0 && { leftOut: describeOmitted(recorded) }),
    projectIds,
    secrets: issuedSecrets(service),
    skills,
  };
}

function describeOmitted({ leftOut, room }: RecordedExchanges): string {
  const requests = leftOut === 1 ? '1 request of the client was' : `${leftOut} requests of the client were`;
  return `${requests} not kept and could not be judged; the maximum is ${room}. Reduce the number of requests.`;
}

/** Converts a request of a client and its outcome for the checks. */
export function clientExchange(
  record: ApiExchangeRecord,
  baseUrl: string,
  round: Round,
  met: ReadonlyMap<number, TroubleKind> = new Map(),
): ApiExchange {
  const trouble = met.get(record.at);
  return {
    ...apiArrival(record, baseUrl),
    kind: 'api',
    path: record.url,
    round,
    serviceTimeMs: record.serviceTimeMs,
    ...(trouble !== undefined && { trouble }),
    ...(record.unsentStatus !== undefined && { unsentStatus: record.unsentStatus }),
    ended: record.response !== 'cut' ? 'answered' : record.abandoned === true ? 'abandoned' : 'cut',
    endedAt: record.endedAt,
  };
}

/** Secrets that a client has received or created at this service and must keep confidential. */
export function issuedSecrets({ inboxes }: SimulatedService): NamedSecret[] {
  return inboxes.flatMap(({ workspace }) => [
    ...[...workspace.keys.keys()].map((value) => ({ name: 'API key', value })),
    ...[...workspace.agents.values()]
      .flatMap(({ secret }) => secret ?? [])
      .map((value) => ({ name: 'agent secret', value })),
    ...(workspace.crmWebhook ? [{ name: 'webhook token', value: workspace.crmWebhook.token }] : []),
    ...[...workspace.subscriptions.values()].map(({ secret: value }) => ({ name: 'webhook secret', value })),
  ]);
}

/** A conversation assigned to an own-AI assistant, for clients that reply or run skills. */
function conversationOf({ inbox }: SimulatedService): Record<string, string> {
  const [agent] = inbox.workspace.agents.values();
  const [contact] = inbox.workspace.contacts.values();
  if (!agent || !contact) return {};
  const project = inbox.conversations.open(contact, 'whatsapp', { agentId: agent.agentId });
  return { SVC_PROJECT_ID: String(project.id), SVC_AGENT_ID: String(agent.agentId) };
}

/**
 * Describes how a client failed, with its latest output; `undefined` for a successful exit. A client that runs until it
 * is terminated may be designed so, unless it sent nothing.
 */
function failureOf({ how, code, output }: ClientExit, config: ResolvedConfig, apiKey: string): string | undefined {
  if (how === 'exited' && code === 0) return undefined;
  const redact = configRedactor(config, [{ name: 'API key', value: apiKey }]);
  const said = redact(output).trim();
  const printed = said === '' ? 'It printed no output.' : `Its latest output:\n${said.slice(-shownOutput)}`;
  const ending = {
    exited: `exited with code ${code ?? ''}`,
    signalled: 'was killed by a signal',
    'timed-out': `was still running after ${config.apiClient?.timeoutSeconds ?? ''} s and was terminated`,
    'not-started': 'could not be started',
  }[how];
  return `The client (${config.apiClient?.command ?? ''}), in the undisturbed round, ${ending}. ${printed}`;
}

/** Characters of a client's output that a message shows. */
const shownOutput = 600;
