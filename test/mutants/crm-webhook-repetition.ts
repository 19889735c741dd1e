import { partsFor, postJson, type CrmCallback, type CrmSeams } from '../proving/crm.ts';
import { rememberForever } from '../proving/once.ts';
import { pause } from '../proving/wire.ts';
import {
  answeringAgain,
  meetingMs,
  metAtWork,
  rememberAfterwards,
  rememberFor,
  rememberWhileAtWork,
} from './memories.ts';
import { setUp } from '../proving/endpoint.ts';
import { send } from '../proving/outgoing.ts';
import type { Mutant } from './mutant.ts';

/** Milliseconds that a cache keeps an event: longer than an immediate repetition takes. */
const cachedMs = 150;

/** Answers each event later, with a callback. */
const everythingLater = { later: () => true };

function calling(callback: (call: CrmCallback, token: string, name: string) => Promise<unknown>): Mutant['build'] {
  return () => ({ crm: { callback: (call, token, name) => callback(call, token, name).then(() => undefined) } });
}

const asJson = { 'content-type': 'application/json' };

/** Faults with callbacks and redeliveries. */
export const repetitionMutants: readonly Mutant[] = [
  {
    name: 'callback-never-sent',
    breaks: 'crm-webhook/calls-back-after-202',
    what: 'Forms are answered 202, but nothing is sent to callbackUrl.',
    build: calling(() => Promise.resolve()),
  },
  {
    name: 'callback-lost-without-an-inquiry',
    breaks: 'crm-webhook/calls-back-after-202',
    what: 'Finished calls are answered 202, but the work on those with a running summary and no inquiry summary fails.',
    needsTheRest: 'checks of other requirements send calls with such summaries',
    build: () => {
      const lost = new Set<string>();
      return {
        crm: {
          later: (name, { callbackUrl, projectData }) => {
            if (projectData?.currentSummary !== null && projectData?.inquirySummary === null) lost.add(callbackUrl);
            return name === 'FinishedCall';
          },
          callback: (call) => (lost.has(call.url) ? Promise.resolve() : postJson(call)),
        },
      };
    },
  },
  {
    name: 'callback-a-little-late',
    breaks: 'crm-webhook/calls-back-after-202',
    what: 'The callback of a form comes shortly after the limit, while that of another event is still due.',
    build: () => ({
      crm: {
        later: (name) => name === 'FormSubmitted' || name === 'Manual',
        workMs: (name) => (name === 'Manual' ? 1_000 : 0),
        callback: (call, _, name) => pause(name === 'Manual' ? 2_100 : 2_900).then(() => postJson(call)),
      },
    }),
  },
  {
    name: 'callback-repeated-after-a-pause',
    breaks: 'crm-webhook/calls-back-once',
    what: 'The callback of a form is sent again a while after it was accepted.',
    build: calling((call) => postJson(call).then(() => pause(450).then(() => postJson(call)))),
  },
  {
    name: 'callback-sent-twice',
    breaks: 'crm-webhook/calls-back-once',
    what: 'The callback of a form is sent by two workers.',
    build: calling((call) => Promise.all([postJson(call), pause(60).then(() => postJson(call))])),
  },
  {
    name: 'callback-repeated-though-taken',
    breaks: 'crm-webhook/calls-back-once',
    what: 'The callback is repeated because only status 202 counts as success.',
    build: calling(async (call) => {
      await postJson(call);
      await postJson(call);
    }),
  },
  {
    name: 'callback-slow-holds-the-lock',
    breaks: 'crm-webhook/stays-well-while-a-callback-is-slow',
    what: 'While a callback waits for its answer, a lock keeps lookups waiting.',
    build: () => {
      let sending: Promise<unknown> = Promise.resolve();
      return {
        crm: { callback: (call) => (sending = postJson(call)).then(() => undefined) },
        transport: {
          admit: async (request, work) => {
            if (request.path === '/crm') await sending;
            return work();
          },
        },
      };
    },
  },
  {
    name: 'callback-forgotten-when-sent',
    breaks: 'crm-webhook/one-callback-after-redelivery',
    what: 'An event is forgotten when its callback was sent, so a repetition after it is called back again.',
    build: () => {
      const done = new Map<string, Promise<unknown>>();
      const once: CrmSeams['once'] = (key, work) => {
        const result = (done.get(key) as ReturnType<typeof work> | undefined) ?? work();
        done.set(key, result);
        return result;
      };
      return { crm: { once, callback: (call) => postJson(call).then(() => void done.delete(call.url)) } };
    },
  },
  {
    name: 'callback-once-for-each-project',
    breaks: 'crm-webhook/calls-back-after-202',
    what: 'A second form of one project is answered 202, but counts as a repetition and is never called back.',
    build: () => {
      const calledBack = new Set<unknown>();
      const projectOf = new Map<string, unknown>();
      return {
        crm: {
          effect: (journal, name, { callbackUrl, projectData }) => {
            projectOf.set(callbackUrl, projectData?.svcProjectId);
            journal.add(`${name} ${callbackUrl}`);
          },
          callback: async (call) => {
            const project = projectOf.get(call.url);
            const isKnown = calledBack.has(project);
            calledBack.add(project);
            if (!isKnown) await postJson(call);
          },
        },
      };
    },
  },
  {
    name: 'callback-known-for-a-moment',
    breaks: 'crm-webhook/one-callback-after-redelivery',
    what: 'A cache keeps each callbackUrl for a short time, so a repetition at the end of the run is called back again.',
    mayAlso: [{ id: 'crm-webhook/redelivery-has-one-effect', why: 'the work is done again, with its effect' }],
    build: () => ({ crm: { once: rememberFor(cachedMs) } }),
  },
  {
    name: 'callback-of-a-form-at-once-twice',
    breaks: 'crm-webhook/one-callback-after-redelivery-at-once',
    what: 'Forms are looked up before they are stored, so two deliveries of one at once each start a callback.',
    mayAlso: [{ id: 'crm-webhook/redelivery-has-one-effect', why: 'the work is done twice, with its effect' }],
    build: () => {
      const remember = rememberForever();
      const store = rememberAfterwards();
      const forms = new Set<string>();
      return {
        crm: {
          read: ({ callbackUrl }, name) => {
            if (name === 'FormSubmitted') forms.add(callbackUrl);
            return undefined;
          },
          once: (key, work) => (forms.has(key) ? store(key, work) : remember(key, work)),
        },
      };
    },
  },
  {
    name: 'callback-by-put',
    breaks: 'crm-webhook/callback-is-a-post',
    what: 'The callback is sent with PUT.',
    build: calling((call) => send({ ...call, method: 'PUT', headers: asJson })),
  },
  {
    name: 'callback-without-query',
    breaks: 'crm-webhook/callback-uses-the-address-given',
    what: 'The query of callbackUrl is dropped.',
    mayAlso: [{ id: 'crm-webhook/calls-back-after-202', why: 'nothing arrives at the given address' }],
    build: calling((call) => postJson({ ...call, url: call.url.split('?')[0] ?? '' })),
  },
  {
    name: 'callback-address-with-a-slash',
    breaks: 'crm-webhook/callback-uses-the-address-given',
    what: 'A part is appended to the path of callbackUrl.',
    mayAlso: [{ id: 'crm-webhook/calls-back-after-202', why: 'nothing arrives at the given address' }],
    build: calling((call) => postJson({ ...call, url: call.url.replace('?', '/result?') })),
  },
  {
    name: 'callback-form-encoded',
    breaks: 'crm-webhook/callback-is-a-json-object',
    what: 'The callback is sent form-encoded.',
    build: calling((call) =>
      send({
        url: call.url,
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ result: call.body }).toString(),
      }),
    ),
  },
  {
    name: 'callback-in-a-list',
    breaks: 'crm-webhook/callback-is-a-json-object',
    what: 'The callback is wrapped into a list.',
    build: calling((call) => postJson({ ...call, body: `[${call.body}]` })),
  },
  {
    name: 'callback-with-the-token',
    breaks: 'crm-webhook/callback-carries-no-token',
    what: 'The callback carries the webhook token as bearer token.',
    build: calling((call, token) =>
      send({ ...call, method: 'POST', headers: { ...asJson, authorization: `Bearer ${token}` } }),
    ),
  },
  {
    name: 'callback-with-the-api-key',
    breaks: 'crm-webhook/callback-carries-no-token',
    what: 'Callbacks are sent with the HTTP client of API v1, whose default headers contain the API key.',
    build: calling((call) =>
      send({ ...call, method: 'POST', headers: { ...asJson, authorization: `Bearer ${setUp.apiKey}` } }),
    ),
  },
  {
    name: 'callback-of-nothing-flagged',
    breaks: 'crm-webhook/flagged-part-is-present',
    what: 'The callback flags a project that it does not contain.',
    build: calling((call) =>
      postJson({ ...call, body: JSON.stringify({ ...(JSON.parse(call.body) as object), requestProjectUpdate: true }) }),
    ),
  },
  {
    name: 'callback-with-ids-as-numbers',
    breaks: 'crm-webhook/ids-are-strings',
    what: 'The callback contains crmContactId as a number.',
    build: calling((call) => postJson({ ...call, body: call.body.replace('"4712"', '4712') })),
  },
  {
    name: 'redelivery-answered-as-done',
    breaks: 'crm-webhook/redelivery-has-the-same-outcome',
    what: 'An event with a known callbackUrl is answered 204, so the data of a lost answer never arrives.',
    build: () => ({ crm: { once: answeringAgain(204, 'done') } }),
  },
  {
    name: 'chat-redelivery-answered-as-done',
    breaks: 'crm-webhook/redelivery-has-the-same-outcome',
    what: 'A new conversation with a known callbackUrl is answered 204.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          read: ({ callbackUrl }, name) => {
            if (name !== 'NewConversation') return undefined;
            const { size } = known;
            return known.add(callbackUrl).size === size ? { status: 204 } : undefined;
          },
        },
      };
    },
  },
  {
    name: 'manual-events-not-remembered',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Manual events are noted again when they come again.',
    build: () => {
      const remembered = rememberForever();
      let isManual = false;
      return {
        crm: {
          read: (_, name) => {
            isManual = name === 'Manual';
            return undefined;
          },
          once: (key, work) => (isManual ? work() : remembered(key, work)),
        },
      };
    },
  },
  {
    name: 'legacy-number-not-recognised-again',
    breaks: 'crm-webhook/one-callback-after-redelivery',
    what: 'Events with a number as their type are handled by old code, which keeps no callbackUrl.',
    build: () => {
      const remembered = rememberForever();
      let isNumber = false;
      return {
        crm: {
          read: ({ eventType }) => {
            isNumber = typeof eventType === 'number';
            return undefined;
          },
          once: (key, work) => (isNumber ? work() : remembered(key, work)),
          later: (name) => name === 'FinishedCall',
        },
      };
    },
  },
  {
    name: 'redelivery-is-a-conflict',
    breaks: 'crm-webhook/redelivery-has-the-same-outcome',
    what: 'An event with a known callbackUrl violates a unique key and is answered 409.',
    build: () => ({ crm: { once: answeringAgain(409, 'done') } }),
  },
  {
    name: 'redelivery-at-once-is-locked',
    breaks: 'crm-webhook/redelivery-at-once-has-the-same-outcome',
    what: 'While an event is being processed, a repetition is answered 409.',
    needsTheRest: metAtWork,
    build: () => ({ crm: { once: answeringAgain(409, 'at work') } }),
  },
  {
    name: 'redelivery-at-once-opens-two-cases',
    breaks: 'crm-webhook/redelivery-at-once-has-the-same-outcome',
    what: 'Two deliveries at once each open a case, so that the same event is answered with two numbers.',
    needsTheRest: metAtWork,
    mayAlso: [
      { id: 'crm-webhook/redelivery-has-one-effect', why: 'each case is an effect' },
      { id: 'crm-webhook/one-callback-after-redelivery-at-once', why: 'a form at once is called back twice' },
    ],
    build: () => {
      let cases = 0;
      return {
        crm: {
          once: rememberAfterwards(),
          workMs: (name) => (name === 'FinishedCall' ? 500 : 0),
          partsFor: (name, event) =>
            name === 'FinishedCall' ? { project: { crmProjectId: `C-${++cases}` } } : partsFor(name, event),
        },
      };
    },
  },
  {
    name: 'redelivery-answered-in-short',
    breaks: 'crm-webhook/redelivery-has-the-same-outcome',
    what: 'The same event again is answered with the flags and the id alone, without the names and crmAiInfo.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          once: rememberWhileAtWork(),
          effect: (journal, name, { callbackUrl }) => {
            if (!known.has(callbackUrl)) journal.add(`${name} ${callbackUrl}`);
          },
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            const isKnown = known.has(event.callbackUrl);
            known.add(event.callbackUrl);
            return isKnown && parts?.contact ? { contact: { crmContactId: parts.contact.crmContactId } } : parts;
          },
        },
      };
    },
  },
  {
    name: 'event-known-by-its-project-and-time',
    breaks: 'crm-webhook/handles-similar-events',
    what: 'An event counts as known when there was one of its type for the project in the same second.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          effect: (journal, name, { projectData, timestampUtc }) => {
            const key = `${name} ${String(projectData?.svcProjectId)} ${timestampUtc}`;
            if (!known.has(key)) journal.add(key);
            known.add(key);
          },
        },
      };
    },
  },
  {
    name: 'event-known-by-its-contact-and-time',
    breaks: 'crm-webhook/handles-similar-events',
    what: 'An event counts as known when there was one of its type for the contact in the same second.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          effect: (journal, name, { contactData, timestampUtc }) => {
            const key = `${name} ${String(contactData?.svcContactId)} ${timestampUtc}`;
            if (!known.has(key)) journal.add(key);
            known.add(key);
          },
        },
      };
    },
  },
  {
    name: 'redelivery-logged-under-another-external-id',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Each delivery of an event logs a message through API v1 under a new externalId.',
    build: () => {
      let entries = 0;
      return {
        crm: {
          once: rememberWhileAtWork(),
          effect: (_, name, { callbackUrl, projectData }) => {
            const projectId = projectData?.['svcProjectId'];
            if (!Number.isSafeInteger(projectId)) return;
            const text = `${name} was recorded.`;
            void send({
              url: `${new URL(callbackUrl).origin}/v1/messages/log`,
              method: 'POST',
              headers: { 'X-Api-Key': setUp.apiKey, 'Content-Type': 'application/json' },
              body: JSON.stringify({ projectId, direction: 'out', channel: 'sms', text, externalId: `e-${++entries}` }),
            });
          },
        },
      };
    },
  },
  {
    name: 'redelivery-books-again-under-one-key',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Each delivery of an event creates an appointment; its Idempotency-Key has no effect there.',
    build: () => ({
      crm: {
        once: rememberWhileAtWork(),
        effect: (_, name, { callbackUrl, contactData }) => {
          if (contactData?.phoneNumber === undefined) return;
          void send({
            url: `${new URL(callbackUrl).origin}/v1/appointments`,
            method: 'POST',
            headers: { 'X-Api-Key': setUp.apiKey, ...asJson, 'Idempotency-Key': `booking-${callbackUrl}` },
            body: JSON.stringify({ phone: contactData.phoneNumber, start: '2030-01-07T09:00:00Z', title: name }),
          });
        },
      },
    }),
  },
  {
    name: 'manual-event-noted-twice',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Only the event Manual has an effect, and each delivery of it adds a note to the case.',
    build: () => ({
      crm: {
        once: rememberWhileAtWork(),
        effect: (journal, name, { callbackUrl }) => {
          if (name === 'Manual') journal.add(callbackUrl);
        },
      },
    }),
  },
  {
    name: 'lookup-known-by-its-contact-and-time',
    breaks: 'crm-webhook/handles-similar-events',
    what: 'The second call of a contact in one second counts as a repetition of the first one, and is answered 204.',
    build: () => {
      const known = new Set<string>();
      return {
        crm: {
          partsFor: (name, event) => {
            const key = `${String(event.contactData?.svcContactId)} ${event.timestampUtc}`;
            const isKnown = name === 'IncomingCallLookup' && known.size === known.add(key).size;
            return isKnown ? undefined : partsFor(name, event);
          },
        },
      };
    },
  },
  {
    name: 'redelivery-noted-twice',
    breaks: 'crm-webhook/redelivery-has-one-effect',
    what: 'Every delivery adds a note to the case, even if the event was already handled.',
    build: () => ({ crm: { once: rememberWhileAtWork() } }),
  },
  {
    name: 'redelivery-calls-back-again',
    breaks: 'crm-webhook/one-callback-after-redelivery',
    what: 'A callbackUrl is forgotten once its 202 has been sent, so the same event later causes a second callback.',
    mayAlso: [{ id: 'crm-webhook/redelivery-has-one-effect', why: 'the work is done again, with its effect' }],
    build: () => ({ crm: { ...everythingLater, workMs: () => meetingMs, once: rememberWhileAtWork() } }),
  },
  {
    name: 'redelivery-at-once-calls-back-twice',
    breaks: 'crm-webhook/one-callback-after-redelivery-at-once',
    what: 'Two deliveries at once both find the callbackUrl unknown and both start a callback.',
    mayAlso: [{ id: 'crm-webhook/redelivery-has-one-effect', why: 'the state shows both callbacks' }],
    build: () => ({ crm: { ...everythingLater, once: rememberAfterwards() } }),
  },
];
