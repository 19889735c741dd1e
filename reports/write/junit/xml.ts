import { visibleControls } from '../../text/visible-controls.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // A parser replaces these by spaces when they are not escaped in an attribute (XML 1.0, 3.3.3).
  '\t': '&#9;',
  '\n': '&#10;',
};

/** An attribute's value; `undefined` omits the attribute. */
export type AttributeValue = string | number | undefined;

/** Text for an element; characters that XML 1.0 forbids or that act on a terminal are made visible. */
export function escapeXml(text: string): string {
  return visibleControls(text).replace(/[&<>]/g, (character) => entities[character] ?? character);
}

/** An element with XML content; child elements are on separate lines. */
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
