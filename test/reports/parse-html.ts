/** An element as written on the page; `text` of script and style is the content between the tags, unchanged. */
export interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: (Element | string)[];
}

const voids = new Set(['meta', 'br', 'input', 'rect', 'circle', 'path', 'line']);
const rawText = new Set(['script', 'style']);
const token = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][\w-]*(?:="[^"<>]*")?)*)\s*(\/?)>|([^<>]+)/g;
const attribute = /([a-zA-Z][\w-]*)(?:="([^"]*)")?/g;

/**
 * Parses a page of the plain form that we write, and throws for anything else: a stray angle bracket, an unquoted
 * attribute, an element that another one closes. So no unescaped text remains undetected.
 */
export function parseHtml(source: string): Element {
  const root: Element = { name: '#root', attributes: new Map(), children: [] };
  const open: Element[] = [root];
  let at = 0;
  while (at < source.length) {
    token.lastIndex = at;
    const found = token.exec(source);
    if (found?.index !== at) throw new Error(`expected markup, received ${JSON.stringify(source.slice(at, at + 60))}`);
    at = token.lastIndex;
    const [, closing, name, written = '', , text] = found;
    const parent = open.at(-1) ?? root;
    if (text !== undefined) {
      parent.children.push(decoded(text));
    } else if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`expected </${parent.name}>, received </${name ?? ''}>`);
    } else if (name !== undefined) {
      const element: Element = { name, attributes: attributesOf(written), children: [] };
      parent.children.push(element);
      if (rawText.has(name)) {
        const end = source.indexOf(`</${name}>`, at);
        element.children.push(source.slice(at, end));
        at = end + name.length + 3;
      } else if (!voids.has(name)) {
        open.push(element);
      }
    }
  }
  if (open.length !== 1) throw new Error(`expected every element closed, received open ${open.at(-1)?.name ?? ''}`);
  return root;
}

/** All elements, in document order. */
export function elements(element: Element): Element[] {
  return element.children.flatMap((child) => (typeof child === 'string' ? [] : [child, ...elements(child)]));
}

/** Text of an element with collapsed white space. */
export function textOf(element: Element): string {
  return rawTextOf(element).replaceAll(/\s+/g, ' ').trim();
}

function rawTextOf(element: Element): string {
  return element.children.map((child) => (typeof child === 'string' ? child : rawTextOf(child))).join('');
}

function attributesOf(written: string): Map<string, string> {
  return new Map([...written.matchAll(attribute)].map(([, name, value]) => [name ?? '', decoded(value ?? '')]));
}

function decoded(text: string): string {
  const bare = text.replaceAll(/&(?:amp|lt|gt|quot|#39|#96);/g, '');
  if (bare.includes('&')) throw new Error(`expected an entity, received ${JSON.stringify(bare)}`);
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#96;', '`')
    .replaceAll('&amp;', '&');
}
