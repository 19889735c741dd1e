import type { wrongSchemes } from '../causes/signature.ts';

/** Id of a cause that is a wrong scheme. */
export type SchemeId = keyof typeof wrongSchemes;

/** One way to read one part of a signature: the right one has no `ids`. */
export interface Reading {
  /** What is wrong about it, the most telling first; mostly one. */
  ids: readonly SchemeId[];
  /** Which form of it this is, for the sentence about the cause: "with a space at its end". */
  form?: string;
  /**
   * How often it is met, against 1000 endpoints that read this part rightly. Estimates from public questions about
   * refused webhooks; they decide what is asked first, never what is named.
   */
  weight: number;
}

/** Names of a reading, for evidence. */
export function describeReading({ ids, form }: Reading): string {
  const names = ids.map((id) => id.slice(id.indexOf('/') + 1)).join(' and ');
  return form === undefined ? names : `${names} (${form})`;
}
