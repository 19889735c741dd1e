import { parseJsonText } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { limits } from '../../specs/limits.ts';
import type { AnswerFault } from './answer-fault.ts';
import { closeJson } from './close-json.ts';
import { changeInsideStrings, changeOutsideStrings, splitStrings } from './split-strings.ts';

/** Three backticks, as Markdown has them around code. */
const fence = '```';
/** Longest body, in characters, that is searched for two mistakes: the limit of an answer. */
const mostForTwo = limits.ownAiAnswerBytes;

/** A known mistake in JSON and its correction. */
export interface Repair {
  id: AnswerFault['id'];
  /** Removes the mistake; returns the input unchanged without it. */
  undo: (text: string) => string;
  /** Describes a body with this mistake. */
  text: string;
}

/**
 * In the order in which they are tried: the broadest corrections come last, so that a narrower explanation wins.
 */
export const repairs: readonly Repair[] = [
  {
    id: 'answer/code-fence',
    undo: withoutFence,
    text: 'The JSON of the answer is in a Markdown code fence (three backticks).',
  },
  {
    id: 'answer/trailing-comma',
    undo: (text) => changeOutsideStrings(text, (part) => part.replace(/,(\s*[}\]])/g, '$1')),
    text: 'There is a comma after the last field of the answer.',
  },
  {
    id: 'answer/not-a-number',
    undo: (text) => changeOutsideStrings(text, (part) => part.replace(/-?\b(?:NaN|Infinity|undefined)\b/g, 'null')),
    text: 'The answer contains NaN, Infinity or undefined as a value.',
  },
  {
    id: 'answer/comments',
    undo: (text) => changeOutsideStrings(text, withoutComments),
    text: 'The answer contains comments.',
  },
  {
    id: 'answer/raw-line-ends',
    undo: escapeControls,
    text: 'A string in the answer contains an unescaped line break or another control character.',
  },
  {
    id: 'answer/python-words',
    undo: replacePythonLiterals,
    text: 'The answer contains None, True or False as a value.',
  },
  {
    id: 'answer/single-quotes',
    undo: (text) => replacePythonLiterals(doubleQuotes(text)),
    text: 'The answer uses single quotes, as Python and JavaScript print objects.',
  },
  {
    id: 'answer/unquoted-names',
    undo: (text) =>
      changeOutsideStrings(text, (part) => part.replace(/([{,]\s*)([A-Za-z_$][\w$]*)(\s*:)/g, '$1"$2"$3')),
    text: 'The field names of the answer are not quoted.',
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

/** Finds one mistake, or two, whose correction yields a JSON object. */
export function findRepairs(text: string): readonly Repair[] | undefined {
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

function replacePythonLiterals(text: string): string {
  const words: Readonly<Record<string, string>> = { None: 'null', True: 'true', False: 'false' };
  return changeOutsideStrings(text, (part) => part.replace(/\b(?:None|True|False)\b/g, (word) => words[word] ?? word));
}

/** Converts single-quoted strings to double-quoted ones. */
function doubleQuotes(text: string): string {
  const doubled = (single: string) =>
    `"${single
      .slice(1, -1)
      .replaceAll("\\'", "'")
      .replace(/(?<!\\)"/g, '\\"')}"`;
  return splitStrings(text, `"'`)
    .map((piece) => (piece.quote === "'" ? doubled(piece.text) : piece.text))
    .join('');
}

function escapeControls(text: string): string {
  return changeInsideStrings(text, (part) =>
    // eslint-disable-next-line no-control-regex -- they are the mistake
    part.replace(/[\u0000-\u001f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

/** The content of a code fence around everything. */
function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith(fence) || !trimmed.endsWith(fence) || trimmed.length < 2 * fence.length) return text;
  const inner = trimmed.slice(fence.length, -fence.length);
  return inner.replace(/^[\w-]*/, '').trim();
}

/** Removes comments from a piece between strings. An unclosed one is not a comment. */
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
