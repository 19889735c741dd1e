import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service with deep links. */
export const serviceDeepLinks = {
  'service/deep-link-opens-a-project': {
    section: 'Deep links',
    statement:
      'A deep link opens the project that it names by id or crmId, or the one of the customer that it names by crmContactId.',
    awaits: 'the app, which is not part of the simulated service',
  },
  'service/deep-link-opens-the-call-screen': {
    section: 'Deep links',
    statement:
      'A deep link to dial opens the call screen with the number, and nothing is dialled until the person taps.',
    awaits: 'the app, which is not part of the simulated service',
  },
  'service/deep-link-searches-every-inbox': {
    section: 'Deep links',
    statement:
      'The service searches every inbox that the signed-in person can open, and switches the inbox after asking when needed; a customer without an open project gets a new one.',
    awaits: 'the app, which is not part of the simulated service',
  },
} as const satisfies Record<`service/deep-link-${string}`, ServiceStatement>;
