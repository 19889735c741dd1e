import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownSuiteFiles } from '../../harness/checks/suite-files.ts';
import { validate } from '../../specs/validators.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { AGENT_SECRET: 'whsec_own_suites' };
const example = fileURLToPath(new URL('../../examples/suites/plain-words.suite.ts', import.meta.url));
/** A quick built-in check, so that the rest of the run is about custom suites. */
const ours = 'own-ai-chat/answers-ping';

type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

const head = `import { check, conclude, describe, expect, jsonOf, requirement } from 'svc-conform/suite';
const own = requirement({
  id: 'own-ai-chat/acme-rule', section: 'Handbook', level: 'must', statement: 'It works.', remediation: 'Fix it.',
});
`;
const send = `const answer = await chat.deliver(chat.open(sample.messageReceived()), { label: 'mine' });`;
const checked = (title: string, body: string) =>
  `check(own, '${title}', async ({ chat, sample, notExercised }) => { ${send} ${body} });\n`;

/** Writes suites into a directory and checks a chat with them. */
async function checkWith(
  directory: Directory,
  suites: Readonly<Record<string, string>>,
  flags: readonly string[],
  { url = 'http://127.0.0.1:9/' } = {},
): Promise<Ended> {
  for (const [name, text] of Object.entries(suites)) {
    await mkdir(dirname(directory.at(name)), { recursive: true });
    await writeFile(directory.at(name), text);
  }
  const target = ['--chat-url', url, '--chat-secret', 'env:AGENT_SECRET'];
  return await runCommand(['check', ...target, '--seed', '3', ...flags], { cwd: directory.path, env });
}

async function reportIn(directory: Directory): Promise<Report> {
  const partial = directory.at('conformance-report/partial/report.json');
  const file = existsSync(partial) ? partial : directory.at('conformance-report/report.json');
  const report = JSON.parse(await readFile(file, 'utf8')) as Report;
  expect(validate('report', report)).toEqual([]);
  return report;
}

