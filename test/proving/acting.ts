import type { CrmEvent, CrmSeams } from './crm.ts';
import { setUp } from './endpoint.ts';
import { send, type Outgoing } from './outgoing.ts';

/** The note about an event, as a receiver of the CRM webhook writes it through API v1. */
export function noteAbout(name: string, { callbackUrl, contactData }: CrmEvent): Outgoing & { note: Note } {
  const note = { phone: contactData?.phoneNumber, title: name, text: `${name} was recorded.` };
  return {
    url: `${new URL(callbackUrl).origin}/v1/notes`,
    method: 'POST',
    headers: {
      'X-Api-Key': setUp.apiKey,
      'Content-Type': 'application/json',
      'Idempotency-Key': `note-${callbackUrl}`,
    },
    body: JSON.stringify(note),
    note,
  };
}

interface Note {
  phone: unknown;
  title: string;
  text: string;
}

type Change = (request: ReturnType<typeof noteAbout>) => Partial<Outgoing>;

/** A receiver that also writes a note about each event. `change` replaces parts of the request. */
export function writingNotes(change: Change = () => ({})): Pick<CrmSeams, 'effect'> {
  const { effect } = writingOnlyNotes(change);
  return {
    effect: (journal, name, event) => {
      journal.add(`${name} ${event.callbackUrl}`);
      effect(journal, name, event);
    },
  };
}

/** A receiver that writes a note about each event and stores nothing itself. */
export function writingOnlyNotes(change: Change): Pick<CrmSeams, 'effect'> {
  return {
    effect: (_, name, event) => {
      const { note, ...request } = noteAbout(name, event);
      void send({ ...request, ...change({ ...request, note }) });
    },
  };
}
