// JSON.stringify leaves these as they are; written as \u escapes the file can be shown on a terminal.
const unsafe = /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** JSON text of a value, with control and direction characters as `\u` escapes, and a newline at its end. */
export function formatJson(value: unknown, indent: number): string {
  const text = JSON.stringify(value, undefined, indent);
  return `${text.replace(unsafe, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`;
}
