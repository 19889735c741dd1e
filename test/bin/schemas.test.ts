import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asyncApiDocument } from '../../specs/async-api-document.ts';
import { openApiDocument } from '../../specs/open-api-document.ts';
import { schemaExamples } from '../../specs/schema-examples.ts';
import { schemas } from '../../specs/schemas.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

type Json = Record<string, unknown>;
// Untyped: the test changes documents at places whose shape it knows.
type Any = ReturnType<typeof JSON.parse>;

const contractsDirectory = new URL('../../specs/generated/contracts/', import.meta.url);
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let wrote: Awaited<ReturnType<typeof runCommand>>;
const read = async (name: string) => JSON.parse(await readFile(directory.at(name), 'utf8')) as Json;

beforeAll(async () => {
  directory = await temporaryDirectory();
  wrote = await runCommand(['schemas', '--out', 'older'], { cwd: directory.path });
  await runCommand(['schemas', '--out', 'newer'], { cwd: directory.path });
});
afterAll(() => directory[Symbol.asyncDispose]());

describe('schemas', () => {
  it('writes every schema, the OpenAPI and the AsyncAPI document and the contracts, and says so', async () => {
    expect(wrote.code).toBe(0);
    const names = Object.values(schemas).map(({ $id }) => $id.split('/').at(-1) ?? '');
    expect((await readdir(directory.at('older'))).sort()).toEqual(
      [...names, 'openapi.json', 'asyncapi.json', 'contracts'].sort(),
    );
    for (const name of [...names, 'openapi.json', 'asyncapi.json']) expect(wrote.stdout).toContain(name);
    expect(await read('older/openapi.json')).toEqual(openApiDocument());
    expect(await read('older/asyncapi.json')).toEqual(asyncApiDocument());
    const contracts = (await readdir(contractsDirectory)).sort();
    expect((await readdir(directory.at('older/contracts'))).sort()).toEqual(contracts);
    for (const name of contracts) {
      const text = await readFile(directory.at(`older/contracts/${name}`), 'utf8');
      expect(text).toBe(await readFile(new URL(name, contractsDirectory), 'utf8'));
    }
    expect(wrote.stdout).toContain(`${names.length} schemas`);
  });

  it('writes each schema unchanged, with its examples', async () => {
    for (const [name, { $id, examples: _written, ...schema }] of Object.entries(schemas)) {
      const { examples, ...written } = await read(`older/${$id.split('/').at(-1) ?? ''}`);
      expect(written).toEqual({ $id, ...schema });
      expect(examples, name).toEqual(schemaExamples(name as keyof typeof schemas).map(({ value }) => value));
    }
  });
});

