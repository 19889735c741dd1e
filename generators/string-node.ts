import fc from 'fast-check';
import { codePoints } from './json-values.ts';
import { mix, oneIn, pick, SchemaNode, smallCount, step } from './schema-node.ts';
import type { NodeSettings } from './schema-node.ts';
import type { FormatKind } from './format-kinds.ts';
import { STRING_PIECES, stringEdges } from './text-edges.ts';

export interface StringRules {
  readonly min: number;
  /** undefined: the schema gives no maximum. */
  readonly max: number | undefined;
  readonly patterns: readonly RegExp[];
  readonly format: FormatKind | undefined;
}

interface TextContext {
  readonly stage: 'coarse' | 'plain' | 'fine';
  readonly size: number;
  readonly from: number;
}

/** Edges of patterns, found once: searching them is the slow part of compiling a schema. */
const patternEdges = new Map<string, readonly string[]>();
const patternSources = new Map<string, fc.Arbitrary<string>>();

const SIMPLE = ['a', '0', '1', 'A'];

function rank(point: string): number {
  const index = SIMPLE.indexOf(point);
  return index === -1 ? SIMPLE.length + (point.codePointAt(0) ?? 0) : index;
}

/** `string`: free, or bounded by patterns or a format. Lengths are in code points. */
export class StringNode extends SchemaNode {
  readonly rules: StringRules;
  readonly free: boolean;
  private readonly settings: NodeSettings;
  private readonly source: fc.Arbitrary<string> | undefined;
  private edgeList: readonly string[] | undefined;
  private least: string | undefined;

