import { formatDescriptions } from './formats.ts';
import type { FormatName } from './formats.ts';
import type { JsonType } from './schemas.ts';
import type { JsonValue } from './json-value.ts';

/** The rule of a schema that a value breaks: what code decides on, while {@link formatRule} describes it to people. */
export type BrokenRule =
  | { readonly keyword: 'type'; readonly types: readonly JsonType[] }
  | { readonly keyword: 'enum'; readonly values: readonly JsonValue[] }
  | { readonly keyword: 'required'; readonly field: string }
  /** `isListed`: one branch of the schema forbids the field by name, and another may allow it. */
  | { readonly keyword: 'no-such-field'; readonly isListed: boolean }
  | { readonly keyword: 'one-field-of'; readonly fields: readonly string[]; readonly given: readonly string[] }
  | { readonly keyword: 'minimum' | 'maximum' | 'minLength' | 'minItems' | 'maxItems'; readonly limit: number }
  | { readonly keyword: 'maxLength'; readonly limit: number; readonly length: number }
  | { readonly keyword: 'format'; readonly format: FormatName }
  | { readonly keyword: 'pattern'; readonly pattern: string }
  /** Only the validator states it. */
  | { readonly keyword: 'other'; readonly message: string };

const typeTexts: Record<JsonType, string> = {
  null: 'null',
  boolean: 'true or false',
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  array: 'an array',
  object: 'an object',
};

/** The demand of a rule, to be read after "expected". */
export function formatRule(rule: BrokenRule): string {
  switch (rule.keyword) {
    case 'type':
      return alternatives(rule.types.map((type) => typeTexts[type]));
    case 'enum':
      return listed(rule.values.map(plainly));
    case 'required':
      return `a field ${rule.field}`;
    case 'no-such-field':
      return 'no such field';
    case 'one-field-of':
      return `exactly one of ${rule.fields.join(', ')}`;
    case 'minimum':
      return `at least ${rule.limit}`;
    case 'maximum':
      return `at most ${rule.limit}`;
    case 'minLength':
      return rule.limit === 1 ? 'a non-empty string' : `at least ${plural(rule.limit, 'character')}`;
    case 'maxLength':
      return `at most ${plural(rule.limit, 'character')} (it has ${rule.length})`;
    case 'minItems':
      return `at least ${plural(rule.limit, 'item')}`;
    case 'maxItems':
      return rule.limit === 0 ? 'no items' : `at most ${plural(rule.limit, 'item')}`;
    case 'format':
      return formatDescriptions[rule.format];
    case 'pattern':
      return `a string that matches ${rule.pattern}`;
    case 'other':
      return rule.message;
  }
}

function alternatives(texts: readonly string[]): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`;
}

function listed(values: readonly string[]): string {
  return values.length === 1 ? values.join('') : `one of ${values.join(', ')}`;
}

function plainly(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
