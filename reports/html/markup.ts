import { visibleControls } from '../visible-controls.ts';

/** Finished HTML. Only `html` makes it, so text cannot reach a page without being escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What may stand in an `html` template: text is escaped, markup and lists of it go in, nothing is left out. */
export type Part = string | number | Markup | undefined | false | readonly Part[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** Text for an element or a quoted attribute; control and direction characters become visible. */
export function escapeHtml(text: string): string {
  return visibleControls(text).replace(/[&<>"'`]/g, (character) => entities[character] ?? character);
}

/** A piece of HTML. Values go only into element content and into quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((source, string, index) => source + sourceOf(parts[index - 1]) + string));
}

function sourceOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.source;
  if (typeof part === 'string') return escapeHtml(part);
  return typeof part === 'number' ? String(part) : part.map(sourceOf).join('');
}
