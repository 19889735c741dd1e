import type { DiagnosedSurface } from '../specs/generated/types.ts';

/** Topic of a code snippet, written in each language in `diagnosis/snippets/TOPIC/`. */
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

/** One root cause. All strings are complete sentences. */
export interface Cause {
  surfaces: readonly DiagnosedSurface[];
  /** Slugs of the requirements that fail for it; without it only the one for which the probe ran. */
  explains?: RegExp | undefined;
  /** They may belong to other probes than the one that finds it: what valid requests fail for, they fail for everywhere. */
  explainsOtherProbes?: true;
  /** First observation of support or the integrator: a status, an error message, the display of the app. */
  symptom: string;
  /** The cause in one sentence, without details of a particular endpoint. */
  summary: string;
  /** The probe that distinguishes it from other causes: requests and the expected answers. */
  detection: string;
  /** The change that fixes it, independent of the programming language. */
  remediation: string;
  /** The words of one surface, where the general ones are about others as well. */
  onSurface?: Readonly<Partial<Record<DiagnosedSurface, Partial<Pick<Cause, 'summary' | 'remediation' | 'section'>>>>>;
  /** Heading of the section in the interface document that states the required behaviour. */
  section: string;
  /** Sample code with the correct behaviour; `selectSnippets` maps it to each surface. */
  snippet?: SnippetTopic | undefined;
}
