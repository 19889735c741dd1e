import { createRequire } from 'node:module';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeCases } from '../../generators/edge-cases.ts';
import { compileValidators } from '../../scripts/compile-validators.ts';
import { formats } from '../../specs/formats.ts';
import { schemas, type SchemaName } from '../../specs/schemas.ts';
import { matchesSchema } from '../../specs/validators.ts';

type Validators = Record<SchemaName, (value: unknown) => boolean>;

// In node_modules: the compiled module requires a part of Ajv.
const cache = fileURLToPath(new URL('../../node_modules/', import.meta.url));
let directory: string;
let compiled: Validators;

beforeAll(async () => {
  directory = await mkdtemp(join(cache, '.validators-'));
  const file = join(directory, 'validators.cjs');
  await writeFile(file, compileValidators());
  compiled = (createRequire(import.meta.url)(file) as (given: typeof formats) => Validators)(formats);
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the validators that the build compiles', () => {
  it('are those of every schema', () => {
    expect(Object.keys(compiled).sort()).toEqual(Object.keys(schemas).sort());
  });

  it.each<SchemaName>(['crmEvent', 'messageReceived', 'apiWebhookEvent', 'chatAnswer'])(
    'accept and reject the same values of %s as the sources',
    (name) => {
      const valid = edgeCases<object>(schemas[name], { seed: 7 });
      const altered = valid.flatMap((value) =>
        Object.keys(value).map((key) => ({ ...value, [key]: { unexpected: ['type'] } })),
      );
      const verdicts = (accepts: (value: unknown) => boolean) => [...valid, ...altered].map((value) => accepts(value));
      const expected = verdicts((value) => matchesSchema(name, value));
      expect(new Set(expected)).toEqual(new Set([true, false]));
      expect(verdicts(compiled[name])).toEqual(expected);
    },
  );
});
