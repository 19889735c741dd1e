import { isJsonObject, parseJson } from '../../harness/checks/json.ts';
import type { Answer, Observation } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';

/** How one event was received, as far as its token is concerned. */
export type TokenReception =
  /** A 2xx that does not say of itself that the token was refused. */
  | 'accepted'
  /** A complete answer with any other status. */
  | 'refused'
  /** A 2xx whose body says that the token was refused. */
  | 'refused-with-2xx'
  /** No complete answer. */
  | 'not-answered';

/** What one event carries in place of what the service sends. */
export interface Credentials {
  /** Value of `Authorization`; `null` sends none. */
  authorization: string | null;
  /** Headers beside those that the service sends. */
  headers?: readonly (readonly [string, string])[];
  /** Parameters that are added to the query of the address. */
  query?: readonly (readonly [string, string])[];
  /** Fields that are added to the event. */
  fields?: readonly (readonly [string, string])[];
}

/** One question, and how it was received. */
export interface TokenAttempt {
  reception: TokenReception;
  observation: Observation;
  /** Asks the same once more. */
  again: () => Promise<TokenAttempt>;
}

const wordsOfRefusal =
  /unauthori[sz]ed|forbidden|access denied|(?:invalid|bad|wrong|missing|no)\b[^"]{0,20}(?:token|authori[sz]ation|credential)/i;
/** Bytes of an answer in which words of refusal are looked for; what is longer is not a refusal. */
const refusalBytes = 2_000;

/** Asks an endpoint of the CRM webhook with one token after the other, each in an event of its own. */
export class TokenProber {
  readonly token: string;
  readonly seen: string[] = [];
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.token = connection.credential;
  }

  get oldToken(): string | undefined {
    return this.#connection.oldSecret;
  }

  /** Sends one look-up. `what` completes "An event with …". Throws {@link OutOfTime}. */
  async ask(what: string, carried: Credentials): Promise<TokenAttempt> {
    const { authorization, headers = [], query = [], fields = [] } = carried;
    const made = this.#connection.case();
    const withToken = made.delivery.withHeader('Authorization', authorization ?? undefined);
    const delivery =
      fields.length === 0
        ? withToken
        : withToken.withBody(Buffer.from(JSON.stringify({ ...made.event, ...Object.fromEntries(fields) }), 'utf8'));
    const url = new URL(this.#connection.url);
    for (const [name, value] of query) url.searchParams.append(name, value);
    const observation = await this.#connection.ask(
      (now) => {
        const request = delivery.request(query.length === 0 ? this.#connection.url : url.href, now);
        return { ...request, headers: [...request.headers, ...headers] };
      },
      { label: `an event with ${what}`, toBeRefused: true },
    );
    const reception = classifyAnswer(observation.answer);
    this.seen.push(`An event with ${what} was ${describeReception(observation.answer, reception)}.`);
    return { reception, observation, again: () => this.ask(what, carried) };
  }

  /** Whether the endpoint accepts this, twice: an endpoint may err once. */
  async surelyAccepts(what: string, carried: Credentials): Promise<boolean> {
    for (let times = 0; times < 2; times++) {
      if ((await this.ask(what, carried)).reception !== 'accepted') return false;
    }
    return true;
  }

  /** The same with a bearer token. */
  async surelyAcceptsToken(what: string, token: string): Promise<boolean> {
    return await this.surelyAccepts(what, { authorization: `Bearer ${token}` });
  }
}

/** How an answer takes the token of its event. */
export function classifyAnswer(answer: Answer): TokenReception {
  if (answer.outcome !== 'answered') return 'not-answered';
  if (answer.status < 200 || answer.status > 299) return 'refused';
  return saysRefused(answer.body) ? 'refused-with-2xx' : 'accepted';
}

/** In a few words; completes "was …". */
export function describeReception(answer: Answer, reception: TokenReception = classifyAnswer(answer)): string {
  switch (answer.outcome) {
    case 'answered':
      return reception === 'refused-with-2xx'
        ? `answered ${answer.status} with a body that refuses it`
        : `${reception} with ${answer.status}`;
    case 'no-answer':
      return 'not answered';
    case 'closed':
      return 'dropped: the connection was closed without an answer';
    case 'malformed':
      return 'answered with bytes that are not HTTP';
    case 'unreachable':
      return 'not sent, since no connection could be made';
  }
}

/** The status of a complete answer. */
export function attemptStatus({ observation: { answer } }: TokenAttempt): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}

function saysRefused(body: Uint8Array): boolean {
  if (body.length === 0 || body.length > refusalBytes) return false;
  const parsed = parseJson(body);
  // What has the fields of an answer is one, whatever its texts say.
  if ('value' in parsed && isJsonObject(parsed.value)) {
    const { requestContactUpdate, requestProjectUpdate, status, statusCode } = parsed.value;
    if (requestContactUpdate !== undefined || requestProjectUpdate !== undefined) return false;
    if ([401, 403].includes(Number(status ?? statusCode))) return true;
  }
  return wordsOfRefusal.test(Buffer.from(body).toString('utf8'));
}
