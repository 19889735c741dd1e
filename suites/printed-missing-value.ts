import { shortJson } from '../specs/explain-violations.ts';
import type { Finding } from '../harness/checks/finding.ts';
import type { Judgement } from './judgement.ts';
import { stringsIn } from './strings-in.ts';

/** The words by which programming languages print a value that is missing. */
const printed = String.raw`(?:undefined|null|None|NaN|nil|<nil>|\(null\)|Invalid Date)`;
/** A string of nothing else, such as "None None" as a name; a customer may have written a single "null". */
const nothingElse = new RegExp(String.raw`^\s*(?!null\s*$)${printed}(?:[\s,]+${printed})*\s*$`);
/** In prose such a word may be meant, but not where a name belongs. */
const inProse = new RegExp(
  String.raw`\[object Object\]|\b(?:Hello|Hi|Dear|Hallo|Herrn?|Frau|Mr\.?|Mrs\.?|Ms\.?)\s+${printed}(?![\w-])`,
);

/**
 * Judges the strings in JSON: none of them is a missing value that a program has printed as a word. What `sent`, the
 * event that led to it, contains itself is not judged.
 */
export function judgePrintedMissingValues(value: unknown, sent?: unknown): Judgement {
  const strings = stringsIn(value);
  if (strings.length === 0) return 'nothing';
  const found = strings.find(({ text }) => isPrinted(text));
  if (!found) return true;
  const { path, text } = found;
  if (stringsIn(sent).some((one) => isPrinted(one.text))) return 'nothing';
  const finding: Finding = {
    expected: `${path.join('.')} with a value, or omitted`,
    received: shortJson(text),
    part: { body: path },
  };
  return finding;
}

function isPrinted(text: string): boolean {
  return nothingElse.test(text) || inProse.test(text);
}
