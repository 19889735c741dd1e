import { visibleControls } from '../../text/visible-controls.ts';

/** Finished HTML. Only `html` makes it, so text cannot reach a page without being escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** A value in an `html` template: text is escaped, markup and lists are inserted, `undefined` and `false` are empty. */
export type MarkupValue = string | number | Markup | undefined | false | readonly MarkupValue[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Text that needs no escaping, which is most of it; this test is faster than the replacements. */
const plain = /^[\n\x20\x21\x23-\x25\x28-\x3b\x3d\x3f-\x5f\x61-\x7e]*$/;

/** Text for an element or a quoted attribute; control and direction characters are made visible. */
export function escapeHtml(text: string): string {
  if (plain.test(text)) return text;
  return visibleControls(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? character);
}

const withoutIndents = new WeakMap<TemplateStringsArray, readonly string[]>();

/** A piece of HTML. Values go only into element content and into quoted attributes; indentation of the template is removed. */
export function html(template: TemplateStringsArray, ...parts: readonly MarkupValue[]): Markup {
  let strings = withoutIndents.get(template);
  if (!strings) withoutIndents.set(template, (strings = template.map((string) => string.replace(/\n\s*/g, '\n'))));
  let source = strings[0] ?? '';
  for (let index = 0; index < parts.length; index += 1) source += sourceOf(parts[index]) + (strings[index + 1] ?? '');
  return new Markup(source);
}

function sourceOf(part: MarkupValue): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.source;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(sourceOf).join('');
}
