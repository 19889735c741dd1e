import { shortJson } from '../specs/explain-violations.ts';
import type { Judgement } from './judgement.ts';
import { stringsIn } from './strings-in.ts';

/** The words that programming languages print for a missing value. */
const word = String.raw`(?:undefined|null|None|NaN|nil|<nil>|\(null\)|Invalid Date)`;
/** A string of nothing else, such as "None None" as a name; a customer may have written a single "null". */
const nothingElse = new RegExp(String.raw`^\s*(?!null\s*$)${word}(?:[\s,]+${word})*\s*$`);
/** In prose such a word may be meant, but not where a name belongs. */
const inProse = new RegExp(
  String.raw`\[object Object\]|\b(?:Hello|Hi|Dear|Hallo|Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?)\s+${word}(?![\w-])`,
);
const words = new RegExp(String.raw`${word}|\[object Object\]`);

/**
 * Judges the strings in JSON: none contains a placeholder for a missing value. Nothing is judged where the event that led
 * to it, `sent`, contains such a word itself.
 */
export function judgePlaceholders(value: unknown, sent?: unknown): Judgement {
  const strings = stringsIn(value);
  if (strings.length === 0) return 'nothing';
  const found = strings.find(({ text }) => nothingElse.test(text) || inProse.test(text));
  if (!found) return true;
  if (stringsIn(sent).some(({ text }) => words.test(text))) return 'nothing';
  const { path, text } = found;
  return { expected: `${path.join('.')} with a value, or omitted`, received: shortJson(text), part: { body: path } };
}
