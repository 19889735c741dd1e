import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema, SchemaError } from '../../generators/from-schema.ts';
import { edgeCases } from '../../generators/edge-cases.ts';
import { schemas } from '../../specs/schemas.ts';
import { expectLaws, validator } from './laws.ts';

describe('every schema of specs', () => {
  it.each(Object.entries(schemas))('%s: valid, repeatable, shrinks through valid values', (_name, schema) => {
    const isValid = validator(schema);
    expectLaws(fromSchema(schema), isValid);
    expectLaws(fromSchema(schema, { edges: 'never' }), isValid, 30);
    for (const value of edgeCases(schema)) expect(isValid(value)).toBe(true);
  });
});

const text = { type: 'string' } as const;
const usable: Record<string, object | boolean> = {
  anything: true,
  'code points, not UTF-16 units': { type: 'string', minLength: 3, maxLength: 3 },
  'a pattern with bounds': { type: 'string', pattern: '^[a-z]*$', minLength: 2, maxLength: 5 },
  'a pattern without anchors': { type: 'string', pattern: 'ab+', maxLength: 12 },
  'two patterns': { allOf: [{ type: 'string', pattern: '^[ab]{1,6}$' }, { pattern: 'a' }] },
  'a format with a pattern': { type: 'string', format: 'date', pattern: '^202[0-9]-' },
  formats: {
    type: 'array',
    items: {
      anyOf: [
        'email',
        'uri',
        'uuid',
        'date',
        'date-time',
        'svc-utc-timestamp',
        'svc-local-timestamp',
        'svc-timestamp',
      ].map((format) => ({ type: 'string', format })),
    },
  },
  integers: { type: 'integer', minimum: -3, exclusiveMaximum: 9007199254740991 },
  'multiples of an integer': { type: 'integer', multipleOf: 7, minimum: 1, maximum: 100 },
  'multiples of a fraction': { type: 'number', multipleOf: 0.25, exclusiveMinimum: 0, maximum: 10 },
  numbers: { type: 'number', exclusiveMinimum: -1.5, maximum: 0.1 },
  'numbers without bounds': { type: 'number' },
  'several types': { type: ['string', 'integer', 'null', 'boolean', 'array'], minLength: 1, minimum: 4, items: text },
  'const and enum': { enum: [1, 'a', null, { a: [1] }] },
  'unique items': { type: 'array', uniqueItems: true, minItems: 2, maxItems: 4, items: { enum: [1, 2, 3, 4, 5] } },
  tuples: { type: 'array', prefixItems: [text, { type: 'integer' }], items: false, minItems: 1 },
  'tuples with a rest': { type: 'array', prefixItems: [{ const: 1 }], items: { type: 'boolean' }, maxItems: 4 },
  maps: {
    type: 'object',
    propertyNames: { pattern: '^[a-z.]+$', maxLength: 8 },
    minProperties: 1,
    maxProperties: 3,
    additionalProperties: text,
  },
  'a count of fields': {
    type: 'object',
    properties: { a: text, b: text, c: text, d: text },
    minProperties: 2,
    maxProperties: 3,
    additionalProperties: false,
  },
  'a field that must not be there': {
    oneOf: [
      { type: 'object', required: ['a'], properties: { a: text, b: false } },
      { type: 'object', required: ['b'], properties: { b: text, a: false } },
    ],
  },
  'one target of several': {
    type: 'object',
    properties: { phone: text, email: text, x: { type: 'integer' } },
    oneOf: [{ required: ['phone'] }, { required: ['email'] }],
  },
  'overlap that can be distinguished': {
    oneOf: [
      { type: 'integer', minimum: 0, maximum: 100 },
      { type: 'integer', minimum: 90, maximum: 200 },
    ],
  },
  'allOf over $ref': {
    $defs: { base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
    allOf: [{ $ref: '#/$defs/base' }, { properties: { a: { minLength: 2, type: 'string' }, b: { type: 'null' } } }],
  },
  'oneOf within allOf': {
    allOf: [
      { oneOf: [{ type: 'string' }, { type: 'integer' }] },
      {
        anyOf: [
          { type: 'integer', minimum: 5 },
          { type: 'string', maxLength: 2 },
        ],
      },
    ],
  },
  trees: {
    $defs: {
      tree: {
        type: 'object',
        required: ['name', 'children'],
        properties: { name: text, children: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/tree' } } },
      },
    },
    $ref: '#/$defs/tree',
  },
  'a recursive choice': {
    $defs: { v: { oneOf: [{ type: 'array', items: { $ref: '#/$defs/v' } }, { type: 'null' }] } },
    $ref: '#/$defs/v',
  },
};

describe('keywords', () => {
  it.each(Object.entries(usable))('%s', (_name, schema) => {
    const isValid = validator(schema);
    expectLaws(fromSchema(schema), isValid);
    for (const value of edgeCases(schema)) expect(isValid(value), JSON.stringify(value)).toBe(true);
  });
  it('$ref reaches other files by $id, and relative to its own file', () => {
    const inner = {
      $id: 'https://x.example/deep/inner.json',
      $defs: { n: { type: 'integer', minimum: 7, maximum: 9 } },
      $ref: '#/$defs/n',
    };
    const middle = {
      $id: 'https://x.example/deep/middle.json',
      type: 'array',
      minItems: 1,
      items: { $ref: 'inner.json' },
    };
    const outer = {
      $id: 'https://x.example/outer.json',
      type: 'object',
      required: ['a', 'b'],
      properties: { a: { $ref: 'deep/middle.json' }, b: { $ref: 'deep/inner.json#/$defs/n' } },
    };
    expectLaws(fromSchema(outer, { refs: [inner, middle] }), validator(outer, [inner, middle]));
  });
  it('generates each branch, null and missing fields within a few hundred values', () => {
    const values = fc.sample(fromSchema<{ data: { autoReply: { state: string } } }>(schemas.messageReceived), {
      seed: 1,
      numRuns: 300,
    });
    expect(new Set(values.map((value) => value.data.autoReply.state))).toEqual(new Set(['on', 'paused', 'off']));
  });
  it('omits U+0000 and __proto__ by default', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } };
    const all = (options: object): string =>
      JSON.stringify([
        ...edgeCases(schema, options),
        ...fc.sample(fromSchema(schema, options), { seed: 1, numRuns: 500 }),
      ]);
    expect(all({})).not.toMatch(/\\u0000|__proto__/);
    expect(all({ nul: true, prototypeNames: true })).toMatch(/\\u0000[^]*/);
    expect(all({ nul: true, prototypeNames: true })).toMatch(/__proto__/);
  });
  it('generates no lone surrogate', () => {
    const schema = { type: 'array', items: { type: 'string', maxLength: 3 } };
    for (const value of [
      ...edgeCases(schema),
      ...fc.sample(fromSchema(schema), { seed: 2, numRuns: 500 }),
    ] as string[][]) {
      for (const each of value) expect(each.isWellFormed()).toBe(true);
    }
  });
});

