import { writingNotes } from '../proving/acting.ts';
import type { Mutant } from './mutant.ts';

type Change = NonNullable<Parameters<typeof writingNotes>[0]>;
type Fault = Pick<Mutant, 'name' | 'breaks' | 'what' | 'mayAlso'> & { change: Change };

const never = { id: 'api-client/requests-take-effect', why: 'no note is ever written' } as const;

const faults: readonly Fault[] = [
  {
    name: 'notes-without-an-api-key',
    breaks: 'api-client/carries-an-api-key',
    what: 'The receiver of the CRM webhook writes its notes without an API key.',
    change: ({ headers: { 'X-Api-Key': _, ...headers } }) => ({ headers }),
  },
  {
    name: 'notes-with-another-key',
    breaks: 'api-client/carries-the-key-as-issued',
    what: 'The receiver of the CRM webhook writes its notes with the key of another inbox.',
    change: ({ headers }) => ({ headers: { ...headers, 'X-Api-Key': 'svc_sk_another_inbox_5Tq8' } }),
  },
  {
    name: 'notes-outside-v1',
    breaks: 'api-client/paths-under-v1',
    what: 'The receiver of the CRM webhook posts its notes to /notes.',
    change: ({ url }) => ({ url: url.replace('/v1/', '/') }),
  },
  {
    name: 'notes-at-a-path-in-the-singular',
    breaks: 'api-client/requests-take-effect',
    what: 'The receiver of the CRM webhook posts its notes to /v1/note.',
    mayAlso: [{ id: 'api-client/uses-listed-paths', why: 'the path is not listed' }],
    change: ({ url }) => ({ url: url.replace('/notes', '/note') }),
  },
  {
    name: 'notes-under-one-key',
    breaks: 'api-client/another-request-has-another-key',
    what: 'The receiver of the CRM webhook writes all its notes under one Idempotency-Key.',
    mayAlso: [never],
    change: ({ headers }) => ({ headers: { ...headers, 'Idempotency-Key': 'crm-note' } }),
  },
  {
    name: 'notes-with-a-body',
    breaks: 'api-client/required-members-are-there',
    what: 'The receiver of the CRM webhook sends the text of its notes in the field body.',
    mayAlso: [never],
    change: ({ note: { text, ...rest } }) => ({ body: JSON.stringify({ ...rest, body: text }) }),
  },
];

/** Faults in requests to API v1 that an endpoint sends while it handles events. */
export const observedRequestMutants: readonly Mutant[] = faults.map(({ change, ...fault }) => ({
  ...fault,
  surfaces: ['crm-webhook'],
  needsTheRest: 'the requests come only with the events of the other suites',
  build: () => ({ crm: writingNotes(change) }),
}));
