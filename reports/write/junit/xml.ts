import { visibleControls } from '../../text/visible-controls.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser turns these into spaces where they stand in an attribute as they are (XML 1.0, 3.3.3).
  '\t': '&#9;',
  '\n': '&#10;',
};

/** An attribute's value; what is omitted is `undefined`. */
export type AttributeValue = string | number | undefined;

/** Text for an element; characters that XML 1.0 does not admit become visible, as those do that act on a terminal. */
export function xmlText(text: string): string {
  return visibleControls(text).replace(/[&<>]/g, (character) => entities[character] ?? character);
}

/** An element of finished XML pieces, on lines of its own when it has elements within. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, AttributeValue>>,
  content: string | readonly string[] = '',
): string {
  const head = `${name}${Object.entries(attributes).map(xmlAttribute).join('')}`;
  if (content.length === 0) return `<${head}/>`;
  if (typeof content === 'string') return `<${head}>${content}</${name}>`;
  return `<${head}>\n${content.join('\n')}\n</${name}>`;
}

function xmlAttribute([name, value]: readonly [string, AttributeValue]): string {
  if (value === undefined) return '';
  const text = visibleControls(String(value)).replace(/[&<>"'\t\n]/g, (character) => entities[character] ?? character);
  return ` ${name}="${text}"`;
}
