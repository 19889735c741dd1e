import { noteAbout, retryingNotes, writingNotes, writingOnlyNotes } from '../proving/acting.ts';
import { send } from '../proving/outgoing.ts';
import { pause } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

/** Correct endpoints that act through API v1 while they handle events. */
export const actingVariants: readonly Variant[] = [
  {
    name: 'writes-notes',
    what: 'Writes a note about each event through API v1, without a target where the event names no contact.',
    surfaces: ['crm-webhook'],
    build: () => ({ crm: writingNotes() }),
  },
  {
    name: 'writes-notes-later',
    what: 'Writes a note about each event through API v1 half a second after its answer.',
    surfaces: ['crm-webhook'],
    build: () => ({
      crm: {
        effect: (_, name, event) => {
          const { note, ...request } = noteAbout(name, event);
          const { svcProjectId: projectId } = event.projectData ?? {};
          const body = JSON.stringify({ projectId, title: note.title, text: note.text });
          if (Number.isSafeInteger(projectId)) void pause(500).then(() => send({ ...request, body }));
        },
      },
    }),
  },
  {
    name: 'retries-notes',
    what: 'Writes a note about each event through API v1 and sends it again, unchanged, until it is accepted.',
    surfaces: ['crm-webhook'],
    build: () => ({ crm: retryingNotes() }),
  },
  {
    name: 'writes-notes-without-memory',
    what: 'Remembers no event; the Idempotency-Key of its notes is made from callbackUrl, and their text states the time.',
    surfaces: ['crm-webhook'],
    build: () => ({
      crm: {
        once: (_, work) => work(),
        // A callback could come twice.
        later: () => false,
        ...writingOnlyNotes(({ note }) => ({
          body: JSON.stringify({ ...note, text: `${note.text} ${performance.now()}` }),
        })),
      },
    }),
  },
];