describe('overrides', () => {
  const schema = {
    type: 'object',
    required: ['id', 'items'],
    properties: {
      id: { type: 'integer' },
      items: {
        type: 'array',
        minItems: 1,
        items: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } },
      },
    },
  };
  it('replace one place, items and any depth', () => {
    const values = fc.sample(
      fromSchema<{ id: number; items: { id: number }[] }>(schema, {
        overrides: { '/**/id': fc.constant(5), '/id': fc.constantFrom(1, 2) },
      }),
      { seed: 1, numRuns: 50 },
    );
    for (const value of values) {
      expect([1, 2]).toContain(value.id);
      expect(value.items.every((item) => item.id === 5)).toBe(true);
    }
  });
  it('shrink with the arbitrary that made them, also one that needs its own context', () => {
    const arbitrary = fromSchema<{ id: number }>(schema, {
      overrides: { '/id': fc.integer({ min: 10, max: 1000 }).map((n) => n * 2) },
    });
    const result = fc.check(
      fc.property(arbitrary, (value) => value.id < 300),
      { seed: 1 },
    );
    expect(result.counterexample?.[0]).toEqual({ id: 300, items: [{ id: 0 }] });
  });
  it('must match a place, and values that the schema allows', () => {
    expect(() => fromSchema(schema, { overrides: { '/idd': fc.constant(1) } })).toThrow(/\/idd matches no place/);
    expect(() => fc.sample(fromSchema(schema, { overrides: { '/id': fc.constant('x') } }), 1)).toThrow(
      /made "x", which the schema does not allow/,
    );
  });
});

