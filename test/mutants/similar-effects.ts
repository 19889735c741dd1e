import type { ChatEvent } from '../proving/chat.ts';
import { setUp } from '../proving/endpoint.ts';
import { notingAppointments } from '../proving/noting-appointments.ts';
import { send } from '../proving/outgoing.ts';
import { phone, storing } from '../proving/phone-behaviour.ts';
import type { PhoneCall, SessionStarted } from '../proving/phone-call.ts';
import { pause } from '../proving/wire.ts';
import { meetingMs } from './memories.ts';
import type { Mutant } from './mutant.ts';

/** Stores a message unless one with the same key is already stored. */
function storingOnce(keyOf: (event: ChatEvent) => string): Mutant['build'] {
  return () => {
    const known = new Set<string>();
    return {
      chat: {
        taken: (journal, event) => {
          if (known.size !== known.add(keyOf(event)).size) journal.add(`message ${event.id}`);
        },
      },
    };
  };
}

function projectOf({ started }: PhoneCall): unknown {
  return (started as (SessionStarted & { projectId?: unknown }) | undefined)?.projectId;
}

const chat = 'own-ai-chat/handles-similar-messages';
const calls = 'own-ai-phone/handles-similar-calls';

/** Faults in which one of two similar messages or calls has no effect or no answer. */
export const similarEffectMutants: readonly Mutant[] = [
  {
    name: 'hook-noted-for-the-first-type',
    breaks: 'api-webhooks/handles-similar-deliveries',
    what: 'An appointment is filed under the type of its first delivery, and no event of another type is noted.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    needsTheRest: 'the endpoint learns the address of API v1 from CRM events',
    build: () => {
      const firstTypes = new Map<unknown, string>();
      return notingAppointments(({ type, data }) => {
        const firstType = firstTypes.get(data.id) ?? type;
        firstTypes.set(data.id, firstType);
        return type === firstType ? `${type} was recorded.` : undefined;
      });
    },
  },
  {
    name: 'hook-noted-once-for-each-type',
    breaks: 'api-webhooks/handles-similar-deliveries',
    what: 'A delivery counts as known when there was one of its type for the appointment, so a second move is not noted.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    needsTheRest: 'the endpoint learns the address of API v1 from CRM events',
    build: () => {
      const known = new Set<string>();
      return notingAppointments(({ type, data }) =>
        known.size === known.add(`${type} ${String(data.id)}`).size ? undefined : `${type} was recorded.`,
      );
    },
  },
  {
    name: 'chat-stored-by-project-and-time',
    breaks: chat,
    what: 'A message is not stored when another one of its conversation came in the same second.',
    build: storingOnce(({ data: { projectId, message } }) => `${projectId} ${message.receivedAt}`),
  },
  {
    name: 'chat-stored-by-text-and-time',
    breaks: chat,
    what: 'A message is not stored when another one had its text and its time.',
    build: storingOnce(({ data: { message } }) => `${message.text} ${message.receivedAt}`),
  },
  {
    name: 'chat-stored-once-at-work',
    breaks: chat,
    what: 'A message is not stored while another one of its contact is being stored.',
    build: () => {
      const atWork = new Set<string>();
      return {
        chat: {
          taken: (journal, { id, data: { contact } }) => {
            const key = String(contact.id);
            if (atWork.has(key)) return;
            atWork.add(key);
            journal.add(`message ${id}`);
            void pause(meetingMs).then(() => atWork.delete(key));
          },
        },
      };
    },
  },
  {
    name: 'chat-noted-by-contact-and-time',
    breaks: chat,
    what: 'A note about each message is written through API v1, but one in each second for a contact.',
    build: () => {
      const known = new Set<string>();
      return {
        chat: {
          taken: (_, { data: { projectId, contact, message, replyUrl } }) => {
            const key = `${String(contact.id)} ${message.receivedAt}`;
            if (known.size === known.add(key).size) return;
            void send({
              url: `${new URL(replyUrl).origin}/v1/notes`,
              method: 'POST',
              headers: { 'X-Api-Key': setUp.apiKey, 'Content-Type': 'application/json' },
              body: JSON.stringify({ projectId, text: `Message ${message.id} was recorded.` }),
            });
          },
        },
      };
    },
  },
  {
    name: 'phone-stored-by-contact-and-sentence',
    breaks: calls,
    what: 'A call is not stored when an earlier one of its contact began with the same sentence.',
    build: storing((right, journal) => {
      const known = new Set<string>();
      return {
        prompt(text, call) {
          const key = `${call.started?.contact.id} ${text}`;
          if (call.prompts === 1 && known.size !== known.add(key).size) journal()?.add(`call ${call.callId}`);
          right.prompt(text, call);
        },
      };
    }),
  },
  {
    name: 'phone-stored-by-project',
    breaks: calls,
    what: 'The table of running calls has one row for each project, so a call at once with another one is not stored.',
    build: storing((right, journal) => {
      const running = new Set<unknown>();
      return {
        started(frame, call) {
          const project = projectOf(call);
          if (!running.has(project)) journal()?.add(`call ${call.callId}`);
          running.add(project);
          right.started(frame, call);
        },
        closed(call) {
          running.delete(projectOf(call));
          right.closed(call);
        },
      };
    }),
  },
  {
    name: 'phone-sentence-known-by-contact',
    breaks: calls,
    what: 'A sentence that the contact has said in an earlier call is regarded as handled, and not answered.',
    build: phone((right) => {
      const known = new Map<string, string>();
      return {
        prompt(text, call) {
          const key = `${call.started?.contact.id} ${text}`;
          const { callId } = call;
          if ((known.get(key) ?? callId) !== callId) return;
          known.set(key, callId);
          right.prompt(text, call);
        },
      };
    }),
  },
  {
    name: 'phone-connections-by-project',
    breaks: calls,
    what: 'Connections are kept by project, so only the latest of two calls at once is answered.',
    build: phone((right) => {
      const latest = new Map<unknown, PhoneCall>();
      return {
        started(frame, call) {
          latest.set(projectOf(call), call);
          right.started(frame, call);
        },
        prompt(text, call) {
          if (latest.get(projectOf(call)) === call) right.prompt(text, call);
        },
      };
    }),
  },
];
