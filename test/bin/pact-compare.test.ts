import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparisonJson, comparisonOf, renderComparison, type Comparison } from '../../bin/comparison-view.ts';
import { pactFile, type Expectation } from '../contracts/consumer-contracts.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const me: Expectation = {
  description: 'the inbox of a key',
  path: '/v1/me',
  responseBody: { workspaceId: 1 },
  rules: { $: { match: 'type' } },
};
const open: Expectation = { description: 'no key', headers: {}, path: '/v1/me', status: 401 };
const wrong: Expectation = { ...me, description: 'a plan', responseBody: { plan: 'pro' } };
const unknown: Expectation = { ...me, description: 'other words', states: ['customer is known'] };

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  await writeFile(directory.at('good.json'), pactFile(4, [me, open]));
  await writeFile(directory.at('wrong.json'), pactFile(3, [wrong, unknown]));
  await writeFile(directory.at('unknown.json'), pactFile(2, [unknown]));
  await writeFile(directory.at('states.yaml'), 'customer is known: a contact exists\n');
  await writeFile(directory.at('none.json'), '{}');
});
afterAll(() => directory[Symbol.asyncDispose]());

const compare = (...args: string[]) => runCommand(['pact', 'compare', ...args], { cwd: directory.path });

describe('pact compare', () => {
  it('ends with 0 when the interface provides everything, and reports what depends on points that are not shown', async () => {
    const { code, stdout } = await compare('good.json');
    expect(stdout).toContain('✓ the inbox of a key');
    expect(stdout).toContain('~ no key');
    expect(stdout).toContain('at /interactions/1/response/status');
    expect(stdout).toContain('2 interactions: 1 passed, 1 passed with open points.');
    expect(code).toBe(0);
  });

  it('ends with 1 for expectations that the interface does not meet, and prints only JSON', async () => {
    const { code, stdout } = await compare('good.json', 'wrong.json', '--json');
    const comparison = JSON.parse(stdout) as Comparison;
    expect(comparison).toMatchObject({
      schemaVersion: 1,
      verdict: 'not-provided',
      summary: { interactions: 4, provided: 1, assumed: 1, 'not-provided': 1, 'not-judged': 1 },
      contracts: [
        { file: 'good.json' },
        { file: 'wrong.json', interactions: [{ verdict: 'not-provided' }, { replayed: false }] },
      ],
    });
    expect(code).toBe(1);
  });

  it('ends with 3 for an unknown state, and with 0 once its meaning is configured', async () => {
    expect(await compare('unknown.json')).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('the nearest'),
    });
    expect((await compare('unknown.json', '--states', 'states.yaml')).code).toBe(0);
  });

  it.each([
    [['none.json'], 'none.json: /consumer/name: expected the name of a system, received nothing.'],
    [['missing.json'], 'missing.json cannot be read: there is no such file or directory. Expected a Pact file.'],
    [
      ['good.json', '--states', 'missing.yaml'],
      'missing.yaml cannot be read: there is no such file or directory. Expected a file with states.',
    ],
  ])('ends with 2 for input that is not a contract: %j', async (args, message) => {
    const { code, stderr, stdout } = await compare(...args);
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(code).toBe(2);
  });
});

const hostile: Comparison = comparisonOf([
  {
    file: 'a\u001b[31m.json',
    consumer: 'crm\u0007',
    provider: '\u202eapi',
    pactVersion: 4,
    verdict: 'not-provided',
    interactions: [
      {
        index: 0,
        description: 'x\n::error::y\u001b]0;z',
        states: ['\u0000'],
        request: 'GET /v1/\u009b',
        verdict: 'not-provided',
        replayed: false,
        findings: [
          {
            kind: 'not-provided',
            place: 'path',
            pointer: '/interactions/0/request/path',
            expected: '\u001b[2J',
            received: '\u200b',
            advice: 'Fix it.',
          },
        ],
      },
    ],
  },
]);

describe('text of a contract', () => {
  it('has no effect on a terminal', () => {
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202e]/;
    const text = renderComparison(hostile, { colour: false, width: 80 });
    expect(text).not.toMatch(acting);
    expect(text).toContain('⟨U+001B⟩[2J');
    expect(text.split('\n').filter((line) => line.startsWith('::'))).toEqual([]);
    expect(comparisonJson(hostile)).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(comparisonJson(hostile))).toEqual(hostile);
  });
});