describe('a run with suites of one’s own', () => {
  let directory: Directory;
  let ended: Ended;
  let report: Report;
  const verdictOf = (title: string) => {
    const { verdict, message, evidence } = report.checks.find((one) => one.title === title) ?? {};
    return { verdict, message, evidence: evidence?.length };
  };

  beforeAll(async () => {
    directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: '{"text":"That is 40 euros."}' }));
    await cp(example, directory.at('plain-words.suite.ts'));
    const suites = {
      // Named and placed like a built-in suite that has a fixed position in the order.
      'suites/own-ai-chat/answers.suite.ts':
        head +
        `import { isRight } from '../../rules.ts';\n` +
        checked('holds', 'expect(isRight(jsonOf(answer))).toBe(true);') +
        checked('fails an assertion of Vitest', `expect(jsonOf(answer)?.text).toBe('Hello');`) +
        checked('fails a matcher', 'expect(answer).toHaveStatus(204);') +
        checked('fails a negated matcher', 'expect(answer).not.toBeAccepted();') +
        checked('fails a soft assertion', `expect.soft(jsonOf(answer)?.text, 'text').toBe('Hello');`) +
        checked('is concluded not to hold', `conclude(answer, { expected: 'more', received: 'less', hint: 'Add.' });`) +
        checked('says the secret', `expect('${env.AGENT_SECRET}').toBe('nothing');`) +
        checked('judges nothing', 'expect(answer);') +
        checked('names a matcher that it never calls', 'expect(answer).toHaveStatus; expect(answer).to.be.an;') +
        checked('names what would fail it', 'expect.fail;') +
        checked('judges by a property', `expect(jsonOf(answer)).to.exist;`) +
        checked('judges by what follows a word that may be called', 'expect([answer]).to.have.length.above(0);') +
        checked('prints an endless string', `expect.fail('x'.repeat(3_000_000) + '${env.AGENT_SECRET}');`) +
        checked('compares an endless string', `conclude(answer, { expected: 'e', received: 'x'.repeat(3_000_000) });`) +
        checked('breaks at length', `throw new Error('x'.repeat(3_000_000));`) +
        checked('contract terms are shown', 'expect(answer).toHaveStatus(204);') +
        checked('breaks', 'answer.nowhere.to.be.found();') +
        checked('has nothing to judge', `notExercised('Nothing of the kind came.');`) +
        `describe.skip('later', () => { ${checked('is omitted', '')} });\n`,
      'forgetful.suite.ts':
        head.replace('acme-rule', 'acme-forgets') +
        checked('forgets to await', `expect(Promise.resolve(1)).resolves.toBe(2);`) +
        checked('runs alongside it', 'expect(answer).toBeAccepted();'),
      'hooked.suite.ts':
        `import { beforeAll } from 'vitest';\nbeforeAll(() => { throw new Error('no database'); });\n` +
        head.replace('acme-rule', 'acme-hooked') +
        checked('is kept from running', 'expect(answer).toBeAccepted();'),
      'hooked-each.suite.ts':
        `import { beforeEach } from 'vitest';\nbeforeEach(() => { throw new Error('not for ${env.AGENT_SECRET}'); });\n` +
        head.replace('acme-rule', 'acme-hooked-each') +
        checked('is kept from its body', 'expect(answer).toBeAccepted();'),
      'rules.ts': 'export const isRight = (body: object | undefined): boolean => body !== undefined;\n',
    };
    const names = ['rule', 'forgets', 'hooked', 'hooked-each', 'names-no-price', 'answers-briefly'];
    const only = [ours, ...names.map((name) => `own-ai-chat/acme-${name}`)].join(',');
    const flags = ['--suites', 'suites/**/*.suite.ts', '--suites', '*.suite.ts', '--only', only];
    ended = await checkWith(directory, suites, flags, endpoint);
    report = await reportIn(directory);
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  it('judges with any assertion, and never passes without one', () => {
    expect(verdictOf('holds')).toEqual({ verdict: 'pass', message: undefined, evidence: 1 });
    expect(verdictOf('fails an assertion of Vitest')).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining("expected 'That is 40 euros.' to be 'Hello'"),
      evidence: 1,
    });
    expect(verdictOf('fails a matcher').message).toMatch(/^expected status 204, received status 200 with/);
    expect(verdictOf('fails a negated matcher')).toMatchObject({
      verdict: 'fail',
      message: expect.stringMatching(/^expected not to be accepted, received exactly that for POST http.* \(mine\)$/),
    });
    expect(verdictOf('fails a soft assertion')).toMatchObject({
      verdict: 'fail',
      message: expect.stringContaining("to be 'Hello'"),
    });
    expect(verdictOf('is concluded not to hold')).toMatchObject({
      verdict: 'fail',
      message: 'expected more, received less',
    });
    for (const title of ['judges nothing', 'names a matcher that it never calls', 'names what would fail it']) {
      expect(verdictOf(title), title).toMatchObject({
        verdict: 'blocked',
        message: expect.stringContaining('without a judgement'),
      });
    }
    expect(verdictOf('judges by a property').verdict).toBe('pass');
    expect(verdictOf('judges by what follows a word that may be called').verdict).toBe('pass');
    expect(verdictOf('has nothing to judge')).toMatchObject({
      verdict: 'not-exercised',
      message: 'Nothing of the kind came.',
    });
  });

  it('does not blame the endpoint for faults of the suite', () => {
    expect(verdictOf('breaks')).toMatchObject({ verdict: 'blocked', message: expect.stringContaining('TypeError') });
    // What was not awaited may belong to any check of its suite.
    for (const title of ['forgets to await', 'runs alongside it']) {
      expect(verdictOf(title)).toMatchObject({
        verdict: 'blocked',
        message: expect.stringMatching(/await|expected 1 to be 2/),
      });
    }
    expect(verdictOf('is kept from running')).toMatchObject({
      verdict: 'blocked',
      message: expect.stringContaining('no database'),
    });
    expect(verdictOf('is omitted')).toMatchObject({ verdict: 'blocked', message: expect.stringContaining('skip') });
  });

  it('has a row for each of its requirements, marked as its own, after those of the interface', () => {
    const own = report.requirements.filter((row) => row.own);
    expect(own.map(({ id, level, verdict }) => [id, level, verdict])).toEqual(
      expect.arrayContaining([
        ['own-ai-chat/acme-rule', 'must', 'fail'],
        ['own-ai-chat/acme-names-no-price', 'must', 'fail'],
        ['own-ai-chat/acme-answers-briefly', 'should', 'pass'],
      ]),
    );
    expect(own).toHaveLength(6);
    expect(own.find(({ id }) => id === 'own-ai-chat/acme-rule')).toMatchObject({
      surface: 'own-ai-chat',
      section: 'Handbook',
      statement: 'It works.',
      remediation: 'Fix it.',
    });
    expect(report.requirements.find(({ id }) => id === ours)).toMatchObject({ verdict: 'pass' });
    expect(report.requirements.find(({ id }) => id === ours)).not.toHaveProperty('own');
  });

  it('fails the run by a custom MUST requirement, and prints how to repeat it', () => {
    expect(ended.code).toBe(1);
    expect(report).toMatchObject({ verdict: 'non-conformant', summary: { fail: 2 } });
    const failed = report.checks.find(({ title }) => title === 'fails a matcher');
    expect(failed?.reproduce).toContain(
      `--suites 'suites/**/*.suite.ts' --suites '*.suite.ts' --only 'own-ai-chat/acme-rule#fails-a-matcher'`,
    );
    expect(ended.stdout).toContain('own-ai-chat/acme-rule');
  });

  it('is not treated as a contract because of its title', () => {
    const failed = report.checks.find(({ title }) => title === 'contract terms are shown');
    expect(failed?.reproduce).toMatch(
      /^npx svc-conform check .*--only 'own-ai-chat\/acme-rule#contract-terms-are-shown'/,
    );
  });

  it('prints only a readable length of a message, and says that it was cut', () => {
    for (const [title, verdict, words] of [
      ['prints an endless string', 'fail', 'xxx'],
      ['compares an endless string', 'fail', 'expected e, received xxx'],
      ['breaks at length', 'blocked', 'The check itself threw: Error: xxx'],
    ] as const) {
      const reported = verdictOf(title);
      expect(reported.verdict, title).toBe(verdict);
      expect(reported.message?.startsWith(words), title).toBe(true);
      expect(reported.message, title).toMatch(/x… \(truncated, 30\d{5} characters\)$/);
    }
    expect(JSON.stringify(report.checks).length).toBeLessThan(100_000);
  });

  it('comes after the suites of the interface', () => {
    const startOf = (label: string) => report.exchanges.find((one) => one.label === label)?.startedAt ?? '';
    expect(startOf('ping')).not.toBe('');
    expect(startOf('ping') < startOf('mine')).toBe(true);
  });

  it('shows no secret in the message of an assertion', async () => {
    expect(verdictOf('says the secret').verdict).toBe('fail');
    expect(verdictOf('says the secret').message).not.toContain(env.AGENT_SECRET);
    expect(verdictOf('is kept from its body')).toMatchObject({
      verdict: 'blocked',
      message: expect.stringMatching(/^The check did not complete: not for \[redacted/),
    });
    expect(await readFile(directory.at('conformance-report/partial/report.html'), 'utf8')).not.toContain(
      env.AGENT_SECRET,
    );
  });
});

