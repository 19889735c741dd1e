import fc from 'fast-check';
import { sameJson } from './json-values.ts';
import { isJsonObject } from '../specs/json-object.ts';

export interface WireFormOptions {
  /**
   * Whether numbers may also be written in other forms (`1.0`, `1e0`). Default: true. Some parsers do not read `1.0`
   * as an integer, so turn it off where the value matters and the bytes do not.
   */
  readonly numbers?: boolean;
  /** Whether the result must differ from `JSON.stringify(value)`. Default: true. */
  readonly different?: boolean;
}

/**
 * The same JSON value in other bytes: white space, field order, escapes, number forms. `JSON.parse` of the result
 * gives an equal value, and no field occurs twice. Shrinks towards `JSON.stringify(value)`. A signature covers these
 * bytes and no others (interface: Authentication).
 */
export function wireForm(value: unknown, options: WireFormOptions = {}): fc.Arbitrary<string> {
  return new WireForm(value, options.numbers ?? true, options.different ?? true);
}

/** Picks one of `options` forms; 0 is the form of JSON.stringify. The number of calls depends only on the value. */
type Choose = (options: number) => number;

class WireForm extends fc.Arbitrary<string> {
  private readonly value: unknown;
  private readonly numbers: boolean;
  private readonly different: boolean;
  private readonly plain: string;

  constructor(value: unknown, numbers: boolean, different: boolean) {
    super();
    const plain = JSON.stringify(value) as string | undefined;
    if (plain === undefined) throw new TypeError(`expected a JSON value, received ${typeof value}`);
    this.plain = plain;
    this.value = JSON.parse(plain);
    this.numbers = numbers;
    this.different = different;
  }
  generate(rng: fc.Random): fc.Value<string> {
    const share = [5, 30, 100][rng.nextInt(0, 2)] as number;
    const choices: number[] = [];
    const text = this.write((options) => {
      const choice = options > 1 && rng.nextInt(1, 100) <= share ? rng.nextInt(1, options - 1) : 0;
      choices.push(choice);
      return choice;
    });
    if (text !== this.plain || !this.different) return new fc.Value(text, choices);
    choices[choices.length - 1] = 1;
    return new fc.Value(this.replay(choices), choices);
  }
  canShrinkWithoutContext(value: unknown): value is string {
    if (typeof value !== 'string') return false;
    try {
      return sameJson(JSON.parse(value), this.value);
    } catch {
      return false;
    }
  }
  shrink(text: string, context: unknown): fc.Stream<fc.Value<string>> {
    if (context !== undefined) return fc.stream(this.fewerChoices(context as readonly number[]));
    return this.different || text === this.plain ? fc.Stream.nil() : fc.Stream.of(new fc.Value(this.plain, undefined));
  }
  private *fewerChoices(choices: readonly number[]): IterableIterator<fc.Value<string>> {
    const made = choices.flatMap((choice, index) => (choice === 0 ? [] : [index]));
    for (let size = made.length; size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < made.length; from += size) {
        const fewer = choices.slice();
        for (const index of made.slice(from, from + size)) fewer[index] = 0;
        yield* this.step(fewer);
      }
    }
    for (const index of made) {
      const simpler = choices.slice();
      if (simpler[index] !== 1) {
        simpler[index] = 1;
        yield* this.step(simpler);
      }
    }
  }
  private *step(choices: readonly number[]): IterableIterator<fc.Value<string>> {
    const text = this.replay(choices);
    if (text !== this.plain || !this.different) yield new fc.Value(text, choices);
  }
  private replay(choices: readonly number[]): string {
    let next = 0;
    return this.write(() => choices[next++] ?? 0);
  }
  private write(choose: Choose): string {
    return space(choose) + this.element(this.value, choose) + space(choose);
  }
  private element(value: unknown, choose: Choose): string {
    if (typeof value === 'string') return writeString(value, choose);
    if (typeof value === 'number') return this.numbers ? writeNumber(value, choose) : JSON.stringify(value);
    if (Array.isArray(value)) {
      const items = value.map((item) => space(choose) + this.element(item, choose) + space(choose));
      return `[${items.join(',')}${items.length === 0 ? space(choose) : ''}]`;
    }
    if (!isJsonObject(value)) return JSON.stringify(value);
    const fields = Object.entries(value).map(([name, field]) => {
      const key = space(choose) + writeString(name, choose) + space(choose);
      return `${key}:${space(choose)}${this.element(field, choose)}${space(choose)}`;
    });
    const order = fields.length > 1 ? choose(ORDERS) : 0;
    return `{${ordered(fields, order).join(',')}${fields.length === 0 ? space(choose) : ''}}`;
  }
}

const SPACES = ['', ' ', '\n', '\t', '\r\n', '  \r'];
const ORDERS = 8;

function space(choose: Choose): string {
  return SPACES[choose(SPACES.length)] as string;
}

/** 0: unchanged, 1: reversed; any other number rotates by that many places. */
function ordered(fields: readonly string[], order: number): readonly string[] {
  if (order === 0) return fields;
  if (order === 1) return fields.toReversed();
  const turn = (order - 1) % fields.length;
  return [...fields.slice(turn), ...fields.slice(0, turn)];
}

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

function writeString(text: string, choose: Choose): string {
  let written = '"';
  for (const character of text) {
    const plain = JSON.stringify(character).slice(1, -1);
    const lower = [...Array(character.length).keys()]
      .map((unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`)
      .join('');
    const forms = new Set([plain, lower, lower.toUpperCase().replaceAll('\\U', '\\u')]);
    if (SHORT[character] !== undefined) forms.add(SHORT[character]);
    written += [...forms][choose(forms.size)] as string;
  }
  return `${written}"`;
}

/** RFC 8259, section 6. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function writeNumber(value: number, choose: Choose): string {
  const plain = JSON.stringify(value);
  const forms = new Set([plain]);
  if (/^-?\d+$/.test(plain)) {
    for (const end of ['.0', 'e0', 'E+0', '.000', '.0e-0', '0e-1', '00E-2']) forms.add(plain + end);
    if (/0$/.test(plain) && value !== 0) forms.add(`${plain.slice(0, -1)}e1`);
  } else if (/\.\d+$/.test(plain)) {
    const point = plain.indexOf('.');
    const digits = plain.length - point - 1;
    for (const form of [`${plain}0`, `${plain}e0`, `${plain}E+00`, value.toExponential()]) forms.add(form);
    const whole = plain.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');
    forms.add(`${whole}e-${digits}`);
  } else {
    forms.add(plain.replace('e', 'E'));
    forms.add(plain.replace(/e\+?/, 'e+').replace('e+-', 'e-0'));
  }
  const exact = [...forms].filter((form) => NUMBER.test(form) && Object.is(Number(form), value));
  return exact[choose(exact.length)] ?? plain;
}
