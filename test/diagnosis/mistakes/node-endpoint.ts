import { createHmac, timingSafeEqual } from 'node:crypto';
import { asJson, startReceiver, type Received, type Reply } from '../receiver.ts';
import { endpointPath, secret, token, type Mistake, type RunningMistake } from './mistake.ts';

/** An event as the endpoint reads it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the endpoints trust their input, as their authors do
export type Event = any;
type Later<T> = T | Promise<T>;

/** The parts of a correct integrator that a mistake replaces. */
export interface NodeSeams {
  /** Answers in place of the application. */
  gate?: ((request: Received) => Later<Reply | undefined>) | undefined;
  /** The answer to a refused request; `undefined` for an accepted one. */
  verify?: ((request: Received) => Later<Reply | undefined>) | undefined;
  answer?: (event: Event, request: Received) => Later<Reply>;
}

const refusal = asJson(401, { error: 'invalid signature' });
export const toleranceSeconds = 300;

export interface SignatureHeader {
  t: string;
  v1: string;
}

/** The fields of the signature header. */
export function readHeader({ headers }: Received): SignatureHeader {
  const fields = new Map(
    String(headers['x-svc-signature'] ?? '')
      .split(',')
      .map((part) => part.split(/=(.*)/s) as [string, string]),
  );
  return { t: fields.get('t') ?? '', v1: fields.get('v1') ?? '' };
}

export const isFresh = (t: string, seconds = toleranceSeconds) => Math.abs(Date.now() / 1000 - Number(t)) <= seconds;

/** The HMAC that the interface prescribes (Authentication). */
export function hmac(t: string, body: Buffer | string, key: string | Buffer = secret): string {
  return createHmac('sha256', key).update(`${t}.`).update(body).digest('hex');
}

export function isEqual(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}

/** A verification that computes the signature of the body with this function. */
export function signedWith(
  compute: (t: string, request: Received, event: () => Event) => string,
  refuse: Reply = refusal,
) {
  return (request: Received): Reply | undefined => {
    const { t, v1 } = readHeader(request);
    const event = () => JSON.parse(request.body.toString());
    return isFresh(t) && v1 === compute(t, request, event) ? undefined : refuse;
  };
}

export function verifyCorrectly(request: Received): Reply | undefined {
  if ('authorization' in request.headers)
    return request.headers.authorization === `Bearer ${token}` ? undefined : refusal;
  const { t, v1 } = readHeader(request);
  return /^\d+$/.test(t) && isFresh(t) && isEqual(v1, hmac(t, request.body)) ? undefined : refusal;
}

/** Whether the service waits for the data of a contact. */
export const isLookup = ({ eventType }: Event): boolean =>
  [0, 2, 'IncomingCallLookup', 'NewConversation'].includes(eventType);

/** The answer of a correct integrator. */
export function answerCorrectly(event: Event): Reply {
  if (event.type === 'ping') return asJson(200, {});
  if (event.type === 'message.received')
    return asJson(200, { text: `You wrote: ${event.data.message.text}`.slice(0, 900), action: 'none' });
  if (event.type !== undefined) return { status: 200 };
  if (!isLookup(event)) return { status: 204 };
  return asJson(200, {
    requestContactUpdate: true,
    contactData: { crmContactId: '7', crmAiInfo: 'A customer' },
    requestProjectUpdate: false,
    projectData: null,
  });
}

/** Starts an integrator on node:http with these parts replaced. */
export async function startNode({
  gate,
  verify = verifyCorrectly,
  answer = answerCorrectly,
}: NodeSeams): Promise<RunningMistake> {
  return await startReceiver(async (request) => {
    const gated = await gate?.(request);
    if (gated) return gated;
    if (request.path !== endpointPath) return asJson(404, { error: 'not found' });
    if (request.method !== 'POST')
      return { ...asJson(405, { error: 'method not allowed' }), headers: { allow: 'POST' } };
    const refused = await verify(request);
    if (refused) return refused;
    let event: Event;
    try {
      event = JSON.parse(request.body.toString());
    } catch {
      return asJson(400, { error: 'invalid JSON' });
    }
    try {
      return await answer(event, request);
    } catch {
      return asJson(500, { error: 'internal error' });
    }
  });
}

/** A mistake on node:http. `seams` is called for each start, so that state is not shared. */
export function node(head: Omit<Mistake, 'start'>, seams: () => NodeSeams): Mistake {
  return { ...head, start: async () => await startNode(seams()) };
}
