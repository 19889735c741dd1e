import { SimulatedService } from '../../service/simulated-service.ts';
import type { ClientTraffic, Round, TroubleKind } from './api-exchange.ts';
import { clientExchange, issuedSecrets } from './client-exchange.ts';
import { ObservedRequests } from './observed-requests.ts';
import { runClient, type ClientExit } from './run-client.ts';
import { ClientTroubles } from './client-troubles.ts';
import { HarnessFault } from '../checks/faults.ts';
import { RecordedExchanges } from './recorded-exchanges.ts';
import { randomToken, type Inbox } from '../wire/inbox.ts';
import { noOutbound } from '../wire/no-outbound.ts';
import { Brand } from '../../specs/brand.ts';
import type { NamedSecret } from '../../service/redact.ts';
import { configRedactor } from '../config/config-redactor.ts';
import type { ResolvedConfig, RunSettings } from '../config/settings.ts';

/** Maximum number of exchanges kept. */
const maxExchanges = 5_000;
/** Milliseconds by which the service's clock advances between the two rounds, so that rate limits start anew. */
const betweenRoundsMs = 120_000;

/** The integrator's client and its traffic to the simulated API: of a client that is started, and of the endpoint. */
export class ClientUnderTest {
  readonly #settings: RunSettings;
  readonly #requests = new ObservedRequests();
  #traffic: Promise<ClientTraffic> | undefined;
  #secrets: readonly NamedSecret[] = [];

  constructor(settings: RunSettings) {
    this.#settings = settings;
  }

  /** Records a request that the endpoint sends during the run. */
  readonly observe: ObservedRequests['add'] = (record) => this.#requests.add(record);

  /** Whether a client was recorded or is started. Otherwise only requests of the endpoint are judged. */
  get isStarted(): boolean {
    const { recorded, config, observedOnly } = this.#settings;
    return recorded !== undefined || (config.apiClient !== undefined && observedOnly !== true);
  }

  /** Starts the client early where its checks run: it takes seconds, and does not depend on the rest of the run. */
  begin(): void {
    if (this.isStarted && this.#settings.only.length === 0) this.traffic().catch(() => undefined);
  }

  /**
   * All traffic of the client: recorded, or produced by starting it twice, undisturbed and then with troubles. Throws
   * {@link HarnessFault} `client-not-started` and `client-silent`.
   */
  traffic(): Promise<ClientTraffic> {
    return (this.#traffic ??= this.#load());
  }

  /** The requests that the endpoint has sent on its own during the run, while it handled events. */
  observed(inbox: Inbox): ClientTraffic {
    const { observed, config } = this.#settings;
    const traffic = observed ?? this.#requests.traffic(inbox, config);
    this.#addSecrets(traffic.secrets);
    return traffic;
  }

  /** Secrets issued to the client; empty until its traffic is available. */
  get secrets(): readonly NamedSecret[] {
    return this.#secrets;
  }

  async #load(): Promise<ClientTraffic> {
    const { recorded, config, startClient } = this.#settings;
    const traffic = recorded ?? (await exercise(config, startClient));
    this.#addSecrets(traffic.secrets);
    return traffic;
  }

  #addSecrets(issued: readonly NamedSecret[]): void {
    const others = issued.filter(({ value }) => !this.#secrets.some((known) => known.value === value));
    if (others.length > 0) this.#secrets = [...this.#secrets, ...others];
  }
}

async function exercise(config: ResolvedConfig, startClient = runClient): Promise<ClientTraffic> {
  const { apiClient, skills } = config;
  if (!apiClient) throw new HarnessFault('check-broken:not-configured', { key: 'apiClient' });
  const brand = Brand.named(config.brand);
  const { keyPrefix } = brand;
  const apiKey = config.service.apiKey ?? keyPrefix + randomToken();
  const recorded = new RecordedExchanges({ mostExchanges: maxExchanges, withRefusedBodies: true });
  const met = new Map<number, TroubleKind>();
  const troubles = new ClientTroubles();
  /** A request that was in flight when its client ended belongs to the round in which it arrived. */
  let troubledFrom = Infinity;
  const roundOf = ({ at }: { at: number }): Round => (at < troubledFrom ? 'undisturbed' : 'troubled');
  await using service = await SimulatedService.open({
    outbound: noOutbound,
    brand,
    inboxes: [
      { keyPrefix, apiKeys: { [apiKey]: 'The client under test' }, skills: skills.length > 0 ? skills : undefined },
    ],
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
    return await startClient(apiClient.command, {
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
    keyPrefix,
    // A client that timed out may not have reached all of its requests.
    ...(failure !== undefined && first.how !== 'timed-out' && { failure }),
    ...(([first, second].some(({ how }) => how === 'timed-out') || recorded.omitted > 0) && { cutShort: true }),
    ...(recorded.omitted > 0 && { omitted: describeOmitted(recorded) }),
    projectIds,
    secrets: issuedSecrets(service),
    skills,
  };
}

function describeOmitted({ omitted, room }: RecordedExchanges): string {
  const requests = omitted === 1 ? '1 request of the client was' : `${omitted} requests of the client were`;
  return `${requests} not kept and could not be judged; the maximum is ${room}. Reduce the number of requests.`;
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
  // It has the names of the brand, and messages get them only when they are printed.
  const said = Brand.named(config.brand).text(redact(output)).trim();
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
