import { unknownCaller } from '../../harness/checks/samples.ts';
import { configOf, credentials } from '../harness/settings-for-tests.ts';
import { verify } from '../proving/signature.ts';
import type { FaultyEndpoint } from './faulty-endpoint.ts';
import { asJson, pause, startReceiver, type Receive, type Received } from './receiver.ts';

/** Timeout of the chat of these endpoints in seconds: short, so that slow answers are quickly detected. */
const timeoutSeconds = 0.3;
/** The same for concurrent events: long enough that a busy machine does not hide which event waits for which. */
const timeoutSecondsAtOnce = 0.6;
/** Milliseconds of a late answer of the chat, and of the CRM webhook. */
const lateMs = 900;
const lateForCrmMs = 2_900;
/** A caller that the endpoints of the CRM webhook know. */
const knownCaller = '+4930901820';

interface ChatEvent {
  data: { history: { text: string }[]; contact: { phone?: string } };
}

interface CrmEvent {
  eventType: string;
  contactData: { phoneNumber: string };
}

const wellSigned = ({ headers, body }: Received) => {
  const header = headers['x-svc-signature'];
  return typeof header === 'string' && verify(header, body, credentials.agentSecret);
};

/** A chat that checks signatures and then runs `work`; it answers with the result, or with a sentence by default. */
function chatThat(
  make: () => (event: ChatEvent, request: Received) => Promise<unknown>,
  seconds?: number,
): FaultyEndpoint['start'] {
  return rawChat(() => {
    const work = make();
    return async (request) => {
      if (!wellSigned(request)) return { status: 401 };
      const status = await work(JSON.parse(request.body.toString('utf8')) as ChatEvent, request);
      return typeof status === 'number' ? { status } : asJson(200, { text: 'Yes, at ten.', action: 'none' });
    };
  }, seconds);
}

