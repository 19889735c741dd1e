import type { CauseId } from '../../../diagnosis/causes.ts';
import { crmEventTypes } from '../../../specs/crm-event-types.ts';
import { asJson, type Received, type Reply } from '../receiver.ts';
import { apiKey, type Mistake } from './mistake.ts';
import { node, type Event } from './node-endpoint.ts';

const later: Reply = { status: 202 };
const withDataOf = (event: Event) => ({
  requestContactUpdate: true,
  contactData: { crmContactId: `c${event.contactData?.svcContactId}`, crmAiInfo: 'A customer' },
  requestProjectUpdate: false,
  projectData: null,
});

const known = new Set<unknown>([...crmEventTypes, 0, 1, 2, 3, 4, 5]);

/** A callback, which carries no API key. */
async function callBack(url: string | URL, body: unknown, key: Record<string, string> = {}): Promise<void> {
  const headers = { 'content-type': 'application/json', ...key };
  await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => undefined);
}

async function reply(url: string | URL, body: unknown): Promise<void> {
  await callBack(url, body, { 'x-api-key': apiKey });
}

/** An integrator that answers the CRM events it knows with 202, and `act`s on each of them once. */
const crmLater = (act: (event: Event, request: Received) => void) => {
  const seen = new Set<unknown>();
  return {
    answer: (event: Event, request: Received): Reply => {
      if (seen.has(event.callbackUrl)) return later;
      seen.add(event.callbackUrl);
      if (!known.has(event.eventType)) return { status: 204 };
      act(event, request);
      return later;
    },
  };
};

/** An AI that answers messages with 202, and `act`s on each of them once. */
const chatLater = (act: (event: Event, request: Received) => void) => {
  const seen = new Set<unknown>();
  return {
    answer: (event: Event, request: Received): Reply => {
      if (event.type === 'ping') return asJson(200, {});
      if (seen.has(event.data.replyUrl)) return later;
      seen.add(event.data.replyUrl);
      act(event, request);
      return later;
    },
  };
};

/** An integrator that answers 202 and sends the result to the address that `to` makes. */
const calling = (
  name: string,
  causes: readonly CauseId[],
  to: () => (url: URL, request: Received) => string,
  more: Partial<Mistake> = {},
) =>
  node({ name, group: 'later', surface: 'crm-webhook', causes, ...more }, () => {
    const make = to();
    return crmLater((event, request) => {
      void callBack(make(new URL(event.callbackUrl), request), withDataOf(event));
    });
  });

const replying = (
  name: string,
  causes: readonly CauseId[],
  to: () => (url: URL, request: Received) => string,
  more: Partial<Mistake> = {},
) =>
  node({ name, group: 'later', surface: 'own-ai-chat', causes, ...more }, () => {
    const make = to();
    return chatLater((event, request) => {
      void reply(make(new URL(event.data.replyUrl), request), { text: 'We are open until six.', action: 'none' });
    });
  });

const suspected = { isSuspected: true } as const;
/** The path on another host; discard is a port at which nothing listens. */
const elsewhere = ({ pathname, search }: URL) => `http://127.0.0.1:9${pathname}${search}`;
const unknownPlace: readonly CauseId[] = ['callback/never-sent', 'callback/not-yet', 'callback/other-host'];

/** The callback carries what `make` makes of the right one. */
const callingWith = (
  name: string,
  causes: readonly CauseId[],
  make: (right: ReturnType<typeof withDataOf>) => unknown,
) =>
  node({ name, group: 'later', surface: 'crm-webhook', causes }, () =>
    crmLater((event) => {
      void callBack(event.callbackUrl, make(withDataOf(event)));
    }),
  );

/** An AI whose answers contain `own` of the message and what `kept` returns for it. */
const remembering = (
  name: string,
  causes: readonly CauseId[],
  group: Mistake['group'],
  kept: () => (event: Event) => string,
) =>
  node({ name, group, surface: 'own-ai-chat', causes }, () => {
    const words = kept();
    return {
      answer: (event) =>
        event.type === 'ping' ? asJson(200, {}) : asJson(200, { text: words(event), action: 'none' }),
    };
  });
