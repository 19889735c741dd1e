import { nameOf, partsFor } from '../proving/crm.ts';
import type { Variant } from './variant.ts';

const surfaces = ['crm-webhook'] as const;

/** Milliseconds for which answers have no data after a bad token. */
const withheldMs = 200;

/** The summary of a call or a conversation. */
function summaryOf({ projectData }: { projectData: Record<string, unknown> | null }): string | undefined {
  const summary = projectData?.currentSummary ?? projectData?.inquirySummary;
  return typeof summary === 'string' ? summary.slice(0, 1_000) : undefined;
}

function isLookup(name: string): boolean {
  return name === 'IncomingCallLookup' || name === 'NewConversation';
}

/** Correct receivers of the CRM webhook that remember earlier events. */
export const crmMemoryVariants: readonly Variant[] = [
  {
    name: 'crm-keeps-summaries-by-caller',
    what: 'Answers the lookup of each caller with the latest summary about the same number, also if the CRM does not know it.',
    surfaces,
    build: () => {
      const latest = new Map<unknown, string>();
      return {
        crm: {
          read: (event, name) => {
            const summary = summaryOf(event);
            if (!isLookup(name) && summary !== undefined) latest.set(event.contactData?.phoneNumber, summary);
            return undefined;
          },
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            const summary = latest.get(event.contactData?.phoneNumber);
            if (!isLookup(name) || summary === undefined) return parts;
            return { contact: { ...parts?.contact, crmAiInfo: `Last contact: ${summary}` } };
          },
        },
      };
    },
  },
  {
    name: 'crm-shows-the-team-all-summaries',
    what: 'Shows the team the latest summary of any customer in crmInternalInfo, and sends it in a part without a flag.',
    surfaces,
    build: () => {
      let latest = 'none';
      return {
        crm: {
          read: (event, name) => {
            if (!isLookup(name)) latest = summaryOf(event) ?? latest;
            return undefined;
          },
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            const contact = isLookup(name) && parts?.contact;
            return contact ? { contact: { ...contact, crmInternalInfo: `Latest matter of all: ${latest}` } } : parts;
          },
          compose: ({ contact, project }) => ({
            requestContactUpdate: contact !== undefined,
            ...(contact && { contactData: contact }),
            requestProjectUpdate: project !== undefined,
            projectData: project ?? { currentSummary: latest },
            debug: { latest },
          }),
        },
      };
    },
  },
  {
    name: 'crm-stores-newer-appointment-events',
    what: 'Stores each event whose name begins with Appointment, also of a name that it does not know, and answers 204.',
    surfaces,
    build: () => ({
      crm: {
        nameOf: (type) =>
          nameOf(type) ?? (typeof type === 'string' && type.startsWith('Appointment') ? type : undefined),
      },
    }),
  },
  {
    name: 'crm-opens-cases-for-some-contacts',
    what: 'Opens cases for the contacts with an even number only: those of all others are kept in another system.',
    surfaces,
    build: () => ({
      crm: {
        later: () => false,
        partsFor: (name, event) => {
          const parts = partsFor(name, event);
          const isOdd = Number(String(event.contactData?.phoneNumber).at(-1)) % 2 === 1;
          return parts?.project && isOdd ? undefined : parts;
        },
      },
    }),
  },
  {
    name: 'crm-withholds-data-after-a-bad-token',
    what: 'Answers every event 204 for a moment after a bad token, so that the caller learns nothing.',
    surfaces,
    build: () => {
      let withheldUntil = 0;
      const isWithheld = () => performance.now() < withheldUntil;
      return {
        crm: {
          later: (name) => name === 'FormSubmitted' && !isWithheld(),
          partsFor: (name, event) => (isWithheld() ? undefined : partsFor(name, event)),
          refusal: () => {
            withheldUntil = performance.now() + withheldMs;
            return { status: 401 };
          },
        },
      };
    },
  },
];
