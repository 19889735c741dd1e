import type fc from 'fast-check';
import { sameJson } from './json-values.ts';
import { isJsonObject, isJsonContainer } from '../specs/json-object.ts';
import { oneIn, pick, SchemaNode, step } from './schema-node.ts';
import type { NodeSettings } from './schema-node.ts';

function fresh(value: unknown): unknown {
  return isJsonContainer(value) ? structuredClone(value) : value;
}

/** `const`, `enum`, `boolean` and `null`: a list of values, the first being the simplest. */
export class ListNode extends SchemaNode {
  readonly values: readonly unknown[];
  constructor(values: readonly unknown[]) {
    super();
    this.values = values;
  }
  measure(): number {
    return 0;
  }
  make(rng: fc.Random): unknown {
    return this.values.length === 1 ? fresh(this.values[0]) : fresh(pick(rng, this.values));
  }
  accepts(value: unknown): boolean {
    return this.values.some((each) => sameJson(each, value));
  }
  override isDisjointFrom(other: SchemaNode): boolean {
    return !this.values.some((each) => other.accepts(each));
  }
  simplest(): unknown {
    return fresh(this.values[0]);
  }
  breadth(): number {
    return this.values.length;
  }
  edge(index: number): unknown {
    return fresh(this.values[index % this.values.length]);
  }
  *smaller(value: unknown): Generator<fc.Value<unknown>> {
    for (const each of this.values) {
      if (sameJson(each, value)) return;
      yield step(fresh(each), undefined);
    }
  }
}

export interface NumberRange {
  /** Both inclusive and reachable. */
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
  readonly multipleOf: number | undefined;
  readonly accepts: (value: number) => boolean;
}

const LANDMARKS = [0, 1, -1, 255, 256, 65535, 65536, 2147483647, 2147483648, 4294967295, 4294967296];
const FRACTIONS = [0.1, -0.5, 1.5, 1e-7, 123456.789, 1e21];

/** `integer` and `number`. Shrinks towards zero, or the bound nearest to it. */
export class NumberNode extends SchemaNode {
  readonly range: NumberRange;
  readonly edges: readonly number[];
  private readonly settings: NodeSettings;
  private readonly target: number;

