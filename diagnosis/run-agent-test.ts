import { HarnessFault } from '../harness/checks/faults.ts';
import { HarnessOutbound, StandaloneTransport } from '../harness/wire/harness-outbound.ts';
import type { CallObservation, Observation, WireRequest } from '../harness/wire/observation.ts';
import { hasNoCall } from '../harness/wire/upgrade-answer.ts';
import { Clock } from '../service/clock.ts';
import { seededWorkspace } from '../service/seed.ts';
import { ServiceEvents } from '../service/service-events.ts';
import { ServiceIds } from '../service/service-ids.ts';
import { ServiceInbox } from '../service/service-inbox.ts';
import { Brand } from '../specs/brand.ts';
import type { AgentTest } from '../specs/generated/types.ts';
import { OutOfTime, type Connection } from './connection.ts';

/** Limits every timeout to the remaining time of the connection, and keeps the limits of the config. */
class TimedWire extends StandaloneTransport {
  /** Why a request was not sent, if our limits or our deadline decided so: the endpoint has no part in it. */
  notAdmitted: HarnessFault | OutOfTime | undefined;
  readonly #connection: Connection;

  constructor(connection: Connection, onExchange: (exchange: Observation | CallObservation) => void) {
    super(onExchange, Brand.named(connection.config.brand), connection.session.routes);
    this.#connection = connection;
  }

  override async send(
    ...[make, options]: Parameters<StandaloneTransport['send']>
  ): ReturnType<StandaloneTransport['send']> {
    const request = make();
    await this.#admit(request);
    const timeoutMs = Math.min(options.timeoutMs, this.#connection.remainingMs);
    const observation = await super.send(make, { ...options, timeoutMs });
    if (observation.answer.outcome === 'unreachable') this.#connection.session.limits.refund(request);
    return observation;
  }

  override async dial(
    ...[make, options]: Parameters<StandaloneTransport['dial']>
  ): ReturnType<StandaloneTransport['dial']> {
    const request = make(Date.now());
    await this.#admit(request);
    const timeoutMs = Math.min(options.timeoutMs, this.#connection.remainingMs);
    const connection = await super.dial(make, { ...options, timeoutMs });
    if (hasNoCall(connection.observation.answer)) this.#connection.session.limits.refund(request);
    return connection;
  }

  async #admit(request: WireRequest): Promise<void> {
    try {
      await this.#connection.admit(request);
    } catch (error) {
      if (error instanceof HarnessFault || error instanceof OutOfTime) this.notAdmitted = error;
      throw error;
    }
  }
}

/** The result that the app would show, and the exchange behind it. */
export interface AgentTestRun {
  result: AgentTest;
  exchange: Observation | CallObservation | undefined;
}

/**
 * Does what `POST /v1/agents/{id}/test` does to this one address: a signed ping, or a phone connection that is opened
 * and closed (interface: API v1). The exchange is counted and kept. Throws {@link OutOfTime} if the deadline comes first,
 * and HarnessFault `limit-used` if the limits admit no request, since the result that the app would show is unknown then.
 */
export async function runAgentTest(connection: Connection): Promise<AgentTestRun> {
  const { chat, phone } = connection.config;
  const isChat = connection.surface === 'own-ai-chat';
  const [address, endpoint] = isChat ? (['chatUrl', chat] as const) : (['voiceUrl', phone] as const);
  let exchange: AgentTestRun['exchange'];
  const clock = new Clock();
  try {
    await using wire = new TimedWire(connection, (seen) => {
      exchange = seen;
      connection.deliveries++;
      connection.keep(seen);
    });
    await using outbound = new HarnessOutbound(wire);
    const ids = new ServiceIds();
    const agent = { name: 'Own AI', [address]: endpoint?.url, secret: connection.credential };
    const seed = { agents: [{ ...agent, ...(endpoint && { timeoutSeconds: endpoint.timeoutSeconds }) }] };
    const workspace = seededWorkspace(seed, ids, clock);
    const events = new ServiceEvents(() => '');
    const inbox = new ServiceInbox(workspace, { clock, ids, events, outbound, baseUrl: () => '' });
    const result = await inbox.agents.test(inbox.agents.list()[0]?.agentId);
    inbox.end();
    if (wire.notAdmitted) throw wire.notAdmitted;
    if (!result.success && connection.remainingMs <= 0) {
      throw new OutOfTime('The time was over before the connection test had come to its end.');
    }
    return { result, exchange };
  } finally {
    clock.stop();
  }
}
