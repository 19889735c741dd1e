import type { NoteRequest, NoteResponse } from '../specs/generated/types.ts';
import type { Contacts } from './contacts.ts';
import { oneLine } from './cut-text.ts';
import type { InboxCore } from './inbox-core.ts';

/** An inbox with the parts that notes use. */
interface NotesInbox extends InboxCore {
  readonly contacts: Contacts;
}

/** Notes for the team that are written through the API (interface: API v1, POST /v1/notes). */
export class Notes {
  readonly #inbox: NotesInbox;

  constructor(inbox: NotesInbox) {
    this.#inbox = inbox;
  }

  /** Writes a note. Throws `Problem` not_found or project_not_found. */
  add(request: NoteRequest): NoteResponse {
    const { contacts, ids, clock } = this.#inbox;
    const { title = null, text } = request;
    const { contact, project } = contacts.resolve(request);
    const noteId = ids.integer();
    project.notes.push({ id: noteId, title, text, at: clock.now() });
    const line = title === null ? text : `${title}: ${text}`;
    this.#inbox.log('to-team', `note: ${oneLine(line)}`, { kind: 'note', noteId, title, text }, project);
    return { projectId: project.id, contactId: contact.id, noteId };
  }
}
