import { compose, customer, partsFor, postJson, type CrmEvent, type CrmParts } from '../proving/crm.ts';
import { lock } from './lock.ts';
import type { Mutant } from './mutant.ts';

/** Milliseconds per lookup of a receiver that handles one at a time: ten lookups take too long. */
const oneAtATimeMs = 270;
/** Milliseconds for which one lookup locks the database. */
const lockedMs = 60;

function isLookup(name: string): boolean {
  return name === 'IncomingCallLookup' || name === 'NewConversation';
}

/** Faults with lookups of several callers. */
export const callerMutants: readonly Mutant[] = [
  {
    name: 'lookup-answers-another-caller',
    breaks: 'crm-webhook/keeps-callers-apart',
    what: 'The number is kept in a variable of the module while the database is asked.',
    stopsTheRest: 'Any two lookups at about the same time bring the data of the later one.',
    build: () => {
      let latest: CrmEvent | undefined;
      return {
        crm: {
          read: (event, name) => {
            if (isLookup(name)) latest = event;
            return undefined;
          },
          workMs: (name) => (isLookup(name) ? lockedMs : 0),
          partsFor: (name, event) => partsFor(name, isLookup(name) && latest ? latest : event),
        },
      };
    },
  },
  {
    name: 'callback-answers-another-caller',
    breaks: 'crm-webhook/keeps-callers-apart',
    what: 'The number is kept in a variable of the module until the callback is composed.',
    stopsTheRest: 'Any two lookups at about the same time bring the data of the later one.',
    build: () => {
      let latest: CrmEvent | undefined;
      return {
        crm: {
          read: (event, name) => {
            if (isLookup(name)) latest = event;
            return undefined;
          },
          later: (name) => isLookup(name) || name === 'FormSubmitted',
          callbackAfterMs: lockedMs,
          callback: (call, _, name) =>
            postJson(
              isLookup(name) && latest
                ? { ...call, body: JSON.stringify(compose(partsFor(name, latest) ?? {})) }
                : call,
            ),
        },
      };
    },
  },
  {
    name: 'lookup-keeps-the-previous-caller',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'The record that was found is kept in a variable, and answers the next lookup that finds none.',
    build: () => {
      let found: CrmParts | undefined;
      return {
        crm: {
          partsFor: (name, event) =>
            isLookup(name) ? (found = partsFor(name, event) ?? found) : partsFor(name, event),
        },
      };
    },
  },
  {
    name: 'lookup-cached-under-part-of-the-number',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'Records are cached under the first six characters of the number, so that callers of one region share one.',
    build: () => {
      const cache = new Map<string, CrmParts>();
      return {
        crm: {
          partsFor: (name, event) => {
            if (!isLookup(name)) return partsFor(name, event);
            const key = String(event.contactData?.phoneNumber).slice(0, 6);
            const found = cache.get(key) ?? partsFor(name, event);
            if (found?.contact) cache.set(key, found);
            return found;
          },
        },
      };
    },
  },
  {
    name: 'lookup-by-the-end-of-the-number',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'A caller is found by the last three digits of the number.',
    build: () => {
      const known = new Map<string, CrmParts>();
      return {
        crm: {
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            if (!isLookup(name)) return parts;
            const end = String(event.contactData?.phoneNumber).slice(-3);
            if (parts?.contact) known.set(end, parts);
            return known.get(end) ?? parts;
          },
        },
      };
    },
  },
  {
    name: 'summaries-in-a-list-of-all-callers',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'The latest summaries are meant for their caller, but all callers share one list, which a default value has made.',
    build: () => {
      const summaries: string[] = [];
      return {
        crm: {
          read: ({ projectData }, name) => {
            const summary = projectData?.currentSummary;
            if (!isLookup(name) && typeof summary === 'string') summaries.push(summary);
            return undefined;
          },
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            if (!isLookup(name) || summaries.length === 0) return parts;
            const known = parts?.contact ? `${customer.crmAiInfo} ` : '';
            const crmAiInfo = `${known}Last contact: ${summaries.slice(-3).join(' / ')}`.slice(0, 1_000);
            return { contact: { ...parts?.contact, crmAiInfo } };
          },
        },
      };
    },
  },
  {
    name: 'summary-handled-last-answers-unknown-callers',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'An unknown caller is answered with the record that was handled last, and its summary.',
    build: () => {
      let last: string | undefined;
      return {
        crm: {
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            if (isLookup(name) && !parts?.contact && last)
              return { contact: { ...customer, crmAiInfo: last.slice(0, 1_000) } };
            const summary = event.projectData?.currentSummary;
            last = typeof summary === 'string' ? summary : '';
            return parts;
          },
        },
      };
    },
  },
  {
    name: 'paused-conversation-in-the-next-callback',
    breaks: 'crm-webhook/answers-each-caller-with-its-own-data',
    what: 'The question of the conversation that was paused last is in the callback of the next conversation, also of another contact.',
    build: () => {
      let question: unknown;
      return {
        crm: {
          read: ({ projectData }, name) => {
            if (name === 'ConversationPaused') question = projectData?.inquirySummary ?? null;
            return undefined;
          },
          later: (name) => name === 'NewConversation' || name === 'FormSubmitted',
          partsFor: (name, event) =>
            name === 'NewConversation'
              ? { ...partsFor(name, event), project: { inquirySummary: question ?? null } }
              : partsFor(name, event),
        },
      };
    },
  },
  {
    name: 'lookup-fails-alongside-another',
    breaks: 'crm-webhook/accepts-lookups-at-once',
    what: 'While a caller is looked up, the database is locked, and another lookup is answered 500.',
    stopsTheRest: 'Any two lookups at about the same time fail.',
    build: () => {
      const isLocked = lock(lockedMs);
      return {
        crm: {
          read: (_, name) => (isLookup(name) && isLocked() ? { status: 500 } : undefined),
          workMs: (name) => (isLookup(name) ? lockedMs : 0),
        },
      };
    },
  },
  {
    name: 'one-lookup-at-a-time',
    breaks: 'crm-webhook/ten-lookups-at-once-within-two-seconds',
    what: 'A global lock admits one lookup at a time, for a quarter of a second each.',
    build: () => {
      let freeAt = 0;
      return {
        crm: {
          workMs: (name) => {
            if (name !== 'IncomingCallLookup') return 0;
            freeAt = Math.max(freeAt, performance.now()) + oneAtATimeMs;
            return freeAt - performance.now();
          },
        },
      };
    },
  },
];
