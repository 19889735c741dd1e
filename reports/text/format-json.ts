// JSON.stringify does not escape these; as \u escapes they are safe to print on a terminal.
const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Characters of a part, except for a longer item of a list. */
const partCharacters = 65_536;

/** JSON text of a value, with control and direction characters as `\u` escapes, and a newline at its end. */
export function formatJson(value: unknown, indent: number): string {
  return `${printable(JSON.stringify(value, undefined, indent))}\n`;
}

/**
 * {@link formatJson} of an object in parts: the lists in its fields are formatted item by item, so that a long one need
 * not fit into memory as text.
 */
export function* formatJsonParts(value: object, indent: number): Generator<string> {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  if (!fields.some(([, field]) => Array.isArray(field) && field.length > 1)) {
    yield formatJson(value, indent);
    return;
  }
  const line = (depth: number) => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`);
  // Line ends within strings are escaped.
  const text = (item: unknown, depth: number) =>
    JSON.stringify(item ?? null, undefined, indent).replaceAll('\n', line(depth));
  let part = '{';
  for (const [at, [name, field]] of fields.entries()) {
    part += `${at === 0 ? '' : ','}${line(1)}${JSON.stringify(name)}:${indent === 0 ? '' : ' '}`;
    if (!Array.isArray(field) || field.length === 0) {
      part += text(field, 1);
      continue;
    }
    part += '[';
    for (const [index, item] of field.entries()) {
      part += `${index === 0 ? '' : ','}${line(2)}${text(item, 2)}`;
      if (part.length < partCharacters) continue;
      yield printable(part);
      part = '';
    }
    part += `${line(1)}]`;
  }
  yield `${printable(part)}${line(0)}}\n`;
}

function printable(text: string): string {
  return text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
