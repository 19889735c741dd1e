import type { Cause } from '../cause.ts';

/** The words for what is signed: a delivery has a body, a call has an id. */
export interface Signed {
  /** `the body` */
  content: string;
  /** `the raw body` */
  raw: string;
}

const ofDelivery: Signed = { content: 'the body', raw: 'the raw body' };
const ofCall: Signed = { content: 'the call id', raw: 'the call id as received' };

const deliveries = ['own-ai-chat', 'api-webhooks'] as const;
const calls = ['own-ai-phone'] as const;
const surfaces = { all: [...deliveries, ...calls], deliveries, calls } as const;

const every = {
  all: 'Every correctly signed delivery or call is rejected, usually with 401.',
  deliveries: 'Every correctly signed delivery is rejected, usually with 401.',
  calls: 'Every correctly signed call is rejected, usually with 401, and the caller leaves a message.',
} as const;
/** Symptom of schemes that reject a signature only for certain bodies. */
export const rejectsSomeDeliveries =
  'Some correctly signed deliveries are rejected and others accepted, depending on the content of the body.';

/** What fails if only some bodies are signed as the endpoint signs them: checks that send bodies of unusual forms or content. */
const everyUnusualBody =
  /^(?:accepts-(?:any-wire-form|charset|other-number-forms|metadata-|any-valid-|long-|unknown-members)|answers-(?:any|long)-|refuses-(?:altered|reserialised)-body)/;

/** Creates the cause for an invalid scheme that an endpoint implements. */
export function refusedSignature(
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
    ...(symptom === rejectsSomeDeliveries && { explains: everyUnusualBody, explainsOtherProbes: true }),
    summary,
    detection:
      'Accepted: signatures of this scheme, over two different bodies or call ids. Rejected: the valid signature and a forged one over the same content.',
    remediation,
    section: 'Authentication',
    snippet: on === 'calls' ? 'verify-call' : 'verify-signature',
  };
}

/** Creates the cause for an invalid scheme of deliveries and calls, whose words are those for what is signed. */
export function refusedContent(describe: (signed: Signed) => Pick<Cause, 'summary' | 'remediation'>): Cause {
  return { ...refusedSignature('all', describe(ofDelivery)), onSurface: { 'own-ai-phone': describe(ofCall) } };
}