  constructor(rules: StringRules, settings: NodeSettings) {
    super();
    this.rules = rules;
    this.settings = settings;
    this.free = rules.patterns.length === 0 && rules.format === undefined;
    const pattern = rules.patterns[0];
    this.source = pattern === undefined || rules.format !== undefined ? undefined : patternSource(pattern);
  }
  /** Longest generated string. */
  get bound(): number {
    return this.rules.max ?? Math.max(this.settings.textBound, this.rules.min);
  }
  /** Edge strings, shortest first. Empty if none was found that meets all rules. */
  get edges(): readonly string[] {
    this.edgeList ??= this.findEdges();
    return this.edgeList;
  }
  private findEdges(): readonly string[] {
    if (this.free) return stringEdges(this.rules.min, this.bound, this.settings.nul);
    if (this.rules.format !== undefined) {
      const samples = [...this.rules.format.edges];
      const rng = seededRandom(mix(1, this.rules.patterns.map(String).join()));
      if (this.rules.patterns.length > 0) for (let n = 0; n < 200; n++) samples.push(this.rules.format.make(rng));
      return [...new Set(samples)].filter((text) => this.accepts(text));
    }
    const key = [...this.rules.patterns.map(String), this.rules.min, this.bound].join(' ');
    const known = patternEdges.get(key) ?? this.findPatternEdges();
    patternEdges.set(key, known);
    return known;
  }
  private findPatternEdges(): readonly string[] {
    const source = this.source as fc.Arbitrary<string>;
    const rng = seededRandom(mix(1, this.rules.patterns.map(String).join()));
    const found = new Set<string>();
    for (let n = 0; n < 300 && found.size < 60; n++) {
      const text = source.generate(rng, n % 3 === 0 ? 2 : undefined).value_;
      if (this.accepts(text)) found.add(text);
    }
    if (found.size === 0) return [];
    const sorted = [...found].sort((a, b) => codePoints(a) - codePoints(b) || (a < b ? -1 : 1));
    const middle = [0.25, 0.5, 0.75].map((share) => sorted[Math.floor(sorted.length * share)] as string);
    return [...new Set([this.settle(sorted[0] as string), ...middle, this.grow(sorted.at(-1) as string)])];
  }
  /** The string with as many characters doubled as the pattern and the bound allow. */
  private grow(text: string): string {
    const points = [...text];
    for (let at = 0; at < points.length && points.length < this.bound;) {
      const longer = points.toSpliced(at, 0, points[at] as string);
      if (this.accepts(longer.join(''))) points.splice(at, 0, points[at] as string);
      else at++;
    }
    return points.join('');
  }
  /** The simplest string that shrinking a valid one reaches. */
  private settle(text: string): string {
    let current = text;
    for (let next = this.firstSmaller(current); next !== undefined; next = this.firstSmaller(current)) current = next;
    return current;
  }
  private firstSmaller(text: string): string | undefined {
    for (const value of this.shorten(text, undefined)) return value.value_ as string;
    return undefined;
  }
  measure(): number {
    return 0;
  }
  make(rng: fc.Random): string {
    if (this.settings.edges === 'often' && oneIn(rng, 5)) {
      const edge = pick(rng, this.edges);
      if (edge.length <= 300 || oneIn(rng, 8)) return edge;
    }
    if (this.free) return this.makeFree(rng);
    for (let attempt = 0; attempt < 30; attempt++) {
      const text =
        this.rules.format?.make(rng) ?? this.source?.generate(rng, oneIn(rng, 3) ? 2 : undefined).value_ ?? '';
      if (this.accepts(text)) return text;
    }
    return pick(rng, this.edges);
  }
  private makeFree(rng: fc.Random): string {
    const length = smallCount(rng, this.rules.min, Math.min(this.bound, this.rules.min + 60));
    const plain = oneIn(rng, 2) ? 26 : STRING_PIECES.length;
    let text = '';
    for (let index = 0; index < length; index++) text += STRING_PIECES[rng.nextInt(0, plain - 1)] as string;
    return text;
  }
  accepts(value: unknown): value is string {
    if (typeof value !== 'string') return false;
    const { min, max, patterns, format } = this.rules;
    if (min > 0 || max !== undefined) {
      const length = codePoints(value);
      if (length < min || (max !== undefined && length > max)) return false;
    }
    if (format !== undefined && !format.accepts(value)) return false;
    return patterns.every((pattern) => pattern.test(value));
  }
  simplest(): string {
    this.least ??= this.free ? 'a'.repeat(this.rules.min) : this.settle(this.edges[0] as string);
    return this.least;
  }
  breadth(): number {
    return this.edges.length;
  }
  edge(index: number): string {
    return this.edges[index % this.edges.length] as string;
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const text = value as string;
    if (context === undefined && text !== this.simplest() && this.isSmaller(this.simplest(), text)) {
      yield step(this.simplest(), undefined);
    }
    yield* this.shorten(text, context as TextContext | undefined);
  }
  private isSmaller(a: string, b: string): boolean {
    const lengths = codePoints(a) - codePoints(b);
    if (lengths !== 0) return lengths < 0;
    const [left, right] = [[...a], [...b]];
    const at = left.findIndex((point, index) => point !== right[index]);
    return at !== -1 && rank(left[at] as string) < rank(right[at] as string);
  }
  private *shorten(text: string, context: TextContext | undefined): Generator<fc.Value<unknown>> {
    if (this.rules.format !== undefined) {
      for (const each of this.rules.format.smaller(text)) if (this.accepts(each)) yield step(each, undefined);
      return;
    }
    const points = [...text];
    const whole = points.length;
    // Large cuts, then plain characters, then small cuts: most small cuts of a plain string have the same result.
    const coarse = Math.max(1, Math.ceil(whole / 8));
    const stage = context?.stage ?? 'coarse';
    if (stage === 'coarse') yield* this.cuts(points, stage, context?.size ?? whole, coarse, context?.from ?? 0);
    if (stage === 'plain') yield* this.simpler(points, context?.size ?? whole, context?.from ?? 0);
    if (stage === 'coarse') yield* this.simpler(points, whole, 0);
    if (stage === 'fine') yield* this.cuts(points, stage, context?.size ?? coarse, 1, context?.from ?? 0);
    else yield* this.cuts(points, 'fine', coarse, 1, 0);
    if (context === undefined) return;
    yield* this.simpler(points, 1, 0);
    yield* this.cuts(points, 'fine', 1, 1, 0);
  }
  private *cuts(
    points: readonly string[],
    stage: 'coarse' | 'fine',
    startSize: number,
    leastSize: number,
    startFrom: number,
  ): Generator<fc.Value<unknown>> {
    let from = startFrom;
    let last: string | undefined;
    const most = points.length - this.rules.min;
    for (let size = Math.min(startSize, most); size >= leastSize; size = Math.floor(size / 2), from = 0) {
      for (; from + size <= points.length; from += size) {
        const candidate = [...points.slice(0, from), ...points.slice(from + size)].join('');
        if (candidate !== last && this.accepts(candidate)) yield step(candidate, { stage, size, from });
        last = candidate;
      }
    }
  }
  private *simpler(points: readonly string[], startSize: number, startFrom: number): Generator<fc.Value<unknown>> {
    let from = startFrom;
    for (let size = Math.min(startSize, points.length); size >= 1; size = Math.floor(size / 2), from = 0) {
      for (; from < points.length; from += size) {
        const chunk = points.slice(from, from + size);
        for (const simple of this.free ? ['a'] : SIMPLE) {
          const replaced = chunk.map((point) => (rank(simple) < rank(point) ? simple : point));
          if (replaced.every((point, index) => point === chunk[index])) continue;
          const candidate = [...points.slice(0, from), ...replaced, ...points.slice(from + size)].join('');
          if (this.accepts(candidate)) yield step(candidate, { stage: 'plain', size, from });
        }
      }
    }
  }
}

function patternSource(pattern: RegExp): fc.Arbitrary<string> {
  const known = patternSources.get(pattern.source) ?? fc.stringMatching(pattern, { size: 'small' });
  patternSources.set(pattern.source, known);
  return known;
}

/** A fast-check generator with a fixed seed, for decisions made once per schema. */
export function seededRandom(seed: number): fc.Random {
  let captured: fc.Random | undefined;
  class Capture extends fc.Arbitrary<undefined> {
    override generate(rng: fc.Random): fc.Value<undefined> {
      captured ??= rng.clone();
      return new fc.Value(undefined, undefined);
    }
    override canShrinkWithoutContext(_value: unknown): _value is undefined {
      return false;
    }
    override shrink(): fc.Stream<fc.Value<undefined>> {
      return fc.Stream.nil();
    }
  }
  fc.sample(new Capture(), { seed, numRuns: 1 });
  return captured as fc.Random;
}
