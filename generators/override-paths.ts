import type fc from 'fast-check';
import { parsePointer } from '../specs/json-pointer.ts';

/** Progress of each pattern on the path to a place: pattern index and segment index. */
export type PathState = readonly (readonly [pattern: number, segment: number])[];

// Patterns for places in a value. A pattern is a JSON Pointer; `*` matches one field or any item, `**` any number of
// levels: `/data/history/*/text`, `/**/phone`. (Line comments, since a pattern can end a block comment.)
export class OverridePaths {
  readonly patterns: readonly {
    readonly text: string;
    readonly segments: readonly string[];
    readonly arbitrary: fc.Arbitrary<unknown>;
  }[];
  readonly used = new Set<string>();

  constructor(overrides: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
    this.patterns = Object.entries(overrides).map(([text, arbitrary]) => ({
      text,
      arbitrary,
      segments: parsePointer(text.startsWith('/') || text === '' ? text : `/${text}`),
    }));
  }
  start(): PathState {
    return this.close(this.patterns.map((_, index) => [index, 0] as const));
  }
  /** One level down; `undefined` means any item or any field of a map. */
  into(state: PathState, name: string | undefined): PathState {
    const next: (readonly [number, number])[] = [];
    for (const [pattern, at] of state) {
      const segment = this.patterns[pattern]?.segments[at];
      if (segment === '**') next.push([pattern, at]);
      else if (segment === '*' || (segment !== undefined && segment === name)) next.push([pattern, at + 1]);
    }
    return this.close(next);
  }
  /** The arbitrary for this place; the last matching pattern wins. */
  match(state: PathState): { text: string; arbitrary: fc.Arbitrary<unknown> } | undefined {
    const found = state.filter(([pattern, at]) => this.patterns[pattern]?.segments.length === at);
    const last = found.at(-1);
    if (last === undefined) return undefined;
    for (const [pattern] of found) this.used.add(this.patterns[pattern]?.text ?? '');
    return this.patterns[last[0]];
  }
  private close(state: PathState): PathState {
    const all = new Map(state.map((each) => [each.join(), each]));
    for (const [pattern, at] of all.values()) {
      if (this.patterns[pattern]?.segments[at] === '**') all.set(`${pattern},${at + 1}`, [pattern, at + 1]);
    }
    return [...all.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  }
}
