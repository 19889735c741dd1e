import type { DiagnosedSurface } from '../specs/generated/types.ts';

/** What a snippet of code shows; there is one for each language (`diagnosis/snippets/TOPIC/`). */
export type SnippetTopic =
  | 'verify-signature'
  | 'verify-call'
  | 'check-token'
  | 'answer-in-time'
  | 'call-back-once'
  | 'reply-later'
  | 'deduplicate'
  | 'accept-any-event'
  | 'answer-json'
  | 'stream-phone-answers';

/** One root cause, as the catalogue of causes tells it. All texts are whole sentences in our own words. */
export interface Cause {
  surfaces: readonly DiagnosedSurface[];
  /** What support or the integrator sees at first: a status, a message, what the app shows. */
  symptom: string;
  /** The cause in one sentence, without the particulars of one endpoint. */
  summary: string;
  /** How it is told from others: what is sent, and what must come back. */
  detection: string;
  /** What to change, for a developer in any language. */
  remediation: string;
  /** Heading of the interface document that states what should be. */
  section: string;
  /** The code that shows how it is done right; `snippetsOf` has what shows the same on each surface. */
  snippet?: SnippetTopic;
}