const withId = (id: string) => head.replace('own-ai-chat/acme-rule', id);

describe('a suite that cannot be used', () => {
  const bad: Record<string, [text: string, said: string]> = {
    syntax: ['const x = ;\n', 'cannot be loaded'],
    import: [`import './nowhere.ts';\n`, 'nowhere.ts'],
    empty: ['export const x = 1;\n', 'it has no check'],
    tests: [`import { it } from 'vitest';\nit('is mine', () => {});\n`, '"is mine" is a test but not a check'],
    ours: [
      `${head}check('${ours}' as never, 'mine', async () => {});\n`,
      `expected one of your own requirements, the result of requirement({ id, section, level, statement, remediation }), received "${ours}"`,
    ],
    'our-id': [withId(ours), `${ours} is a requirement of the interface`],
    surface: [withId('acme/rule'), 'received "acme/rule"'],
    level: [head.replace(`'must'`, `'maybe'`), 'expected a level of must, should, advice, received "maybe"'],
    remediation: [
      head.replace(`, remediation: 'Fix it.'`, ''),
      'expected remediation as a non-empty string, received (missing)',
    ],
  };

  it('ends with exit code 2, reports the fault of each file, and sends nothing', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const texts = Object.entries(bad).map(([name, [text]]) => [`${name}.suite.ts`, text]);
    const suites = { ...Object.fromEntries(texts), 'good.suite.ts': head + checked('good', '') };
    const { code, stderr } = await checkWith(directory, suites, ['--suites', '*.suite.ts'], endpoint);
    for (const [name, [, said]] of Object.entries(bad)) {
      const [, about = ''] = stderr.split(`/${name}.suite.ts: `);
      expect(about, name).toContain(said);
    }
    expect(stderr).not.toContain('/good.suite.ts: ');
    expect(code).toBe(2);
    expect(endpoint.requests).toHaveLength(0);
  });

  it('has two checks with one id, or two definitions of one requirement', async () => {
    await using directory = await temporaryDirectory();
    const suites = {
      'one.suite.ts': head + checked('mine', '').repeat(2),
      'two.suite.ts': head.replace('It works.', 'It works differently.') + checked('other', ''),
    };
    const { code, stderr } = await checkWith(directory, suites, ['--suites', '*.suite.ts']);
    expect(stderr).toMatch(/one\.suite\.ts: 2 checks have the id own-ai-chat\/acme-rule#mine/);
    expect(stderr).toMatch(/one\.suite\.ts and .*two\.suite\.ts: the definitions of own-ai-chat\/acme-rule differ/);
    expect(code).toBe(2);
  });

  it.each([
    ['nothing/*.ts', 'no file matches'],
    ['.', 'It is a directory: write'],
    ['notes.md', 'expected TypeScript or JavaScript files'],
  ])('is named by %s, which names none', async (pattern, said) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('notes.md'), '');
    expect(() => ownSuiteFiles([directory.at(pattern)])).toThrow(
      expect.objectContaining({ code: 'suite-unusable', message: expect.stringContaining(said) }),
    );
  });
});

