import { isJson } from '../../model/is-json.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';

/** A piece of a text, from its first character to before its last. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** JSON text with the places that pointers name marked. */
export interface MarkedJson {
  readonly text: Markup;
  /** Pointers to what is not there. The field or list that would hold it is marked instead. */
  readonly missing: readonly string[];
}

const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/gy;

/** Marks what the JSON Pointers name; text that is not JSON comes back without marks, every pointer missing. */
export function markedJson(text: string, pointers: readonly string[]): MarkedJson {
  if (pointers.length === 0 || !isJson(text)) return { text: html`${text}`, missing: pointers };
  const places = placesIn(text);
  const found = pointers.map((pointer) => ({ pointer, at: places.get(pointer) }));
  const ranges = found.flatMap(({ pointer, at }) => at ?? holderOf(pointer, places));
  return {
    text: html`${pieces(text, ranges)}`,
    missing: found.filter(({ at }) => at === undefined).map(({ pointer }) => pointer),
  };
}

/** Where each value stands, with the name of its field; of one that is there twice, both. */
function placesIn(text: string): Map<string, Range[]> {
  const places = new Map<string, Range[]>();
  token.lastIndex = 0;
  const next = () => {
    const found = token.exec(text);
    const piece = found?.[1] ?? '';
    return { piece, end: token.lastIndex, start: token.lastIndex - piece.length };
  };
  const note = (pointer: string, range: Range) => {
    places.set(pointer, [...(places.get(pointer) ?? []), range]);
    return range.end;
  };
  const value = (pointer: string, first: ReturnType<typeof next>, from = first.start): number => {
    if (first.piece !== '{' && first.piece !== '[') return note(pointer, { start: from, end: first.end });
    let one = next();
    for (let index = 0; one.piece !== '}' && one.piece !== ']'; index += 1) {
      if (first.piece === '{') {
        next();
        value(`${pointer}/${escaped(String(JSON.parse(one.piece)))}`, next(), one.start);
      } else value(`${pointer}/${index}`, one);
      one = next();
      if (one.piece === ',') one = next();
    }
    return note(pointer, { start: from, end: one.end });
  };
  value('', next());
  return places;
}

/** The beginning of the nearest value above what is missing: its name, or its bracket. */
function holderOf(pointer: string, places: ReadonlyMap<string, readonly Range[]>): Range[] {
  let holder = pointer;
  while (holder !== '' && !places.has(holder)) holder = holder.slice(0, holder.lastIndexOf('/'));
  const name = holder.slice(holder.lastIndexOf('/') + 1);
  return (places.get(holder) ?? []).map(({ start, end }) => ({
    start,
    end: Math.min(end, holder === '' ? start + 1 : start + name.length + 2),
  }));
}

function pieces(text: string, ranges: readonly Range[]): Markup[] {
  let at = 0;
  const parts: Markup[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    parts.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`);
    at = end;
  }
  return [...parts, html`${text.slice(at)}`];
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
