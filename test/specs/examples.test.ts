import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { generateExamples } from '../../scripts/generate-examples.ts';
import { schemaExamples } from '../../specs/schema-examples.ts';
import { schemas } from '../../specs/schemas.ts';
import type { JsonValue, SchemaName } from '../../specs/schemas.ts';
import { validate, violationText } from '../../specs/validators.ts';

const names = Object.keys(schemas) as SchemaName[];
/** Read and written by svc-conform only: the plainest will do. */
const ours: readonly SchemaName[] = ['config', 'report', 'runEvent', 'scenario'];
const sized = (name: SchemaName, size: string) =>
  schemaExamples(name).find((example) => example.name === `${name}${size}`)?.value;

describe('the examples of the schemas', () => {
  it('are those that the schemas give now (node scripts/generate-examples.ts renews them)', async () => {
    const text = await readFile(new URL('../../specs/examples.json', import.meta.url), 'utf8');
    expect(text === (await generateExamples()), 'specs/examples.json is stale: node scripts/generate-examples.ts').toBe(
      true,
    );
  });

  it.each(names)('of %s hold, differ, and have names of their own', (name) => {
    const examples = schemaExamples(name);
    for (const { name: title, value } of examples) expect(validate(name, value).map(violationText), title).toEqual([]);
    expect(examples.length).toBeGreaterThan(0);
    expect(new Set(examples.map((example) => example.name)).size).toBe(examples.length);
    expect(new Set(examples.map(({ value }) => JSON.stringify(value))).size).toBe(examples.length);
  });

  it.each(names.filter((name) => schemas[name].properties !== undefined && !ours.includes(name)))(
    'of %s are with nothing that may be left out, and with everything that may be there at once',
    (name) => {
      const { properties = {}, required = [], oneOf } = schemas[name];
      const all = schemaExamples(name).map(({ value }) => Object.keys(value as object));
      const least = Math.min(...all.map((members) => members.length));
      expect(least).toBe(required.length + (oneOf === undefined ? 0 : 1));
      const members = Object.keys(properties);
      if (oneOf === undefined)
        expect(all.some((found) => members.every((member) => found.includes(member)))).toBe(true);
      else expect(new Set(all.flat()).size).toBeGreaterThan(required.length + 1);
    },
  );

  it('are to be read: plain words, and one conversation throughout', () => {
    const ids: Record<string, Set<JsonValue>> = { projectId: new Set(), phone: new Set(), replyUrl: new Set() };
    const look = (value: JsonValue, name: string): void => {
      // eslint-disable-next-line no-control-regex -- control characters are what it looks for
      if (typeof value === 'string') expect(value).toMatch(/^[^\u0000-\u001f\u007f-\uffff]*$/);
      if (value !== null && name in ids) ids[name]?.add(value);
      if (typeof value === 'object' && value !== null) {
        for (const [member, inner] of Object.entries(value)) look(inner, member);
      }
    };
    for (const name of names.filter((one) => !ours.includes(one))) {
      for (const size of ['Plainest', 'Fullest']) look(sized(name, size) ?? null, name);
    }
    expect(ids).toEqual({
      projectId: new Set([812]),
      phone: new Set(['+4930901820']),
      replyUrl: new Set(['https://api.example.com/v1/projects/812/agent-replies']),
    });
  });
});