  constructor(range: NumberRange, settings: NodeSettings) {
    super();
    this.range = range;
    this.settings = settings;
    const { min, max } = range;
    const unit = range.multipleOf ?? 1;
    const listed = [min, max, min + unit, max - unit, ...LANDMARKS, -2147483648, ...(range.integer ? [] : FRACTIONS)];
    const fitted = listed.map((value) => this.snap(value)).filter((value) => range.accepts(value));
    this.edges = [...new Set(fitted)];
    this.target = this.snap(Math.min(Math.max(0, min), max));
  }
  get possible(): boolean {
    return this.edges.length > 0 && this.range.accepts(this.target);
  }
  private snap(value: number): number {
    const { min, max, multipleOf, integer } = this.range;
    const bounded = Math.min(Math.max(value, min), max);
    if (multipleOf === undefined) return integer ? Math.trunc(bounded) + 0 : bounded + 0;
    let times = Math.round(bounded / multipleOf);
    if (times * multipleOf > max) times--;
    if (times * multipleOf < min) times++;
    return times * multipleOf + 0;
  }
  measure(): number {
    return 0;
  }
  make(rng: fc.Random): unknown {
    if (this.settings.edges === 'often' && oneIn(rng, 5)) return pick(rng, this.edges);
    const { min, max, integer } = this.range;
    for (let attempt = 0; attempt < 20; attempt++) {
      const reach = oneIn(rng, 2) ? 1000 : oneIn(rng, 2) ? 1e6 : Number.MAX_SAFE_INTEGER;
      const low = Math.max(Math.ceil(min), this.target - reach, Number.MIN_SAFE_INTEGER);
      const high = Math.min(Math.floor(max), this.target + reach, Number.MAX_SAFE_INTEGER);
      let value = low <= high ? rng.nextInt(Math.ceil(low), Math.floor(high)) : min + (max - min) * unitInterval(rng);
      if (!integer && oneIn(rng, 2)) value = value / pick(rng, [2, 8, 10, 100, 1000]);
      value = this.snap(value);
      if (this.range.accepts(value)) return value;
    }
    return pick(rng, this.edges);
  }
  accepts(value: unknown): boolean {
    return typeof value === 'number' && this.range.accepts(value);
  }
  simplest(): unknown {
    return this.target;
  }
  breadth(): number {
    return this.edges.length;
  }
  edge(index: number): unknown {
    return this.edges[index % this.edges.length];
  }
  *smaller(value: unknown, context: unknown): Generator<fc.Value<unknown>> {
    const current = value as number;
    const target = this.target;
    if (current === target) return;
    const unit = this.range.multipleOf ?? 1;
    if (!Number.isInteger(current / unit)) {
      const whole = [target, Math.trunc(current)];
      for (const digits of [1, 2, 3]) whole.push(Number(current.toFixed(digits)));
      for (const each of new Set(whole.map((candidate) => candidate + 0))) {
        if (each === current) return;
        if (String(each).length < String(current).length && this.range.accepts(each)) yield step(each, undefined);
      }
      return;
    }
    const passing = typeof context === 'number' ? context : undefined;
    let bound = passing ?? target;
    if (passing === undefined) yield step(target, undefined);
    for (let gap = Math.trunc((current - bound) / unit / 2); ; gap = Math.trunc(gap / 2)) {
      const candidate = current - (gap === 0 ? Math.sign(current - target) : gap) * unit;
      if (Math.abs(candidate - target) >= Math.abs(current - target)) return;
      if (candidate !== target && candidate !== bound && this.range.accepts(candidate)) {
        yield step(candidate, bound);
        bound = candidate;
      }
      if (gap === 0) return;
    }
  }
}

function unitInterval(rng: fc.Random): number {
  return rng.nextInt(0, 2 ** 30) / 2 ** 30;
}

const ANY_EDGES: readonly unknown[] = [
  null,
  false,
  true,
  0,
  -1.5,
  '',
  'text',
  [],
  {},
  [null, { a: [1] }],
  { a: { b: '\u{1f600}' } },
];

/** A place that allows any JSON value. */
export class AnyNode extends SchemaNode {
  measure(): number {
    return 0;
  }
  make(rng: fc.Random): unknown {
    return fresh(pick(rng, ANY_EDGES));
  }
  accepts(): boolean {
    return true;
  }
  simplest(): unknown {
    return null;
  }
  breadth(): number {
    return ANY_EDGES.length;
  }
  edge(index: number): unknown {
    return fresh(ANY_EDGES[index % ANY_EDGES.length]);
  }
  *smaller(value: unknown): Generator<fc.Value<unknown>> {
    if (value === null) return;
    yield step(null, undefined);
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        yield step(value.toSpliced(index, 1), undefined);
        for (const part of this.smaller(value[index])) yield step(value.with(index, part.value_), undefined);
      }
    } else if (isJsonObject(value)) {
      for (const [name, part] of Object.entries(value)) {
        const rest = Object.entries(value).filter(([other]) => other !== name);
        yield step(Object.fromEntries(rest), undefined);
        for (const less of this.smaller(part)) {
          yield step(Object.fromEntries([...rest, [name, less.value_]]), undefined);
        }
      }
    } else if (typeof value === 'string' && value !== '') {
      yield step('', undefined);
      const points = [...value];
      if (points.length > 1) {
        for (let index = 0; index < points.length; index++) yield step(points.toSpliced(index, 1).join(''), undefined);
      }
    } else if (value === true) {
      yield step(false, undefined);
    } else if (typeof value === 'number' && value !== 0) {
      yield step(0, undefined);
      if (Math.abs(value) > 1) yield step(Math.trunc(value / 2), undefined);
    }
  }
}
