import type { ContactRequest } from '../../specs/generated/types.ts';
import type { ApiHandlers } from './handler.ts';

/** Operations on contacts (interface: API v1). */
export const contactHandlers = {
  upsertContact: ({ inbox: { contacts }, body }) => {
    const { contact, created } = contacts.upsert(body as ContactRequest);
    return { status: created ? 201 : 200, body: contacts.wire(contact) };
  },
} satisfies Partial<ApiHandlers>;
