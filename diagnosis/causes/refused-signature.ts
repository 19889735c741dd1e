import type { Cause } from '../cause.ts';

const deliveries = ['own-ai-chat', 'api-webhooks'] as const;
const calls = ['own-ai-phone'] as const;
const surfaces = { all: [...deliveries, ...calls], deliveries, calls } as const;

const every = {
  all: 'Every correctly signed delivery or call is refused, mostly with 401.',
  deliveries: 'Every correctly signed delivery is refused, mostly with 401.',
  calls: 'Every correctly signed call is refused, mostly with 401, and the caller leaves a message.',
} as const;
/** Where it depends on the body whether a signature is refused. */
export const some =
  'Some correctly signed deliveries are refused and others accepted, depending on what the body holds.';

/** A wrong scheme that an endpoint implements: what the catalogue tells of it beside its own words. */
export function refused(
  on: keyof typeof surfaces,
  {
    summary,
    remediation,
    symptom = every[on],
  }: Pick<Cause, 'summary' | 'remediation'> & Partial<Pick<Cause, 'symptom'>>,
): Cause {
  return {
    surfaces: surfaces[on],
    symptom,
    summary,
    detection:
      'Signatures that this scheme makes are accepted, over two different bodies or call ids, while the right signature and a forged one over the same are refused.',
    remediation,
    section: 'Authentication',
    snippet: on === 'calls' ? 'verify-call' : 'verify-signature',
  };
}
