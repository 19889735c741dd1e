import { isJson } from '../../model/is-json.ts';
import { html } from './markup.ts';
import type { Markup } from './markup.ts';
import { pointerSegment } from '../../../specs/json-pointer.ts';

/** A range of characters; `end` is exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** JSON text with the values of some pointers marked. */
export interface MarkedJson {
  readonly text: Markup;
  /** Pointers without a value. The field or list that would contain it is marked instead. */
  readonly missing: readonly string[];
}

const token = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/gy;

/** Marks the values of the JSON Pointers. Text that is not JSON is returned without marks, with every pointer missing. */
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

/** The ranges of each value with the name of its field; duplicate fields have several. */
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
        value(pointer + pointerSegment(String(JSON.parse(one.piece))), next(), one.start);
      } else value(`${pointer}/${index}`, one);
      one = next();
      if (one.piece === ',') one = next();
    }
    return note(pointer, { start: from, end: one.end });
  };
  value('', next());
  return places;
}

/** The start of the nearest existing ancestor of a missing value: its name or bracket. */
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
