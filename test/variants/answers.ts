import { customer, partsFor, postJson } from '../proving/crm.ts';
import { answeringAgain } from '../mutants/memories.ts';
import { hookTypes } from '../proving/hooks.ts';
import { rememberForever } from '../proving/once.ts';
import { send } from '../proving/outgoing.ts';
import { isRecent, parse, sameHex, sign, toleranceSeconds, verify } from '../proving/signature.ts';
import { json, pause } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

const crm = ['crm-webhook'] as const;
const hooks = ['api-webhooks'] as const;

/** The answer of the CRM without data: the form with both flags false. */
const nothingFlagged = { requestContactUpdate: false, requestProjectUpdate: false };

/** 400 for a signature header that is not of the documented form, 401 for a bad signature. */
function badRequestOr401(header: string | undefined): { status: number } {
  return { status: /^t=\d+,v1=[0-9a-f]{64}$/.test(header ?? '') ? 401 : 400 };
}

const dayMs = 86_400_000;

/** 422 for an event that was sent yesterday or is from the future. */
function onlyOfToday(sentAt: string): { status: number } | undefined {
  return Math.abs(Date.now() - Date.parse(`${sentAt}Z`)) < dayMs ? undefined : { status: 422 };
}

/** Correct but unusual ways to answer events and deliveries. */
export const answerVariants: readonly Variant[] = [
  {
    name: 'silent-204',
    what: 'Answers every event 204 and sends nothing else.',
    surfaces: crm,
    knowsNobody: true,
    build: () => ({ crm: { partsFor: () => undefined, later: () => false } }),
  },
  {
    name: 'always-by-callback',
    what: 'Answers every known event 202 and calls back 300 ms later, even with nothing to add.',
    surfaces: crm,
    build: () => ({ crm: { later: () => true, callbackAfterMs: 300 } }),
  },
  {
    name: 'empty-object-by-callback',
    what: 'Answers 202 with a custom body and calls back with an empty object, chunked and without a content type.',
    surfaces: crm,
    knowsNobody: true,
    build: () => ({
      crm: {
        later: () => true,
        accepted: () => json(202, { queued: true, requestContactUpdate: 'soon' }),
        callback: ({ url }) => send({ url, method: 'POST', headers: {}, body: '{}' }).then(() => undefined),
      },
    }),
  },
  {
    name: 'always-200-nothing-flagged',
    what: 'Answers 200 to every known event, with both flags false where there is nothing to add.',
    surfaces: crm,
    build: () => ({ crm: { partsFor: (name, event) => partsFor(name, event) ?? {}, later: () => false } }),
  },
  {
    name: 'always-200-empty-object',
    what: 'Answers 200 with an empty object, which flags nothing.',
    surfaces: crm,
    knowsNobody: true,
    build: () => ({ crm: { partsFor: () => ({}), compose: () => ({}), later: () => false } }),
  },
  {
    name: 'exotic-ids-and-texts',
    what: 'Ids and strings contain quotes, line breaks, right-to-left and astral characters.',
    surfaces: crm,
    build: () => ({
      crm: {
        partsFor: (name, event) => {
          const parts = partsFor(name, event);
          const exotic = '٤٧ "x"\n\u2028 \\ 🗂️ e\u0301';
          return parts?.contact
            ? { contact: { crmContactId: exotic, firstName: exotic, crmAiInfo: `${exotic} נוח` } }
            : parts && { project: { crmProjectId: exotic, projectName: '' } };
        },
      },
    }),
  },
  {
    name: 'every-nullable-null',
    what: 'Sends null in every field for which null is listed.',
    surfaces: crm,
    build: () => ({
      crm: {
        partsFor: (name, event) => {
          const nulls = Object.fromEntries(
            Object.entries(event.contactData ?? {}).filter(([, value]) => value === null),
          );
          return partsFor(name, event)?.contact
            ? { contact: nulls }
            : { project: { crmProjectId: null, address: null } };
        },
      },
    }),
  },
  {
    name: 'whole-event-sent-back',
    what: 'Sends both parts back unchanged, except for its own ids.',
    surfaces: crm,
    advised: ['crm-webhook/crm-ai-info-within-5000-utf-16-units'],
    build: () => ({
      crm: {
        later: () => false,
        partsFor: (_, { contactData, projectData }) => ({
          ...(contactData && { contact: { ...contactData, crmContactId: '4711' } }),
          ...(projectData && { project: { ...projectData, crmProjectId: 'C-1' } }),
        }),
      },
    }),
  },
  {
    name: 'unflagged-nonsense',
    what: 'Sends unknown fields, and nonsense in a part that is not flagged; the service ignores both.',
    surfaces: crm,
    build: () => ({
      crm: {
        compose: ({ contact, project }) => ({
          requestContactUpdate: contact !== undefined,
          contactData: contact ? { ...contact, shoeSize: 43, tags: [null] } : { crmContactId: 4711, language: null },
          requestProjectUpdate: project !== undefined,
          projectData: project ? { ...project, mood: {} } : 'none',
          debug: { tookMs: 3 },
        }),
      },
    }),
  },
  {
    name: 'crm-ai-info-of-exactly-5000',
    what: 'crmAiInfo has exactly the maximum number of characters.',
    surfaces: crm,
    build: () => ({
      crm: {
        partsFor: (name, event) => {
          const parts = partsFor(name, event);
          return parts?.contact ? { contact: { ...customer, crmAiInfo: 'ü'.repeat(5_000) } } : parts;
        },
      },
    }),
  },
  {
    name: 'computed-anew-each-time',
    what: 'Stores no answers: computes the same one again, and stores its effects by key.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    build: () => ({
      crm: {
        later: () => false,
        once: (_, work) => work(),
        effect: (journal, name, { callbackUrl }) => {
          if (!journal.entries.includes(`${name} ${callbackUrl}`)) journal.add(`${name} ${callbackUrl}`);
        },
      },
      hooks: {
        once: (_, work) => work(),
        effect: (journal, { type, data }) => {
          if (!journal.entries.includes(`${type} ${String(data.id)}`)) journal.add(`${type} ${String(data.id)}`);
        },
      },
    }),
  },
  {
    name: 'redelivery-answered-at-once',
    what: 'Answers 202 first; when the event is repeated, the outcome is known and is answered 200.',
    surfaces: crm,
    build: () => {
      const once = rememberForever();
      const known = new Set<string>();
      return {
        crm: {
          later: (name) => name === 'FinishedCall',
          once: async (key, work) => {
            const isSecond = known.has(key);
            known.add(key);
            const first = await once(key, work);
            const isLater =
              typeof first === 'object' && first !== null && (first as { status?: number }).status === 202;
            return isSecond && isLater
              ? (json(200, { requestProjectUpdate: true, projectData: { crmProjectId: 'C-2026-0815' } }) as never)
              : first;
          },
        },
      };
    },
  },
  {
    name: 'bearer-in-any-case',
    what: 'Accepts the word Bearer in any letter case and with several spaces after it; the token is compared exactly.',
    surfaces: crm,
    build: () => ({
      crm: {
        bearerAccepted: (header, token) => {
          const [scheme = '', given] = (header ?? '').split(/ +/);
          return scheme.toLowerCase() === 'bearer' && given === token;
        },
      },
    }),
  },
  {
    name: 'lenient-signature-reader',
    what: 'Accepts the parts of the signature in any order, with spaces, unknown parts and upper-case digits.',
    surfaces: ['api-webhooks', 'own-ai-chat'],
    build: () => {
      const verifyLoosely = (header: string | undefined, body: Buffer, secret: string) => {
        const parts = new Map((header ?? '').split(',').map((part) => part.trim().split('=', 2) as [string, string]));
        const t = parts.get('t') ?? '';
        return /^\d+$/.test(t) && isRecent(t) && parts.get('v1')?.toLowerCase() === sign(secret, t, body);
      };
      return { hooks: { verify: verifyLoosely }, chat: { verify: verifyLoosely } };
    },
  },
  {
    name: 'valid-deliveries-cached',
    what: 'Keeps the signature of a valid delivery together with its body, and compares only the time when both come again.',
    surfaces: ['api-webhooks', 'own-ai-chat'],
    build: () => {
      const valid = new Map<string, Buffer>();
      const verifyOnce = (header = '', body: Buffer, secret: string) => {
        const isKnown = isRecent(parse(header)?.t ?? '0') && valid.get(header)?.equals(body) === true;
        const isValid = isKnown || verify(header, body, secret);
        if (isValid) valid.set(header, body);
        return isValid;
      };
      return { hooks: { verify: verifyOnce }, chat: { verify: verifyOnce } };
    },
  },
  {
    name: 'slow-clock-read-once-a-second',
    what: 'Compares t with a time that is read once a second, from a clock that is ten seconds slow.',
    surfaces: ['api-webhooks', 'own-ai-chat'],
    build: () => {
      let [now, readAt] = [0, -Infinity];
      const verifySlowly = (header: string | undefined, body: Buffer, secret: string) => {
        if (performance.now() - readAt > 1_000) [now, readAt] = [Date.now() / 1_000 - 10, performance.now()];
        const parts = parse(header);
        const isInside = parts !== undefined && Math.abs(now - Number(parts.t)) <= toleranceSeconds;
        return isInside && sameHex(sign(secret, parts.t, body), parts.v1);
      };
      return { hooks: { verify: verifySlowly }, chat: { verify: verifySlowly } };
    },
  },
  {
    name: 'hook-token-bucket',
    what: 'Takes thirty deliveries at once and thirty per second, and answers others 429 with Retry-After: 1.',
    surfaces: hooks,
    build: () => {
      const perSecond = 30;
      let [tokens, filledAt] = [perSecond, performance.now()];
      const read = () => {
        const now = performance.now();
        tokens = Math.min(perSecond, tokens + ((now - filledAt) / 1_000) * perSecond);
        filledAt = now;
        if (tokens < 1) return { status: 429, headers: { 'Retry-After': '1' } };
        tokens--;
        return undefined;
      };
      return { hooks: { read } };
    },
  },
  {
    name: 'hook-answers-with-a-body',
    what: 'Answers appointment events 200 with an unexpected plain-text body.',
    surfaces: hooks,
    build: () => ({
      hooks: { accepted: () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>thanks</p>' }) },
    }),
  },
  {
    name: 'hook-takes-its-time',
    what: 'Answers appointment events after 120 ms; the interface sets no limit for them.',
    surfaces: hooks,
    build: () => ({
      hooks: { effect: (journal, { type }, id) => pause(120).then(() => journal.add(`${type} ${id}`)) },
    }),
  },
  {
    name: 'appointment-events-take-long',
    what: 'Works on a new appointment for longer than a lookup may take, and answers everything else meanwhile.',
    surfaces: crm,
    build: () => ({ crm: { workMs: (name) => (name === 'AppointmentCreated' ? 2_700 : 0) } }),
  },
  {
    name: 'crm-second-of-two-at-once-204',
    what: 'Answers a repeated event 204 while it processes the first one, whose answer contains the data.',
    surfaces: crm,
    build: () => ({ crm: { once: answeringAgain(204, 'at work') } }),
  },
  {
    name: 'unreadable-header-400',
    what: 'Refuses a signature header that is missing or not of the documented form with 400, a bad signature with 401.',
    surfaces: ['api-webhooks', 'own-ai-chat'],
    advised: ['api-webhooks/refuses-with-401-if-unreadable', 'own-ai-chat/refuses-with-401-if-unreadable'],
    build: () => ({ hooks: { refusal: badRequestOr401 }, chat: { refusal: badRequestOr401 } }),
  },
  {
    name: 'hook-subscribed-to-two-types',
    what: 'Subscribed to two event types only, and answers the other four 422.',
    surfaces: hooks,
    subscribed: ['appointment.finished', 'appointment.created'],
    build: () => ({
      hooks: {
        read: ({ type }) =>
          hookTypes.includes(type) && !['appointment.finished', 'appointment.created'].includes(type)
            ? { status: 422 }
            : undefined,
      },
    }),
  },
  {
    name: 'events-of-today-only',
    what: 'Refuses an event whose envelope is a day old, and a message whose id another event had: the service stamps an event when it sends it, and an id belongs to one message.',
    surfaces: ['crm-webhook', 'api-webhooks', 'own-ai-chat'],
    build: () => {
      const eventOf = new Map<number, string>();
      return {
        crm: { read: ({ timestampUtc }) => onlyOfToday(timestampUtc) },
        hooks: { read: ({ createdAt }) => onlyOfToday(createdAt) },
        chat: {
          read: ({ id, createdAt, data: { message } }) => {
            if ((eventOf.get(message.id) ?? id) !== id) return { status: 409 };
            eventOf.set(message.id, id);
            return onlyOfToday(createdAt);
          },
        },
      };
    },
  },
  {
    name: 'knows-nobody',
    what: 'Knows no caller: answers 200 with both flags false, in hand-written JSON.',
    surfaces: crm,
    knowsNobody: true,
    build: () => ({ crm: { partsFor: () => ({}), compose: () => nothingFlagged, callback: postJson } }),
  },
];