const greeting = (event: Event): string => `Hello ${event.data.contact.name ?? 'you'}, we are open until six.`;

/** From this message on, the name of the first contact is in each answer. */
const leakingAfter = (count: number) => () => {
  let first: string | undefined;
  let messages = 0;
  return (event: Event) => {
    first ??= event.data.contact.name;
    return ++messages > count ? `Hello ${first}, we are open until six.` : greeting(event);
  };
};

/** Callbacks and replies that go to a wrong place, and answers with data of another contact. */
export const laterMistakes: readonly Mistake[] = [
  calling(
    'callbacks go to the host of the request',
    ['callback/other-host'],
    () =>
      ({ pathname, search }, { headers }) =>
        `http://${headers.host}${pathname}${search}`,
  ),
  replying(
    'replies go to the host that a proxy forwards',
    ['callback/other-host'],
    () =>
      ({ pathname, search }, { headers }) =>
        `http://${String(headers['x-forwarded-host'] ?? headers.host)}${pathname}${search}`,
  ),
  calling('callbacks go to a host of the settings', unknownPlace, () => elsewhere, suspected),
  replying('replies go to a host of the settings', unknownPlace, () => elsewhere, suspected),
  // Nothing arrives either.
  node(
    { name: 'callbacks are never sent', group: 'later', surface: 'crm-webhook', causes: unknownPlace, ...suspected },
    () => ({
      answer: ({ eventType }): Reply => (known.has(eventType) ? later : { status: 204 }),
    }),
  ),
  calling(
    'callbacks go to the address of the first event',
    ['callback/mixed-up'],
    () => {
      let first: string | undefined;
      return ({ href }) => (first ??= href);
    },
    // At the address of a single event, nothing arrives.
    { ofCheck: ['callback/never-sent'] },
  ),
  calling(
    'callbacks go to a fixed path',
    ['callback/wrong-place'],
    () =>
      ({ origin }) =>
        `${origin}/callback`,
  ),
  callingWith(
    'the contact is called back without its envelope',
    ['answer/parts-without-envelope', 'answer/wrapped', 'answer/part-without-flag'],
    ({ contactData }) => contactData,
  ),
  callingWith('the contact is called back without its flag', ['answer/part-without-flag'], ({ contactData }) => ({
    contactData,
  })),
  node(
    {
      name: 'replies are wrapped in data',
      group: 'later',
      surface: 'own-ai-chat',
      causes: ['answer/wrapped'],
    },
    () =>
      chatLater((event) => {
        void reply(event.data.replyUrl, { data: { text: 'We are open until six.', action: 'none' } });
      }),
  ),
  // A queue that is emptied when the next job arrives: the last one waits.
  node(
    {
      name: 'a callback is sent once the next event arrives',
      group: 'later',
      surface: 'crm-webhook',
      causes: ['callback/not-yet', 'callback/never-sent'],
      isSuspected: true,
    },
    () => {
      let waiting: (() => Promise<void>) | undefined;
      return crmLater((event) => {
        void waiting?.();
        waiting = async () => await callBack(event.callbackUrl, withDataOf(event));
      });
    },
  ),
  calling(
    'every event is called back at its own address',
    [],
    () =>
      ({ href }) =>
        href,
    { group: 'right' },
  ),
  replying(
    'every message is replied to at its own address',
    [],
    () =>
      ({ href }) =>
        href,
    { group: 'right' },
  ),
  remembering(
    'the first contact is greeted for ever, after 5 messages',
    ['answer/of-another-contact'],
    'later',
    leakingAfter(5),
  ),
  remembering(
    'the first contact is greeted for ever, after 10 messages',
    ['answer/of-another-contact'],
    'later',
    leakingAfter(10),
  ),
  remembering('the contact before is greeted', ['answer/of-another-contact'], 'later', () => {
    let before = 'you';
    return (event) => {
      const text = `Hello ${before}, we are open until six.`;
      before = event.data.contact.name ?? 'you';
      return text;
    };
  }),
  // Fixed names and numbers are not data of a contact.
  remembering('every contact reads of the same person', [], 'right', () => (event) => {
    return `${greeting(event)} Ask for Erika Mustermann, +1 201 555 0100 or +12015550101, in room 123456789.`;
  }),
];
