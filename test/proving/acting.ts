import type { CrmEvent, CrmSeams } from './crm.ts';
import { setUp } from './endpoint.ts';
import { send, type Outgoing } from './outgoing.ts';
import { pause } from './wire.ts';

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

/** `attempt` counts from 1. */
type Change = (request: ReturnType<typeof noteAbout>, attempt: number) => Partial<Outgoing>;

/** Attempts at one note. */
const attempts = 3;
/** Milliseconds before a note is sent again: after 429, longer than the service asks for. */
const pauseMs = { usual: 30, throttled: 1_100 };

async function sendRepeatedly(attemptAt: (attempt: number) => Outgoing, throttledMs: number): Promise<void> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const status = await send(attemptAt(attempt));
    if (status !== 0 && status !== 429 && status < 500) return;
    await pause(status === 429 ? throttledMs : pauseMs.usual);
  }
}

/** A receiver that writes a note about each event, and sends it again until it is accepted. */
export function retryingNotes(change: Change = () => ({}), throttledMs = pauseMs.throttled): Pick<CrmSeams, 'effect'> {
  return {
    effect: (journal, name, event) => {
      journal.add(`${name} ${event.callbackUrl}`);
      void sendRepeatedly((attempt) => {
        const { note, ...request } = noteAbout(name, event);
        return { ...request, ...change({ ...request, note }, attempt) };
      }, throttledMs);
    },
  };
}

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
      void send({ ...request, ...change({ ...request, note }, 1) });
    },
  };
}
