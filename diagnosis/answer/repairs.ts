import { isJsonObject, parseJsonText } from '../../harness/checks/json.ts';
import { limits } from '../../specs/limits.ts';
import type { AnswerFault } from './answer-fault.ts';
import { closeJson } from './close-json.ts';
import { insideTexts, outsideTexts, piecesOf } from './outside-texts.ts';

/** Three backticks, as Markdown has them around code. */
const fence = '```';
/** Characters of a text in which two mistakes at once are looked for: as long as an answer may be. */
const mostForTwo = limits.ownAiAnswerBytes;

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
    undo: withoutFence,
    text: 'The JSON of the answer stands in a Markdown fence (three backticks).',
  },
  {
    id: 'answer/trailing-comma',
    undo: (text) => outsideTexts(text, (part) => part.replace(/,(\s*[}\]])/g, '$1')),
    text: 'There is a comma after the last field of the answer.',
  },
  {
    id: 'answer/not-a-number',
    undo: (text) => outsideTexts(text, (part) => part.replace(/-?\b(?:NaN|Infinity|undefined)\b/g, 'null')),
    text: 'The answer holds NaN, Infinity or undefined as a value.',
  },
  {
    id: 'answer/comments',
    undo: (text) => outsideTexts(text, withoutComments),
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
    text: 'The names of the fields of the answer have no quotes.',
  },
  {
    id: 'answer/cut-short',
    undo: closeJson,
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
  const single = fixed.find((one) => isJsonObject(parseJsonText(one.text)));
  if (single) return [single.repair];
  if (text.length > mostForTwo) return undefined;
  for (const first of fixed) {
    for (const second of repairs) {
      if (second === first.repair) continue;
      if (isJsonObject(parseJsonText(second.undo(first.text)))) return [first.repair, second];
    }
  }
  return undefined;
}

function pythonWords(text: string): string {
  const words: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
  return outsideTexts(text, (part) => part.replace(/\b(?:None|True|False)\b/g, (word) => words[word] ?? word));
}

/** Texts in single quotes made double; those in double quotes stay. */
function doubleQuotes(text: string): string {
  const doubled = (single: string) =>
    `"${single
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replace(/(?<!\\)"/g, '\\"')}"`;
  return piecesOf(text, `"'`)
    .map((piece) => (piece.quote === "'" ? doubled(piece.text) : piece.text))
    .join('');
}

function escapeControls(text: string): string {
  return insideTexts(text, (part) =>
    // eslint-disable-next-line no-control-regex -- they are what is looked for
    part.replace(/[\u0000-\u001f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** What stands between three backticks at the beginning and at the end. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence) || trimmed.length < 2 * fence.length) return text;
  const inner = trimmed.slice(fence.length, -fence.length);
  return inner.replace(/^[\w-]*/, '').trim();
}

/** Without comments, a piece between texts. What is not closed is none. */
function withoutComments(piece: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = piece.indexOf('/'); at >= 0; at = piece.indexOf('/', at)) {
    const isLine = piece[at + 1] === '/';
    const end = isLine ? piece.indexOf('\n', at) : piece[at + 1] === '*' ? piece.indexOf('*/', at + 2) : undefined;
    if (end === undefined) {
      at++;
      continue;
    }
    if (end < 0 && !isLine) break;
    kept.push(piece.slice(from, at));
    from = end < 0 ? piece.length : isLine ? end : end + 2;
    at = from;
  }
  return kept.join('') + piece.slice(from);
}
