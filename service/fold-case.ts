/**
 * Lower case that keeps every index and treats each character alone, so that a part folds as the whole does: lower case
 * may be longer (İ) or depend on the next character (Σ).
 */
export function foldCase(text: string): string {
  return text.replace(foldingAsAWhole, (part) => part.toLowerCase()).replaceAll('\u03a3', '\u03c3');
}

/** All but characters whose lower case is longer, depends on the next one, or needs both units of a pair. */
const foldingAsAWhole = /[^\u0130\u03a3\ud800-\udfff]+/g;