const refused: [string, object | boolean, string, string][] = [
  [
    'an unknown keyword',
    { type: 'object', properties: { a: { type: 'string', contentEncoding: 'base64' } } },
    '/properties/a',
    'contentEncoding',
  ],
  ['not', { not: { type: 'null' } }, '', 'not'],
  ['patternProperties', { type: 'object', patternProperties: {} }, '', 'patternProperties'],
  ['a keyword of another type', { type: 'integer', minLength: 1 }, '', 'minLength'],
  ['a keyword without a type', { minLength: 1 }, '', 'minLength'],
  ['an unknown format', { type: 'string', format: 'phone' }, '', 'format'],
  ['an unknown type', { type: 'text' }, '', 'type'],
  ['crossed lengths', { type: 'string', minLength: 3, maxLength: 2 }, '', 'minLength'],
  ['crossed bounds', { type: 'integer', exclusiveMinimum: 3, exclusiveMaximum: 4 }, '', 'exclusiveMinimum'],
  ['crossed counts', { type: 'array', items: true, minItems: 2, maxItems: 1 }, '', 'minItems'],
  ['no multiple in reach', { type: 'integer', multipleOf: 10, minimum: 1, maximum: 9 }, '', 'multipleOf'],
  ['an empty enum', { enum: [] }, '', 'enum'],
  ['an enum against its type', { type: 'string', enum: ['a', 1] }, '', 'enum'],
  ['types that exclude each other', { allOf: [{ type: 'string' }, { type: 'integer' }] }, '/allOf/1', 'type'],
  ['enums that exclude each other', { allOf: [{ enum: [1] }, { enum: [2] }] }, '/allOf/1', 'enum'],
  [
    'a required field that is not allowed',
    { type: 'object', required: ['b'], properties: { a: true }, additionalProperties: false },
    '',
    'required',
  ],
  [
    'a field that another part forbids',
    { allOf: [{ type: 'object', properties: { a: true }, additionalProperties: false }, { properties: { b: true } }] },
    '/allOf/0',
    'additionalProperties',
  ],
  [
    'branches that cannot be distinguished',
    { oneOf: [{ type: 'string' }, { type: 'string', maxLength: 5 }] },
    '',
    'oneOf',
  ],
  ['a reference to nothing', { $ref: '#/$defs/none' }, '/$ref', '$ref'],
  ['a reference to an unknown file', { $ref: 'https://x.example/none.json' }, '/$ref', '$ref'],
  [
    'an infinitely nested value',
    { $defs: { a: { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/a' } } } }, $ref: '#/$defs/a' },
    '',
    '$ref',
  ],
  ['a reference to itself', { $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }, '/$defs/a', '$ref'],
  ['a pattern that no length fits', { type: 'string', pattern: '^[a-z]{5}$', maxLength: 3 }, '', 'pattern'],
  ['a broken pattern', { type: 'string', pattern: '(' }, '', 'pattern'],
  ['nothing', false, '', 'false'],
];

describe('errors name the place, the keyword and the fix', () => {
  it.each(refused)('%s', (_name, schema, pointer, keyword) => {
    const named = typeof schema === 'object' ? { $id: 'https://x.example/s.json', ...schema } : schema;
    let thrown: unknown;
    try {
      fromSchema(named);
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(SchemaError);
    const error = thrown as SchemaError;
    expect({ pointer: error.pointer, keyword: error.keyword }).toEqual({ pointer, keyword });
    expect(error.message).toMatch(typeof schema === 'object' ? /^https:\/\/x\.example\/s\.json#/ : /^\(no \$id\)#/);
    expect(error.message.split('. ').length).toBeGreaterThanOrEqual(2);
  });
});
