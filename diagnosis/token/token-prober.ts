import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Answer, Observation } from '../../harness/wire/observation.ts';
import type { Connection } from '../connection.ts';

/** How the endpoint treated the token of one event. */
export type TokenReception =
  /** A 2xx whose body does not report a refused token. */
  | 'accepted'
  /** A complete answer with any other status. */
  | 'refused'
  /** A 2xx whose body reports a refused token. */
  | 'refused-with-2xx'
  /** No complete answer. */
  | 'not-answered';

/** Where one event carries which token. */
export interface Credentials {
  /** Value of `Authorization`; `null` sends none. */
  authorization: string | null;
  /** Headers in addition to those of the service. */
  headers?: readonly (readonly [string, string])[];
  /** Parameters added to the query of the URL. */
  query?: readonly (readonly [string, string])[];
  /** Fields added to the event. */
  fields?: readonly (readonly [string, string])[];
}

/** One request and its result. */
export interface TokenAttempt {
  reception: TokenReception;
  observation: Observation;
  /** Repeats the request. */
  again: () => Promise<TokenAttempt>;
}

const refusalPattern =
  /unauthori[sz]ed|forbidden|access denied|(?:invalid|bad|wrong|missing|no)\b[^"]{0,20}(?:token|authori[sz]ation|credential)/i;
/** Largest body, in bytes, that is searched for a refusal. */
const refusalBytes = 2_000;

/** Sends events to an endpoint of the CRM webhook, each with one token. */
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

  /** Sends one lookup. `what` completes "An event with …". Throws {@link OutOfTime}. */
  async ask(what: string, credentials: Credentials): Promise<TokenAttempt> {
    const { authorization, headers = [], query = [], fields = [] } = credentials;
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
    return { reception, observation, again: () => this.ask(what, credentials) };
  }

  /** Whether another event than a lookup is accepted with the correct token. */
  async acceptsOtherType(): Promise<boolean> {
    const type = 'FinishedCall';
    const { delivery } = this.#connection.case({ event: { ...this.#connection.session.sample.crmEvent(type) } });
    const { answer } = await this.#connection.ask(delivery, { label: `a ${type} with the correct token` });
    this.seen.push(`A ${type} with the correct token was ${describeReception(answer)}.`);
    return classifyAnswer(answer) === 'accepted';
  }

  /** Whether the endpoint accepts this twice: one acceptance may be chance. */
  async acceptsTwice(what: string, credentials: Credentials): Promise<boolean> {
    for (let times = 0; times < 2; times++) {
      if ((await this.ask(what, credentials)).reception !== 'accepted') return false;
    }
    return true;
  }

  /** As {@link acceptsTwice}, with a bearer token. */
  async acceptsTokenTwice(what: string, token: string): Promise<boolean> {
    return await this.acceptsTwice(what, { authorization: `Bearer ${token}` });
  }
}

/** Classifies an answer by how it treats the token. */
export function classifyAnswer(answer: Answer): TokenReception {
  if (answer.outcome !== 'answered') return 'not-answered';
  if (answer.status < 200 || answer.status > 299) return 'refused';
  return saysRefused(answer.body) ? 'refused-with-2xx' : 'accepted';
}

/** Completes "was …". */
export function describeReception(answer: Answer, reception: TokenReception = classifyAnswer(answer)): string {
  switch (answer.outcome) {
    case 'answered':
      return reception === 'refused-with-2xx'
        ? `answered ${answer.status} with a body that refuses it`
        : `${reception} with ${answer.status}`;
    case 'no-answer':
      return 'not answered';
    case 'closed':
      return 'not answered: the connection was closed';
    case 'malformed':
      return 'answered with bytes that are not HTTP';
    case 'unreachable':
      return 'not sent: no connection could be established';
  }
}

/** The status of a complete answer. */
export function attemptStatus({ observation: { answer } }: TokenAttempt): number | undefined {
  return answer.outcome === 'answered' ? answer.status : undefined;
}

function saysRefused(body: Uint8Array): boolean {
  if (body.length === 0 || body.length > refusalBytes) return false;
  const parsed = parseJson(body);
  // A body with the fields of an answer is an answer, whatever its strings contain.
  if ('value' in parsed && isJsonObject(parsed.value)) {
    const { requestContactUpdate, requestProjectUpdate, status, statusCode } = parsed.value;
    if (requestContactUpdate !== undefined || requestProjectUpdate !== undefined) return false;
    if ([401, 403].includes(Number(status ?? statusCode))) return true;
  }
  return refusalPattern.test(Buffer.from(body).toString('utf8'));
}
