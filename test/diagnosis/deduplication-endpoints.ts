import { createHash } from 'node:crypto';
import { configOf, credentials } from '../harness/settings-for-tests.ts';
import { verify } from '../proving/signature.ts';
import type { FaultyEndpoint } from './faulty-endpoint.ts';
import { asJson, pause, startReceiver, type Received, type Reply } from './receiver.ts';

interface CrmEvent {
  eventType: string;
  timestampUtc: string;
  callbackUrl: string;
  contactData: { svcContactId: number; phoneNumber: string };
  projectData: { svcProjectId: number };
}

interface HookEvent {
  id: string;
  type: string;
  createdAt: string;
  data: { id: number; contactId: number; projectId: number };
}

interface ChatEvent {
  id: string;
  data: { message: { text: string } };
}

/** State of an endpoint: processed keys, its effects, and everything that arrived. */
interface Memory {
  known: Map<string, Reply>;
  done: string[];
  arrivals: string[];
}

type Deal<Event> = (event: Event, request: Received, memory: Memory) => Promise<Reply> | Reply;

const observed: Reply = { status: 204 };
const hash = (body: Buffer) => createHash('sha256').update(body).digest('hex');
const signatureOf = ({ headers }: Received) => String(headers['x-svc-signature']);
const deliveryIdOf = ({ headers }: Received) => String(headers['x-svc-delivery-id']);

