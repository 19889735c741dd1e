import { retryingNotes, writingNotes } from '../proving/acting.ts';
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
    mayAlso: [never, { id: 'api-client/required-members-have-their-names', why: 'the text has another name' }],
    change: ({ note: { text, ...rest } }) => ({ body: JSON.stringify({ ...rest, body: text }) }),
  },
];

/** Faults of a receiver that resends a note after a refusal. */
const retries: readonly (Fault & { throttledMs?: number })[] = [
  {
    name: 'notes-retried-under-another-key',
    breaks: 'api-client/retry-keeps-its-key',
    what: 'The receiver of the CRM webhook makes a new Idempotency-Key for each attempt at a note.',
    mayAlso: [{ id: 'api-client/retried-request-takes-effect-once', why: 'the second attempt is another request' }],
    change: ({ headers }, attempt) => ({
      headers: { ...headers, 'Idempotency-Key': `${headers['Idempotency-Key'] ?? ''} ${attempt}` },
    }),
  },
  {
    name: 'notes-retried-without-a-key',
    breaks: 'api-client/retried-request-takes-effect-once',
    what: 'The receiver of the CRM webhook sends a note again without an Idempotency-Key.',
    mayAlso: [{ id: 'api-client/retry-carries-a-key', why: 'it has none' }],
    change: ({ headers: { 'Idempotency-Key': _, ...headers } }) => ({ headers }),
  },
  {
    name: 'notes-retried-with-another-text',
    breaks: 'api-client/another-request-has-another-key',
    what: 'The receiver of the CRM webhook counts its attempts in the text of the note.',
    change: ({ note }, attempt) => ({ body: JSON.stringify({ ...note, text: `${note.text} (${attempt})` }) }),
  },
  {
    name: 'notes-retried-at-once-after-429',
    breaks: 'api-client/waits-after-429',
    what: 'The receiver of the CRM webhook sends a note again at once, whatever Retry-After says.',
    throttledMs: 10,
    change: () => ({}),
  },
];

/** Faults in requests to API v1 that an endpoint sends while it handles events. */
export const observedRequestMutants: readonly Mutant[] = [
  ...faults.map(({ change, ...fault }) => acting(fault, writingNotes(change))),
  ...retries.map(({ change, throttledMs, ...fault }) => acting(fault, retryingNotes(change, throttledMs))),
];

function acting(fault: Omit<Mutant, 'build'>, crm: ReturnType<typeof writingNotes>): Mutant {
  return {
    ...fault,
    surfaces: ['crm-webhook'],
    needsTheRest: 'the requests come only with the events of the other suites',
    build: () => ({ crm }),
  };
}
