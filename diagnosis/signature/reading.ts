import type { wrongSchemes } from '../causes/signature.ts';

/** Id of a cause that is an incorrect scheme. */
export type SchemeId = keyof typeof wrongSchemes;

/** One way to read one part of a signature: the correct one has no `ids`. */
export interface Reading {
  /** The mistakes, most specific first; usually one. */
  ids: readonly SchemeId[];
  /** Variant of the mistake, for the sentence about the cause: "with a space at its end". */
  form?: string;
  /**
   * Frequency relative to 1000 endpoints that read this part correctly. Estimates from public questions about refused
   * webhooks; they decide the order of the questions, never the cause.
   */
  weight: number;
}

/** The weight of what one of 248 endpoints of other authors did, in per thousand: (1 + ½) / 248. */
export const observedWeight = 6;

/** Names of a reading, for evidence: the words of the ids of its causes. */
export function describeReading({ ids, form }: Reading): string {
  const names = ids.map((id) => `"${id.slice(id.indexOf('/') + 1).replaceAll('-', ' ')}"`).join(' and ');
  return form === undefined ? names : `${names} (${form})`;
}
