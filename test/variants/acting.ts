import { retryingNotes, writingNotes, writingOnlyNotes } from '../proving/acting.ts';
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
        ...writingOnlyNotes(({ note }) => ({
          body: JSON.stringify({ ...note, text: `${note.text} ${performance.now()}` }),
        })),
      },
    }),
  },
];
