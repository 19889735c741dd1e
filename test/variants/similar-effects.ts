import { randomUUID } from 'node:crypto';
import { partsFor } from '../proving/crm.ts';
import { setUp } from '../proving/endpoint.ts';
import { notingAppointments } from '../proving/noting-appointments.ts';
import { send } from '../proving/outgoing.ts';
import { soon } from '../proving/phone.ts';
import { storing } from '../proving/phone-behaviour.ts';
import type { PhoneCall, SessionStarted } from '../proving/phone-call.ts';
import { pause } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

const chat = ['own-ai-chat'] as const;
const voice = ['own-ai-phone'] as const;

/** Correct endpoints whose effects are not one for each delivery, message or call. */
export const similarEffectVariants: readonly Variant[] = [
  {
    name: 'crm-lists-cases',
    what: 'Opens one case for each project; its state shows the cases alone, so only the first event of each is visible.',
    surfaces: ['crm-webhook'],
    build: () => {
      const known = new Set<unknown>();
      return {
        crm: {
          effect: (journal, _, { projectData }) => {
            const project = projectData?.svcProjectId;
            if (known.size !== known.add(project).size) journal.add(`case ${String(project)}`);
          },
        },
      };
    },
  },
  {
    name: 'crm-supplies-each-contact-once',
    what: 'Answers lookups of a contact whose data it has supplied with 204.',
    surfaces: ['crm-webhook'],
    build: () => {
      const supplied = new Map<unknown, string>();
      return {
        crm: {
          partsFor: (name, event) => {
            const parts = partsFor(name, event);
            if (!parts?.contact) return parts;
            const { callbackUrl, contactData } = event;
            const first = supplied.get(contactData?.svcContactId) ?? callbackUrl;
            supplied.set(contactData?.svcContactId, first);
            return first === callbackUrl ? parts : undefined;
          },
        },
      };
    },
  },
  {
    name: 'hook-lists-cases',
    what: 'Opens one case for each project; its state shows the cases alone, so only the first event of each is visible.',
    surfaces: ['api-webhooks'],
    build: () => {
      const known = new Set<unknown>();
      return {
        hooks: {
          effect: (journal, { data }) => {
            if (known.size !== known.add(data.projectId).size) journal.add(`case ${String(data.projectId)}`);
          },
        },
      };
    },
  },
  {
    name: 'hook-lists-appointments',
    what: 'Updates its appointments by id; its state shows the ids alone, so only the first event of each is visible.',
    surfaces: ['api-webhooks'],
    build: () => {
      const known = new Set<unknown>();
      return {
        hooks: {
          effect: (journal, { data }) => {
            if (known.size !== known.add(data.id).size) journal.add(`appointment ${String(data.id)}`);
          },
        },
      };
    },
  },
  {
    name: 'hook-notes-new-appointments',
    what: 'Writes a note through API v1 about each appointment that it did not know, whatever the type of the event is.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    build: () => {
      const known = new Set<unknown>();
      return notingAppointments(({ data }) =>
        known.size === known.add(data.id).size ? undefined : `New appointment: ${String(data.title)}`,
      );
    },
  },
  {
    name: 'hook-notes-new-appointments-with-a-reference',
    what: 'Writes a note with a random reference through API v1 about each appointment that it did not know.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    build: () => {
      const known = new Set<unknown>();
      return notingAppointments(({ data }) =>
        known.size === known.add(data.id).size ? undefined : `New appointment, reference ${randomUUID()}`,
      );
    },
  },
  {
    name: 'hook-notes-new-appointments-with-the-type',
    what: 'Writes a note with the type of the event through API v1 about each appointment that it did not know.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    build: () => {
      const known = new Set<unknown>();
      return notingAppointments(({ type, data }) =>
        known.size === known.add(data.id).size ? undefined : `New appointment from ${type}.`,
      );
    },
  },
  {
    name: 'hook-notes-every-event',
    what: 'Writes a note through API v1 about every event of an appointment.',
    surfaces: ['crm-webhook', 'api-webhooks'],
    build: () => notingAppointments(({ type, data }) => `${type} at ${String(data.startLocal)}`),
  },
  {
    name: 'chat-lists-conversations',
    what: 'Stores messages by conversation; its state shows the conversations alone, so only the first message of each is visible.',
    surfaces: chat,
    build: () => {
      const known = new Set<number>();
      return {
        chat: {
          taken: (journal, { data: { projectId } }) => {
            if (known.size !== known.add(projectId).size) journal.add(`conversation ${projectId}`);
          },
        },
      };
    },
  },
  {
    name: 'chat-notes-new-contacts',
    what: 'Writes a note through API v1 when a contact writes for the first time.',
    surfaces: chat,
    build: () => {
      const known = new Set<unknown>();
      return {
        chat: {
          taken: (_, { data: { projectId, contact, replyUrl } }) => {
            if (known.size === known.add(contact.id).size) return;
            void send({
              url: `${new URL(replyUrl).origin}/v1/notes`,
              method: 'POST',
              headers: { 'X-Api-Key': setUp.apiKey, 'Content-Type': 'application/json' },
              body: JSON.stringify({ projectId, text: 'A new contact.' }),
            });
          },
        },
      };
    },
  },
  {
    name: 'chat-stores-from-the-second-message',
    what: 'Stores each new contact, and the messages of a conversation from the second one on.',
    surfaces: chat,
    build: () => {
      const known = new Set<unknown>();
      const open = new Set<number>();
      return {
        chat: {
          taken: (journal, { id, data: { projectId, contact } }) => {
            if (known.size !== known.add(contact.id).size) journal.add(`contact ${String(contact.id)}`);
            if (open.has(projectId)) journal.add(`message ${id}`);
            open.add(projectId);
          },
        },
      };
    },
  },
  {
    name: 'chat-joins-messages',
    what: 'Stores the messages of one conversation within 150 ms as one entry.',
    surfaces: chat,
    build: () => {
      const open = new Set<number>();
      return {
        chat: {
          taken: (journal, { data: { projectId } }) => {
            if (open.has(projectId)) return;
            open.add(projectId);
            void pause(150).then(() => {
              open.delete(projectId);
              journal.add(`messages of ${projectId}`);
            });
          },
        },
      };
    },
  },
  {
    name: 'phone-lists-conversations',
    what: 'Stores calls by project; its state shows the projects alone, so only the first call of each is visible.',
    surfaces: voice,
    build: storing((right, journal) => {
      const known = new Set<unknown>();
      return {
        started(frame, call) {
          const { projectId } = frame as SessionStarted & { projectId?: unknown };
          if (known.size !== known.add(projectId).size) journal()?.add(`project ${String(projectId)}`);
          right.started(frame, call);
        },
      };
    }),
  },
  {
    name: 'phone-stores-calls-later',
    what: 'Stores every call a while after its end.',
    surfaces: voice,
    build: storing((right, journal) => ({
      ended(call) {
        right.ended(call);
        void pause(300).then(() => journal()?.add(`call ${call.callId}`));
      },
    })),
  },
  {
    name: 'phone-second-line-to-the-team',
    what: 'Stores every call, and hands over a caller who is already in another call.',
    surfaces: voice,
    build: storing((right, journal) => {
      const running = new Map<string, PhoneCall>();
      return {
        started(frame, call) {
          journal()?.add(`call ${call.callId}`);
          if (!running.has(frame.from)) running.set(frame.from, call);
          right.started(frame, call);
        },
        closed(call) {
          if (call.started && running.get(call.started.from) === call) running.delete(call.started.from);
          right.closed(call);
        },
        think: (text, call) =>
          running.get(call.started?.from ?? '') === call
            ? right.think(text, call)
            : [soon({ type: 'action', action: 'handover', text: 'You are in another call already.' })],
      };
    }),
  },
];
