import { Readable } from 'node:stream';
import { recordingServer } from '../server-fixture.ts';

type Json = Record<string, unknown>;

/** A request that a broker received. */
export interface BrokerRequest {
  method: string;
  path: string;
  authorization: string | undefined;
  body: unknown;
}

export interface FakeBroker extends AsyncDisposable {
  url: string;
  requests: BrokerRequest[];
  /** Contracts by the path under which a broker keeps them. */
  pacts: Map<string, Json>;
  /** Received results, oldest first. */
  results: Json[];
}

export interface BrokerBehaviour {
  /** Bearer token that every request must have. */
  token?: string;
  /** The links of the index; default: those of Pact's broker. */
  links?: (url: string) => Json;
  /** Whether its answers never end. */
  endless?: boolean;
}

/** The parts of Pact's broker that a verification needs: HAL links, contracts with interaction ids, results. */
export async function fakeBroker({
  token,
  links = usualLinks,
  endless = false,
}: BrokerBehaviour = {}): Promise<FakeBroker> {
  const requests: BrokerRequest[] = [];
  const pacts = new Map<string, Json>();
  const results: Json[] = [];
  let url = '';
  const answer = (request: BrokerRequest): { status: number; body?: Json } => {
    const { method, path, body } = request;
    if (token !== undefined && request.authorization !== `Bearer ${token}`)
      return { status: 401, body: { error: 'token' } };
    if (path === '/') return { status: 200, body: { _links: links(url) } };
    if (method === 'POST' && path === '/contracts/publish') {
      const { pacticipantVersionNumber: version, contracts } = body as {
        pacticipantVersionNumber: string;
        contracts: Json[];
      };
      for (const one of contracts) {
        const key = `/pacts/provider/${String(one.providerName)}/consumer/${String(one.consumerName)}/version/${version}`;
        pacts.set(key, stored(JSON.parse(Buffer.from(String(one.content), 'base64').toString()) as Json, url, key));
      }
      return { status: 200, body: {} };
    }
    if (method === 'PUT' && path.includes('/branches/')) return { status: 201, body: {} };
    if (method === 'POST' && path.endsWith('/verification-results')) {
      results.push(body as Json);
      return { status: 201, body: {} };
    }
    const pact = pacts.get(path);
    return pact ? { status: 200, body: pact } : { status: 404, body: { error: 'not found' } };
  };
  const server = await recordingServer(({ method, url: path, headers, body }, response) => {
    const request = {
      method,
      path: decodeURIComponent(path),
      authorization: headers.authorization,
      body: body === '' ? undefined : (JSON.parse(body) as unknown),
    };
    requests.push(request);
    if (endless) {
      Readable.from(repeated(Buffer.alloc(1_048_576, ' '))).pipe(response.writeHead(200));
      return;
    }
    const { status, body: answered } = answer(request);
    response.writeHead(status, { 'content-type': 'application/hal+json' }).end(answered && JSON.stringify(answered));
  });
  url = `http://${server.host}`;
  return { ...server, url, requests, pacts, results };
}

function usualLinks(url: string): Json {
  return {
    'pb:publish-contracts': { href: `${url}/contracts/publish` },
    'pb:publish-pact': {
      href: `${url}/pacts/provider/{provider}/consumer/{consumer}/version/{consumerApplicationVersion}`,
      templated: true,
    },
    'pb:pacticipant-branch-version': {
      href: `${url}/pacticipants/{pacticipant}/branches/{branch}/versions/{version}`,
      templated: true,
    },
  };
}

function* repeated(piece: Buffer): Generator<Buffer> {
  for (;;) yield piece;
}

function stored(pact: Json, url: string, key: string): Json {
  const interactions = (pact.interactions as Json[]).map((one, at) => ({ ...one, _id: `id-${at}` }));
  const href = `${url}${key}/verification-results`;
  return { ...pact, interactions, _links: { 'pb:publish-verification-results': { href } } };
}
