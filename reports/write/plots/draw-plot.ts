import { createRequire } from 'node:module';
import type * as PlotLibrary from '@observablehq/plot';
import { escapeHtml, html, Markup } from '../html/markup.ts';

/** What the library writes, as far as it is read here. */
interface Drawn {
  readonly localName?: string;
  readonly nodeType: number;
  readonly textContent: string | null;
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
  readonly childNodes: Iterable<Drawn>;
}

interface Library {
  readonly plot: typeof PlotLibrary;
  readonly document: unknown;
}

/** What a plot is drawn with, and how it is told to those who do not see it. */
export interface PlotSpec {
  readonly label: string;
  readonly options: (plot: typeof PlotLibrary) => PlotLibrary.PlotOptions;
}

const elementNode = 1;
const textNode = 3;
const shapes = new Set(['path', 'rect', 'circle', 'line']);
const holders = new Set(['g', 'text', 'tspan']);
// Names that say nothing to a reader of the whole picture, and the ground that the page gives it.
const needless = new Set(['class', 'style', 'aria-hidden', 'aria-label', 'aria-description', 'xmlns', 'xmlns:xlink']);

let loaded: Library | undefined;

/** Loading takes a third of a second, which only those pay who draw. */
function library(): Library {
  if (!loaded) {
    const require = createRequire(import.meta.url);
    const plot = require('@observablehq/plot') as typeof PlotLibrary;
    const { parseHTML } = require('linkedom') as { parseHTML: (text: string) => { document: unknown } };
    loaded = { plot, document: parseHTML('<!doctype html><html><body></body></html>').document };
  }
  return loaded;
}

/**
 * A plot as one picture with a name. Only shapes and text reach the page, without styles; text is escaped as everywhere.
 * Marks keep their own class, by which the page colours them.
 */
export function drawPlot({ label, options }: PlotSpec): Markup {
  const { plot, document } = library();
  const chosen = options(plot);
  const drawn = plot.plot({ ...chosen, document: document as never, figure: false }) as unknown as Drawn;
  const size = new Map([...drawn.attributes].map(({ name, value }) => [name, value]));
  const [width, height] = [Number(size.get('width')), Number(size.get('height'))];
  return html`<svg
    class="plot"
    role="img"
    aria-label="${label}"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
    fill="currentColor"
    font-size="12"
    text-anchor="middle"
  >
    ${[...drawn.childNodes].map(written)}
  </svg>`;
}

function written(node: Drawn): Markup | string {
  if (node.nodeType === textNode) return node.textContent ?? '';
  const name = node.localName ?? '';
  if (node.nodeType !== elementNode || !(shapes.has(name) || holders.has(name))) return '';
  const own = [...node.attributes].filter(
    (attribute) => !needless.has(attribute.name) || (attribute.name === 'class' && !attribute.value.startsWith('plot')),
  );
  const attributes = own.map((attribute) => ` ${attribute.name}="${escapeHtml(rounded(attribute.value))}"`).join('');
  const children = html`${[...node.childNodes].map(written)}`.source;
  if (shapes.has(name)) return new Markup(`<${name}${attributes}/>`);
  return new Markup(children === '' ? '' : `<${name}${attributes}>${children}</${name}>`);
}

/** A tenth of a pixel is more than anybody sees. */
function rounded(value: string): string {
  return value.replace(/-?\d+\.\d{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
}
