import { createRequire } from 'node:module';
import type * as PlotLibrary from '@observablehq/plot';
import { escapeHtml, html, Markup } from '../html/markup.ts';

/** The parts of the output of the library that are read here. */
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

/** Options of a plot, and its accessible label. */
export interface PlotSpec {
  readonly label: string;
  readonly options: (plot: typeof PlotLibrary) => PlotLibrary.PlotOptions;
}

const elementNode = 1;
const textNode = 3;
const shapes = new Set(['path', 'rect', 'circle', 'line']);
const holders = new Set(['g', 'text', 'tspan']);
// Attributes without use in a labelled picture, and those that the page sets.
const needless = new Set(['class', 'style', 'aria-hidden', 'aria-label', 'aria-description', 'xmlns', 'xmlns:xlink']);

let loaded: Library | undefined;

/** Loaded on first use, since loading takes a third of a second. */
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
 * A plot as one labelled picture. Only shapes and text reach the page, without styles; text is escaped. Marks keep their
 * class, which the page uses for colours.
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

/** Rounds to a tenth of a pixel. */
function rounded(value: string): string {
  return value.replace(/-?\d+\.\d{2,}/g, (number) => String(Number(Number(number).toFixed(1))));
}