describe('schemas diff', () => {
  const diff = (...args: string[]) => runCommand(['schemas', 'diff', ...args], { cwd: directory.path });
  /** Writes one file of the newer version, changed. */
  const change = async (name: string, how: (document: Json) => void, to = `newer/${name}`): Promise<void> => {
    const document = await read(`older/${name}`);
    how(document);
    await writeFile(directory.at(to), JSON.stringify(document));
  };

  it('says that nothing changed', async () => {
    expect(await diff('older', 'newer')).toEqual({
      code: 0,
      stdout: 'No change to the wire format.\n',
      stderr: '',
    });
  });

  it('shows which changes break which party, and which break none, with the reason', async () => {
    await change('message-received.schema.json', ({ $defs }) => {
      const { Channel, ChatContact } = $defs as { Channel: { enum: string[] }; ChatContact: Json };
      Channel.enum.push('email');
      ChatContact['required'] = [];
    });
    await change('note-request.schema.json', (schema) => (schema['required'] = ['text', 'title']));
    const { code, stdout } = await diff('older', 'newer');
    expect(stdout.split('\n')).toEqual([
      'Breaking:',
      '  message-received.schema.json /data/contact/id: is no longer required (breaks an integrator that reads as before)',
      '  note-request.schema.json /title: is required now (breaks an integrator that sends as before)',
      '',
      'Not breaking:',
      '  message-received.schema.json /data/channel: also accepts the value "email" (receivers ignore unknown values)',
      '',
      '3 changes, 2 breaking.',
      '',
    ]);
    expect(code).toBe(1);
  });

  it('counts for the exit code only the side that it is asked for', async () => {
    const files = ['older/prompt.schema.json', 'changed.json'];
    await change('prompt.schema.json', ({ properties }) => ((properties as { text: Json }).text['maxLength'] = 10), files[1]);
    expect((await diff(...files, '--side', 'integrator')).code).toBe(0);
    const { code, stdout } = await diff(...files, '--side', 'service', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      older: files[0],
      newer: files[1],
      side: 'service',
      breaking: true,
      summary: { changes: 1, breaking: 1 },
      changes: [
        {
          document: 'changed.json',
          where: '',
          pointer: '/text',
          rule: 'bound-changed',
          text: 'the maximum length was 4000, is 10',
          sender: { party: 'service', breaking: true },
          reader: { party: 'integrator', breaking: false },
        },
      ],
    });
  }); // prettier-ignore

  it.each<[string, string[], RegExp]>([
    ['a file that is not there', ['older', 'nowhere'], /nowhere cannot be read/],
    ['a directory and a file', ['older', 'older/ping.schema.json'], /a directory and a file/],
    ['two kinds', ['older/openapi.json', 'older/ping.schema.json'], /a document of the kind OpenAPI, .* one of JSON Schema/],
    ['another document', ['package.json', 'older/ping.schema.json'], /package\.json is not a JSON Schema/],
    ['what is not JSON', ['broken.json', 'older/ping.schema.json'], /broken\.json cannot be read as JSON/],
    [
      'a document that is nested too deep',
      ['deep.json', 'older/ping.schema.json'],
      /^deep\.json cannot be read as JSON: it is JSON nested more than 200 levels deep\.$/m,
    ],
    [
      'a dangling reference in the newer file',
      ['older/ping.schema.json', 'lost.json'],
      /^lost\.json .*Expected a schema at nowhere\.json.* next to it/,
    ],
    [
      'an older file without the files that it refers to',
      ['alone/message-response.schema.json', 'newer/message-response.schema.json'],
      /^alone\/message-response\.schema\.json .*api-target\.schema\.json.* Put the files that it refers to next to it/,
    ],
    [
      'a directory without a file that another refers to',
      ['older', 'part'],
      /^part .*api-target\.schema\.json.* Put the files/,
    ],
    [
      'an invalid schema',
      ['older/ping.schema.json', 'strange.json'],
      /^strange\.json .*\/properties\/id\/type.* received "strng"/,
    ],
    [
      'an invalid pattern',
      ['pattern.json', 'older/ping.schema.json'],
      /^pattern\.json .*\/properties\/id\/pattern.* received "\("/,
    ],
    [
      'an OpenAPI document with an invalid schema',
      ['older/openapi.json', 'api.json'],
      /^api\.json .*\/components\/schemas\/NoteRequest\/properties\/text\/type.* received "strng"/,
    ],
    [
      'an AsyncAPI document with an invalid schema',
      ['chat.json', 'older/asyncapi.json'],
      /^chat\.json .*\/components\/messages\/ping\/headers\/required/,
    ],
    [
      'directories that have nothing in common',
      ['older', 'older/contracts'],
      /no file of the same name|contains no JSON file/,
    ],
  ])('refuses %s with a sentence', async (_, args, sentence) => {
    await writeFile(directory.at('package.json'), '{ "name": "x", "type": "module" }');
    await writeFile(directory.at('broken.json'), '{');
    await writeFile(directory.at('deep.json'), `${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    await writeFile(directory.at('lost.json'), '{ "$ref": "nowhere.json" }');
    for (const alone of ['alone', 'part']) {
      await mkdir(directory.at(alone), { recursive: true });
      await change('message-response.schema.json', () => undefined, `${alone}/message-response.schema.json`);
    }
    const ping = (keyword: string, value: string) => (document: Json) =>
      ((document['properties'] as Record<string, Json>)['id']![keyword] = value);
    await change('ping.schema.json', ping('type', 'strng'), 'strange.json');
    await change('ping.schema.json', ping('pattern', '('), 'pattern.json');
    await change('openapi.json', ({ components }: Any) => (components.schemas.NoteRequest.properties.text.type = 'strng'), 'api.json');
    await change('asyncapi.json', ({ components }: Any) => (components.messages.ping.headers.required = 'X'), 'chat.json');
    const { code, stdout, stderr } = await diff(...args);
    expect(stderr).toMatch(sentence);
    expect([code, stdout]).toEqual([2, '']);
  }); // prettier-ignore

  it('compares two versions of a file that lie in one directory, whatever they are called', async () => {
    await mkdir(directory.at('together'), { recursive: true });
    await change('skill-outcome.schema.json', () => undefined, 'together/b.json');
    await change('skill-outcome.schema.json', ({ $defs }: Any) => $defs.SkillRefused.properties.reason.enum.push('held'), 'together/a.json');
    const { code, stdout } = await diff('together/b.json', 'together/a.json');
    expect(stdout).toContain('a.json /reason: also accepts the value "held"');
    expect(code).toBe(1);
    expect((await diff('together/a.json', 'together/b.json')).stdout).toContain('no longer accepts the value "held"');
  }); // prettier-ignore
});
