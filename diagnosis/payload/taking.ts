import type { Observation } from '../../harness/observation.ts';
import type { Connection } from '../connection.ts';

export type Json = Record<string, unknown>;

/** Whether an endpoint took one event. */
export interface Taken {
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

/** Sends events as new deliveries and remembers what they brought. */
export class Taking {
  readonly connection: Connection;
  /** Events sent, a sentence each for those that matter. */
  readonly seen: string[] = [];

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Sends one event under an id and addresses of its own. */
  async send(event: Json, { label, write, isTaken = isSuccess }: SendOptions): Promise<Taken> {
    const { surface, session } = this.connection;
    const own =
      surface === 'own-ai-chat'
        ? { ...event, id: session.ids.event() }
        : surface === 'api-webhooks'
          ? { ...event, id: `whe_${session.ids.text()}` }
          : event;
    const { delivery } = this.connection.case({ event: own, ...(write && { write }) });
    return takenOf(await this.connection.ask(delivery, { label }), isTaken);
  }

  /** Whether a refusal is what a wrong signature or token gets, so that it may be one. */
  async looksLikeBadSignature(event: Json, refusal: Taken): Promise<boolean> {
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

function takenOf({ answer }: Observation, isTaken: (status: number) => boolean): Taken {
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