it.each([
  [['--certificate', '--key', 'key.pem'], 'A run with your own suites cannot be certified'],
  [['--only', 'own-ai-chat/acme-good#hods'], 'or own-ai-chat/acme-good#holds?'],
])('a run with a suite of one’s own is refused for %j', async (flags, said) => {
  await using directory = await temporaryDirectory();
  const suites = { 'good.suite.ts': withId('own-ai-chat/acme-good') + checked('holds', '') };
  const { code, stderr } = await checkWith(directory, suites, ['--suites', '*.suite.ts', ...flags]);
  expect(stderr).toContain(said);
  expect(code).toBe(2);
});

it('runs the suites that a config names, from its directory, and omits them with --no-suites', async () => {
  await using directory = await temporaryDirectory();
  await using endpoint = await smallEndpoint(() => ({ status: 204 }));
  await mkdir(directory.at('conf/mine'), { recursive: true });
  await writeFile(directory.at('conf/mine/[a].suite.ts'), head + checked('holds', 'expect(answer).toBeAccepted();'));
  const config = { chat: { url: endpoint.url, secret: 'env:AGENT_SECRET' }, suites: ['mine/[a].suite.ts'] };
  await writeFile(directory.at('conf/c.json'), JSON.stringify(config));
  const args = ['check', '--config', join('conf', 'c.json'), '--only', 'own-ai-chat/acme-rule'];
  const { code } = await runCommand(args, { cwd: directory.path, env });
  expect((await reportIn(directory)).requirements.filter((row) => row.own)).toMatchObject([{ verdict: 'pass' }]);
  expect(code).toBe(0);
  const without = await runCommand([...args, '--no-suites'], { cwd: directory.path, env });
  expect(without).toMatchObject({ code: 2, stderr: expect.stringContaining('no requirement or check has this id') });
});

describe('a waiver of a requirement of one’s own', () => {
  const reason = 'Ticket 12';
  const until = '2999-12-31';

  /** Runs a config with one suite, `extra` and these waivers. */
  async function runWith(waived: readonly string[], flags: readonly string[], only: string) {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    await writeFile(directory.at('a.suite.ts'), head + checked('fails', 'expect(answer).not.toBeAccepted();'));
    const config = {
      chat: { url: endpoint.url, secret: 'env:AGENT_SECRET' },
      suites: flags.includes('--suites') ? undefined : ['a.suite.ts'],
      waivers: waived.map((requirement) => ({ requirement, reason, until })),
    };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const result = await runCommand(['check', '--only', only, ...flags], { cwd: directory.path, env });
    const report = result.code === 2 ? undefined : await reportIn(directory);
    return { ...result, report, states: report?.gate?.waivers?.map(({ state }) => state) };
  }

  it('excuses its failure, and is not judged where no suite states it; the run says so', async () => {
    const waived = ['own-ai-chat/acme-rule', 'own-ai-chat/acme-rull'];
    const only = `${ours},own-ai-chat/acme-rule`;
    const { code, states, stdout, stderr } = await runWith(waived, ['--suites', 'a.suite.ts'], only);
    expect(stderr).toContain(
      'A waiver refers to the unknown requirement own-ai-chat/acme-rull. Did you mean own-ai-chat/acme-rule',
    );
    expect(stderr).not.toContain('unknown requirement own-ai-chat/acme-rule.');
    expect(states).toEqual(['applied', 'not-judged']);
    expect(stdout).toMatch(/own-ai-chat\/acme-rule {2}must, "Handbook", integrator's own/);
    expect(code).toBe(0);
  });

  it('is omitted with the suites', async () => {
    const { code, states, stderr } = await runWith(['own-ai-chat/acme-rule', ours], ['--no-suites'], ours);
    expect(stderr).not.toContain('Nothing states');
    expect(states).toEqual(['passes']);
    expect(code).toBe(1);
  });
});