function endpointOf<Event>(
  surface: FaultyEndpoint['surface'],
  isTrusted: (request: Received) => boolean,
  deal: Deal<Event>,
  { showsState = true } = {},
): FaultyEndpoint['start'] {
  return async () => {
    const memory: Memory = { known: new Map(), done: [], arrivals: [] };
    const receiver = await startReceiver(async (request) => {
      if (request.path === '/state') return asJson(200, { done: memory.done, arrivals: memory.arrivals });
      if (!isTrusted(request)) return { status: 401 };
      return await deal(JSON.parse(request.body.toString('utf8')) as Event, request, memory);
    });
    const key = { 'crm-webhook': 'crm', 'api-webhooks': 'hooks', 'own-ai-chat': 'chat', 'own-ai-phone': 'phone' }[
      surface
    ];
    const state = showsState ? { state: `${receiver.origin}/state` } : {};
    return {
      config: configOf({ [key]: `${receiver.origin}/in`, ...state }),
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  };
}

const crmBy = (deal: Deal<CrmEvent>, options?: { showsState?: boolean }) =>
  endpointOf('crm-webhook', ({ headers }) => headers.authorization === `Bearer ${credentials.token}`, deal, options);
const hooksBy = (deal: Deal<HookEvent>, options?: { showsState?: boolean }) =>
  endpointOf('api-webhooks', (r) => verify(signatureOf(r), r.body, credentials.hookSecret), deal, options);
const chatBy = (deal: Deal<ChatEvent>) =>
  endpointOf('own-ai-chat', (r) => verify(signatureOf(r), r.body, credentials.agentSecret), deal, {
    showsState: false,
  });

/** Does the work of each key once and gives the same answer again. */
function once<Event>(
  keyOf: (event: Event, request: Received) => string,
  work: (event: Event, memory: Memory) => Reply = (event, memory) => {
    memory.done.push(JSON.stringify(event));
    return observed;
  },
): Deal<Event> {
  return (event, request, memory) => {
    const key = keyOf(event, request);
    const before = memory.known.get(key);
    if (before) return before;
    const answer = work(event, memory);
    memory.known.set(key, answer);
    return answer;
  };
}

const withCase = (id: string): Reply =>
  asJson(200, { requestContactUpdate: false, requestProjectUpdate: true, projectData: { crmProjectId: id } });

function callBack({ callbackUrl }: CrmEvent): void {
  const body = JSON.stringify({ requestContactUpdate: false, requestProjectUpdate: false });
  void fetch(callbackUrl, { method: 'POST', body, headers: { 'content-type': 'application/json' } }).catch(
    () => undefined,
  );
}

const make =
  (surface: FaultyEndpoint['surface']) =>
  (
    cause: FaultyEndpoint['cause'],
    what: string,
    start: FaultyEndpoint['start'],
    over: Partial<FaultyEndpoint> = {},
  ): FaultyEndpoint => ({ cause, what, start, surface, ...over });
const crm = make('crm-webhook');
const hooks = make('api-webhooks');
const chat = make('own-ai-chat');

const replayed = { failing: { requirement: 'own-ai-chat/replayed-event-brings-no-second-reply' } };
const contactOf = ({ contactData }: CrmEvent) => String(contactData.svcContactId);

/** Endpoints that recognise repeated deliveries by the wrong key or by none. */
export const deduplicationEndpoints: readonly FaultyEndpoint[] = [
  crm(
    'deduplication/one-per-contact',
    'the next lookup of a contact gets no data',
    crmBy(
      (event, _, { known }) => {
        const isKnown = known.has(contactOf(event));
        known.set(contactOf(event), observed);
        return isKnown ? observed : withCase('7');
      },
      { showsState: false },
    ),
  ),
  crm('deduplication/none', 'every event is noted', crmBy(once(() => String(Math.random())))),
  crm(
    'deduplication/none',
    'every event is called back',
    crmBy(
      (event) => {
        callBack(event);
        return { status: 202 };
      },
      { showsState: false },
    ),
  ),
  crm(
    'deduplication/none',
    'a new case each time, seen by its number alone',
    crmBy(
      (event, _, { done }) => {
        done.push(event.callbackUrl);
        return withCase(`C-${done.length}`);
      },
      { showsState: false },
    ),
    { says: /another contact or case number/ },
  ),
  hooks('deduplication/none', 'every delivery is noted', hooksBy(once(() => String(Math.random())))),
  chat(
    'deduplication/none',
    'every message is answered',
    chatBy(() => asJson(200, { text: 'Yes, at ten.' })),
    replayed,
  ),
  crm(
    'deduplication/only-while-at-work',
    'forgotten when done',
    crmBy(async ({ callbackUrl }, _, { known, done }) => {
      if (known.has(callbackUrl)) return observed;
      known.set(callbackUrl, observed);
      await pause(60);
      done.push(callbackUrl);
      known.delete(callbackUrl);
      return observed;
    }),
  ),
  crm(
    'deduplication/at-once',
    'looked up first, stored later',
    crmBy(async ({ callbackUrl }, _, { known, done }) => {
      if (known.has(callbackUrl)) return observed;
      await pause(60);
      done.push(callbackUrl);
      known.set(callbackUrl, observed);
      return observed;
    }),
  ),
  ...[300, 400].map((lateMs) =>
    hooks(
      'deduplication/at-once',
      `a key that is stored ${lateMs} ms after the answer`,
      hooksBy(async (event, request, { known, done }) => {
        const key = deliveryIdOf(request);
        if (!known.has(key)) done.push(JSON.stringify(event));
        void pause(lateMs).then(() => known.set(key, observed));
        return await Promise.resolve(observed);
      }),
    ),
  ),
  hooks('deduplication/signature', 'the signature is the key', hooksBy(once((_, request) => signatureOf(request)))),
  crm(undefined, 'a hash of the body', crmBy(once((_, { body }) => hash(body))), { suspect: 'deduplication/body' }),
  hooks(undefined, 'a hash of the body', hooksBy(once((_, { body }) => hash(body))), { suspect: 'deduplication/body' }),
  crm(undefined, 'callbackUrl and time', crmBy(once((event) => `${event.callbackUrl} ${event.timestampUtc}`)), {
    suspect: 'deduplication/timestamp',
  }),
  crm('deduplication/timestamp', 'one event of each second', crmBy(once((event) => event.timestampUtc))),
  crm('deduplication/content', 'contact and time', crmBy(once((event) => `${contactOf(event)} ${event.timestampUtc}`))),
  crm(
    'deduplication/duplicate-refused',
    'a unique key that is there already',
    crmBy(({ callbackUrl }, _, { known, done }) => {
      if (known.has(callbackUrl)) return { status: 409 };
      known.set(callbackUrl, observed);
      done.push(callbackUrl);
      return observed;
    }),
    { says: /409/ },
  ),
  hooks(
    'deduplication/duplicate-refused',
    'a 500, and no state to be seen',
    hooksBy(
      (_, request, { known }) => {
        if (known.has(deliveryIdOf(request))) throw new Error('duplicate key');
        known.set(deliveryIdOf(request), observed);
        return { status: 200 };
      },
      { showsState: false },
    ),
    { says: /500/ },
  ),
  crm(
    'deduplication/answer-not-repeated',
    'what is done is answered 204',
    crmBy(({ callbackUrl }, _, { known, done }) => {
      if (known.has(callbackUrl)) return { status: 204 };
      known.set(callbackUrl, observed);
      done.push(callbackUrl);
      return withCase(`C-${done.length}`);
    }),
  ),
  crm('deduplication/contact', 'one event of each contact', crmBy(once(contactOf)), { says: /same contact are/ }),
  crm(
    'deduplication/contact',
    'one event of each number and type',
    crmBy(once(({ contactData, eventType }) => `${contactData.phoneNumber} ${eventType}`)),
    { says: /phone number and type/ },
  ),
  crm(
    'deduplication/project',
    'one event of each case',
    crmBy(once(({ projectData }) => String(projectData.svcProjectId))),
  ),
  hooks('deduplication/appointment', 'one event of each appointment', hooksBy(once(({ data }) => String(data.id)))),
  hooks(
    'deduplication/appointment',
    'one event of each appointment and type',
    hooksBy(once(({ data, type }) => `${data.id} ${type}`)),
    { says: /appointment and type/ },
  ),
  hooks('deduplication/contact', 'one event of each contact', hooksBy(once(({ data }) => String(data.contactId)))),
  crm('deduplication/event-type', 'one event of each type', crmBy(once(({ eventType }) => eventType))),
  crm(
    'deduplication/content',
    'contact and case together',
    crmBy(once((event) => `${contactOf(event)} ${event.projectData.svcProjectId}`)),
    { says: /contact and project/ },
  ),
];

/** Endpoints that recognise repeated deliveries by the correct key, or whose effects cannot be observed. */
export const rememberingEndpoints: readonly FaultyEndpoint[] = [
  crm(undefined, 'right', crmBy(once(({ callbackUrl }) => callbackUrl))),
  crm(
    undefined,
    'right, with a list of all that arrived',
    crmBy((event, request, memory) => {
      memory.arrivals.push(event.callbackUrl);
      return once<CrmEvent>(({ callbackUrl }) => callbackUrl)(event, request, memory);
    }),
  ),
  crm(
    undefined,
    'right, by callbacks alone',
    crmBy(
      once(
        ({ callbackUrl }) => callbackUrl,
        (event) => {
          callBack(event);
          return { status: 202 };
        },
      ),
      { showsState: false },
    ),
  ),
  crm(
    undefined,
    'right, with the answer of the first time',
    crmBy(
      once(
        ({ callbackUrl }) => callbackUrl,
        (event, { done }) => {
          done.push(event.callbackUrl);
          return withCase(`C-${done.length}`);
        },
      ),
    ),
  ),
  crm(
    undefined,
    'showing nothing',
    crmBy(() => observed, { showsState: false }),
  ),
  hooks(undefined, 'right', hooksBy(once((_, request) => deliveryIdOf(request)))),
  hooks(undefined, 'right, by the id of the event', hooksBy(once(({ id }) => id))),
  chat(
    undefined,
    'answering each message again, which no rule forbids',
    chatBy(() => asJson(200, { text: 'Yes.' })),
  ),
  chat(
    undefined,
    'right',
    chatBy(
      once(
        ({ id }) => id,
        () => asJson(200, { text: 'Yes.' }),
      ),
    ),
    { what: 'answering the same event with the same text' },
  ),
];