function rawChat(make: () => Receive, seconds = timeoutSeconds): FaultyEndpoint['start'] {
  return async () => {
    const receiver = await startReceiver(make());
    const { chat = { url: '', secret: '' }, ...config } = configOf({ chat: `${receiver.origin}/chat` });
    return {
      config: { ...config, chat: { ...chat, timeoutSeconds: seconds } },
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  };
}

function crmThat(work: (event: CrmEvent) => Promise<unknown>, known?: string): FaultyEndpoint['start'] {
  return async () => {
    const receiver = await startReceiver(async ({ headers, body }) => {
      if (headers.authorization !== `Bearer ${credentials.token}`) return { status: 401 };
      await work(JSON.parse(body.toString('utf8')) as CrmEvent);
      return { status: 204 };
    });
    const stimuli = known === undefined ? {} : { knownCaller: known };
    return {
      config: configOf({ crm: `${receiver.origin}/crm` }, { stimuli }),
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  };
}

/**
 * A receiver of appointment events that awaits its secret before it verifies; `bodyOf` returns the body that it verifies. It
 * answers 429 to more than `most` at a time.
 */
function hooksThat(
  bodyOf: (request: Received, latest: Received) => Buffer,
  { ms = 20, most = Infinity } = {},
): FaultyEndpoint['start'] {
  return async () => {
    let latest: Received | undefined;
    let running = 0;
    const receiver = await startReceiver(async (request) => {
      latest = request;
      if (running >= most) return { status: 429, headers: { 'Retry-After': '1' } };
      running++;
      await pause(ms);
      running--;
      const header = request.headers['x-svc-signature'];
      const body = bodyOf(request, latest);
      return { status: typeof header === 'string' && verify(header, body, credentials.hookSecret) ? 200 : 401 };
    });
    return {
      config: configOf({ hooks: `${receiver.origin}/hooks` }),
      [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
    };
  };
}

/** At most `size` at a time; the others wait for their turn. */
function pool(size: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = size;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}

const chat = (
  cause: FaultyEndpoint['cause'],
  what: string,
  start: FaultyEndpoint['start'],
  over: Partial<FaultyEndpoint> = {},
): FaultyEndpoint => ({ cause, what, start, surface: 'own-ai-chat', ...over });

const crm = (...given: Parameters<typeof chat>): FaultyEndpoint => ({ ...chat(...given), surface: 'crm-webhook' });

const hooks = (...given: Parameters<typeof chat>): FaultyEndpoint => ({ ...chat(...given), surface: 'api-webhooks' });

const late = (when: boolean) => pause(when ? lateMs : 0);
const lateForCrm = (when: boolean) => pause(when ? lateForCrmMs : 0);

/** A chat that leaves the first request unanswered, as while it starts. */
export const firstUnanswered = chat(
  undefined,
  'a server that loses the request that starts it',
  rawChat(() => {
    let count = 0;
    return () => (count++ === 0 ? 'silence' : asJson(200, { text: 'Yes, at ten.', action: 'none' }));
  }, 2),
);

/** Endpoints with late answers, each with one cause. */
export const timingEndpoints: readonly FaultyEndpoint[] = [
  chat(
    'timing/always-slow',
    'a slow model',
    chatThat(() => () => late(true)),
    { says: /while a refusal takes/ },
  ),
  crm(
    'timing/always-slow',
    'a slow CRM',
    crmThat(() => lateForCrm(true)),
  ),
  chat(
    'timing/slow-before-the-work',
    'a name lookup before everything',
    rawChat(() => async (request) => {
      await late(true);
      return wellSigned(request) ? { status: 204 } : { status: 401 };
    }),
  ),
  chat(
    'timing/never-answers',
    'a promise that never settles',
    rawChat(() => (request) => (wellSigned(request) ? 'silence' : { status: 401 })),
  ),
  chat(
    'http/silent',
    'a server that reads no request',
    rawChat(() => () => 'silence'),
  ),
  chat(
    'timing/answer-never-ends',
    'a stream that is not ended',
    rawChat(() => (request, response) => {
      if (!wellSigned(request)) return { status: 401 };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"text":"Yes."}');
      return 'written';
    }),
  ),
  chat(
    'timing/slow-at-first',
    'a model that is loaded by the first message',
    chatThat(() => {
      let count = 0;
      return () => late(count++ === 0);
    }),
  ),
  chat(
    'timing/slow-on-new-connections',
    'a worker per connection',
    chatThat(
      () =>
        (_, { before }) =>
          late(before === 0),
    ),
  ),
  chat(
    'timing/slow-on-kept-connections',
    'the next request is read late',
    chatThat(
      () =>
        (_, { before }) =>
          late(before > 0),
    ),
  ),
  chat(
    'timing/slow-on-kept-connections',
    'the next request is never read',
    rawChat(() => (request) => {
      if (request.before > 0) return 'silence';
      return wellSigned(request) ? { status: 204 } : { status: 401 };
    }),
  ),
  chat(
    'timing/one-of-several-instances',
    'every second event is slow',
    chatThat(() => {
      let count = 0;
      return () => late(count++ % 2 === 0);
    }),
    { says: /second/ },
  ),
  chat(
    'timing/one-of-several-instances',
    'every third event is slow',
    chatThat(() => {
      let count = 0;
      return () => late(count++ % 3 === 1);
    }),
    { says: /third/ },
  ),
  chat(
    undefined,
    'slow in no order',
    chatThat(() => {
      const order = [false, true, false, false, true, true, false];
      let count = 0;
      return () => late(order[count++ % order.length] === true);
    }),
    { suspect: 'timing/at-random' },
  ),
  crm(
    'timing/slow-for-unknown-callers',
    'a full search for who is not found',
    crmThat(({ contactData }) => lateForCrm(contactData.phoneNumber === unknownCaller), knownCaller),
  ),
  crm(
    'timing/slow-for-known-callers',
    'all invoices of who is found',
    crmThat(({ contactData }) => lateForCrm(contactData.phoneNumber === knownCaller), knownCaller),
  ),
  crm(
    'timing/slow-for-an-event-type',
    'the handler of chats is slow',
    crmThat(({ eventType }) => lateForCrm(eventType === 'NewConversation')),
  ),
  crm(
    'timing/slow-during-other-events',
    'a form keeps the process busy',
    crmThat(
      (() => {
        let freeAt = 0;
        return ({ eventType }) => {
          if (eventType === 'FormSubmitted') freeAt = performance.now() + lateForCrmMs;
          return pause(Math.max(0, freeAt - performance.now()));
        };
      })(),
    ),
    { says: /FormSubmitted/ },
  ),
  chat(
    'timing/slow-by-size',
    'every character costs time',
    chatThat(
      () =>
        ({ data }) =>
          late(data.history.reduce((sum, { text }) => sum + text.length, 0) > 20_000),
    ),
    { says: /KB/ },
  ),
  chat(
    'timing/slow-by-history',
    'every turn costs a query',
    chatThat(
      () =>
        ({ data }) =>
          late(data.history.length > 20),
    ),
  ),
  chat(
    'timing/pool-too-small',
    'one at a time',
    chatThat(() => {
      const oneByOne = pool(1);
      return () => oneByOne(() => pause(260));
    }, timeoutSecondsAtOnce),
    { says: /one event at a time/ },
  ),
  chat(
    'timing/pool-too-small',
    'two at a time',
    chatThat(() => {
      const byTwos = pool(2);
      return () => byTwos(() => pause(320));
    }, timeoutSecondsAtOnce),
    { says: /2 events at a time/ },
  ),
  chat(
    'timing/one-at-a-time-per-caller',
    'a lock on the contact',
    chatThat(() => {
      const pools = new Map<string, ReturnType<typeof pool>>();
      return ({ data: { contact } }) => {
        const { phone = '' } = contact;
        const own = pools.get(phone) ?? pool(1);
        pools.set(phone, own);
        return own(() => pause(260));
      };
    }, timeoutSecondsAtOnce),
  ),
  chat(
    'timing/slow-in-parallel',
    'all share one processor',
    chatThat(() => {
      let running = 0;
      return async () => {
        running++;
        // Each concurrent event takes as long as all of them together.
        await pause(120);
        await pause(120 * running);
        running--;
      };
    }, timeoutSecondsAtOnce),
  ),
  chat(
    'timing/fails-in-parallel',
    'a database that is locked',
    chatThat(() => {
      let isLocked = false;
      return async () => {
        if (isLocked) return 500;
        isLocked = true;
        await pause(60);
        isLocked = false;
        return undefined;
      };
    }),
    { says: /answered 500/ },
  ),
  hooks(
    'timing/fails-in-parallel',
    'the raw body in a variable of the module',
    hooksThat((_, latest) => latest.body),
    { says: /answered 401; each alone is accepted/ },
  ),
];

/** Endpoints that answer in time, or that have another fault. */
export const timelyEndpoints: readonly FaultyEndpoint[] = [
  chat(
    undefined,
    'quick',
    chatThat(() => () => Promise.resolve()),
  ),
  chat(
    undefined,
    'near the limit',
    chatThat(() => () => pause(170)),
  ),
  crm(
    undefined,
    'quick',
    crmThat(() => Promise.resolve(), knownCaller),
  ),
  crm(
    undefined,
    'a second each, eight at a time',
    (() => {
      const byEights = pool(8);
      return crmThat(() => byEights(() => pause(700)));
    })(),
  ),
  hooks(
    undefined,
    'the raw body of each request',
    hooksThat(({ body }) => body),
  ),
  hooks(
    undefined,
    'three at a time, with a pause for the others',
    hooksThat(({ body }) => body, { ms: 300, most: 3 }),
  ),
  chat(
    undefined,
    'refusing everything',
    chatThat(() => () => Promise.resolve(400)),
  ),
];
