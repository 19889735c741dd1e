import type { Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { longTimeoutMs, type Connection } from '../connection.ts';

export type Json = Record<string, unknown>;

/** Whether an endpoint took one event. */
export interface SendResult {
  ok: boolean;
  /** `undefined` where no status came. */
  status: number | undefined;
  /** What came back, to be read after "is answered". */
  words: string;
}

export interface SendOptions {
  label: string;
  /** Writes the body; default `JSON.stringify`. */
  write?: (event: unknown) => string;
  /** Which answers count as taken; default: any 2xx. */
  isTaken?: (status: number) => boolean;
}

/** Ways of refusing that speak of the signature or token rather than of the event. */
const ofAuthentication = [401, 403];

/** Milliseconds for an answer from which on events are sent together: one after the other they would take minutes. */
const slowMs = 2_000;

/** Sends events as new deliveries and remembers what they brought. */
export class EventSender {
  readonly connection: Connection;
  /** Events sent, a sentence each for those that matter. */
  readonly seen: string[] = [];
  #latestMs = 0;
  #isStuck = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** The latest answer took its time. */
  get isSlow(): boolean {
    return this.#latestMs >= slowMs;
  }

  /** Sends one event under an id and addresses of its own. */
  async send(event: Json, { label, write, isTaken = isSuccess }: SendOptions): Promise<SendResult> {
    const { surface, session } = this.connection;
    const own =
      surface === 'own-ai-chat'
        ? { ...event, id: session.ids.event() }
        : surface === 'api-webhooks'
          ? { ...event, id: `whe_${session.ids.text()}` }
          : event;
    const make = () => this.connection.case({ event: own, ...(write && { write }) }).delivery;
    const observation = await this.#ask(make, label, isUnlimited(surface, event));
    this.#latestMs = observation.times.totalMs ?? 0;
    return takenOf(observation, isTaken);
  }

  /** What may take as long as it likes is asked again and waited for, until one shows that nothing comes at all. */
  async #ask(make: () => SignedDelivery, label: string, isUnlimited: boolean): Promise<Observation> {
    const { connection } = this;
    const first = await connection.ask(make(), { label });
    if (first.answer.outcome !== 'no-answer' || !isUnlimited || this.#isStuck) return first;
    const second = await connection.ask(make(), { label: `${label}, waited for longer`, patienceMs: longTimeoutMs });
    this.#isStuck = second.answer.outcome === 'no-answer';
    if (!this.#isStuck) connection.waitUpTo(longTimeoutMs);
    return second;
  }

  /** Whether a refusal is what a wrong signature or token gets, so that it may be one. */
  async looksLikeBadSignature(event: Json, refusal: SendResult): Promise<boolean> {
    if (this.connection.surface === 'crm-webhook') return false;
    if (refusal.status !== undefined && ofAuthentication.includes(refusal.status)) return true;
    const { delivery } = this.connection.case({ event });
    const forged = delivery.with({ write: (t) => `t=${t},v1=${'0'.repeat(64)}` });
    const { status } = takenOf(
      await this.connection.ask(forged, { label: 'a wrong signature, to compare', toBeRefused: true }),
      isSuccess,
    );
    return status !== undefined && status === refusal.status;
  }
}

/** Events for whose answer the interface names no time; a chat event has its `timeoutSeconds`. */
function isUnlimited(surface: Connection['surface'], { eventType }: Json): boolean {
  const lookUps: readonly unknown[] = ['IncomingCallLookup', 'NewConversation', 0, 2];
  return surface === 'api-webhooks' || (surface === 'crm-webhook' && !lookUps.includes(eventType));
}

function takenOf({ answer }: Observation, isTaken: (status: number) => boolean): SendResult {
  switch (answer.outcome) {
    case 'answered':
      return { ok: isTaken(answer.status), status: answer.status, words: `status ${answer.status}` };
    case 'no-answer':
      return { ok: false, status: undefined, words: `nothing within ${answer.afterMs / 1000} s` };
    case 'closed':
      return { ok: false, status: answer.status, words: 'the end of the connection' };
    case 'malformed':
      return { ok: false, status: undefined, words: 'something that cannot be read as HTTP' };
    case 'unreachable':
      return { ok: false, status: undefined, words: 'no connection' };
  }
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
