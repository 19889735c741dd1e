import type { NoteRequest } from '../../specs/generated/types.ts';
import type { ApiHandlers } from './handler.ts';

/** Notes for the team (interface: API v1). */
export const noteHandlers = {
  addNote: ({ inbox: { notes }, body }) => ({ status: 201, body: notes.add(body as NoteRequest) }),
} satisfies Partial<ApiHandlers>;
