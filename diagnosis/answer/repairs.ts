import { isJsonObject, jsonOfText } from '../../harness/json.ts';
import type { AnswerFault } from './answer-fault.ts';

/** A known way to miss JSON, and how it is undone. */
export interface Repair {
  id: AnswerFault['id'];
  /** The text without this mistake; the same text where there is none of it. */
  undo: (text: string) => string;
  /** The sentence about a body that is JSON without it. */
  text: string;
}

/**
 * In the order in which they are tried: what takes most of a text for a mistake comes last, so that a narrower
 * explanation wins.
 */
export const repairs: readonly Repair[] = [
  {
    id: 'answer/code-fence',
    undo: (text) => /^\s*```[\w-]*[^\S\n]*\r?\n?([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text,
    text: 'The JSON of the answer stands in a Markdown fence (three backticks).',
  },
  {
    id: 'answer/trailing-comma',
    undo: (text) => outsideTexts(text, (part) => part.replace(/,(\s*[}\]])/g, '$1')),
    text: 'There is a comma after the last member of the answer.',
  },
  {
    id: 'answer/not-a-number',
    undo: (text) => outsideTexts(text, (part) => part.replace(/-?\b(?:NaN|Infinity|undefined)\b/g, 'null')),
    text: 'The answer holds NaN, Infinity or undefined as a value.',
  },
  {
    id: 'answer/comments',
    undo: (text) => outsideTexts(text, (part) => part.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '')),
    text: 'The answer holds comments.',
  },
  {
    id: 'answer/raw-line-ends',
    undo: escapeControls,
    text: 'A text in the answer has a line end or another control character that is not escaped.',
  },
  {
    id: 'answer/python-words',
    undo: pythonWords,
    text: 'The answer holds None, True or False as a value.',
  },
  {
    id: 'answer/single-quotes',
    undo: (text) => pythonWords(doubleQuotes(text)),
    text: 'The answer is written with single quotes, as Python or JavaScript show an object.',
  },
  {
    id: 'answer/unquoted-names',
    undo: (text) => outsideTexts(text, (part) => part.replace(/([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)/g, '$1"$2"$3')),
    text: 'The names of the members of the answer have no quotes.',
  },
  {
    id: 'answer/cut-short',
    undo: closed,
    text: 'The answer stops in the middle of its JSON.',
  },
  {
    id: 'answer/text-around',
    undo: (text) => {
      const [from, to] = [text.indexOf('{'), text.lastIndexOf('}')];
      return from < 0 || to < from ? text : text.slice(from, to + 1);
    },
    text: 'There is other text before or after the JSON of the answer.',
  },
];

/** The one mistake, or the two, without which a text is a JSON object. */
export function repairsOf(text: string): readonly Repair[] | undefined {
  const fixed = repairs.map((repair) => ({ repair, text: repair.undo(text) })).filter((one) => one.text !== text);
  const single = fixed.find((one) => isJsonObject(jsonOfText(one.text)));
  if (single) return [single.repair];
  for (const first of fixed) {
    for (const second of repairs) {
      if (second === first.repair) continue;
      if (isJsonObject(jsonOfText(second.undo(first.text)))) return [first.repair, second];
    }
  }
  return undefined;
}

/** Texts in double quotes, whole. */
const texts = /("(?:[^"\\]|\\[\s\S])*")/;

/** Changes everything but the texts in double quotes. */
function outsideTexts(text: string, change: (part: string) => string): string {
  return text
    .split(texts)
    .map((part, at) => (at % 2 === 1 ? part : change(part)))
    .join('');
}

function pythonWords(text: string): string {
  const words: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
  return outsideTexts(text, (part) => part.replace(/\b(?:None|True|False)\b/g, (word) => words[word] ?? word));
}

/** Texts in single quotes made double; those in double quotes stay. */
function doubleQuotes(text: string): string {
  return text.replace(/"(?:[^"\\]|\\[\s\S])*"|'((?:[^'\\]|\\[\s\S])*)'/g, (whole, inner: string | undefined) =>
    inner === undefined ? whole : `"${inner.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`,
  );
}

function escapeControls(text: string): string {
  return text
    .split(texts)
    .map((part, at) =>
      at % 2 === 0
        ? part
        : // eslint-disable-next-line no-control-regex -- they are what is looked for
          part.replace(/[\u0000-\u001f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
    )
    .join('');
}

/** A JSON text that stops early, with everything closed that is open. Texts that are whole come back as they are. */
function closed(text: string): string {
  const open: string[] = [];
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inText) {
      if (char === '\\') at++;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') open.pop();
  }
  if (!inText && open.length === 0) return text;
  const ends = open.toReversed().join('');
  const whole = (inText ? `${text.replace(/\\u?[\da-fA-F]{0,3}$/, '')}"` : text.replace(/[,\s]+$/, '')) + ends;
  // The cut may stand behind a name or a colon, where a value is missing.
  const candidates = [whole, whole.replace(/:\s*(?=[\]}]*$)/, ':null'), whole.replace(/"(?=[\]}]*$)/, '":null')];
  const lastValue = text.replace(/,\s*"?[^",{}[\]]*"?\s*:?\s*[\w.+-]*$/, '') + ends;
  return [...candidates, lastValue].find((one) => jsonOfText(one) !== undefined) ?? whole;
}
