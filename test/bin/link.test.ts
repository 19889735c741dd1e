import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { largestListBytes } from '../../harness/client/deep-links.ts';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { program, runCommand, temporaryDirectory, type Ended } from './run-command.ts';

const build = (...args: string[]) => runCommand(['link', 'build', ...args], { cwd: tmpdir() });
const check = (...args: string[]) => runCommand(['link', 'check', ...args], { cwd: tmpdir() });

/** `link check -` with this input on standard input. */
function checkInput(input: string, ...args: string[]): Promise<Ended> {
  const child = spawn(process.execPath, [program, 'link', 'check', '-', ...args], { cwd: tmpdir() });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // The command may end before it has read everything.
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const web = 'https://app.example.com/open';
const right = `${web}/project?crmId=2026%2F0815`;
const wrong = `${web}/dial?number=+4930901820`;

describe('link build', () => {
  it.each([
    [['--app-url', 'https://app.example.com/', '--project-id', '1001'], [`${web}/project?id=1001`]],
    [['--scheme', '--crm-id', 'K/7 +%ü'], ['svc://open/project?crmId=K%2F7%20%2B%25%C3%BC']],
    [['--scheme', '--crm-contact-id', '0'], ['svc://open/project?crmContactId=0']],
    [
      ['--scheme', '--app-url', 'https://app.example.com', '--dial', '+49 30 901820'],
      [`${web}/dial?number=%2B4930901820`, 'svc://open/dial?number=%2B4930901820'],
    ],
  ])('%j', async (args, links) => {
    expect(await build(...args)).toEqual({ code: 0, stdout: `${links.join('\n')}\n`, stderr: '' });
  });

  it.each([
    [['--scheme'], 'one of --project-id, --crm-id, --crm-contact-id, --dial'],
    [['--scheme', '--crm-id', '1', '--dial', '+4930901820'], 'not --crm-id and --dial'],
    [['--crm-id', '1'], '--app-url https://… for a web link, --scheme for svc://, or both'],
    [['--scheme', '--project-id', 'K-7'], '--project-id: expected svcProjectId, a whole number, received "K-7"'],
    [['--scheme', '--dial', '0049 30 901820'], 'Did you mean +4930901820?'],
    [['--scheme', '--crm-id', ''], '--crm-id: expected a value, received an empty one'],
    [['--app-url', 'http://app.example.com', '--crm-id', '1'], '--app-url: expected an app address'],
    [['--scheme', '--phone', '+49'], "unknown option '--phone'"],
  ])('%j is wrong usage', async (args, sentence) => {
    const { code, stdout, stderr } = await build(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });
});

describe('link check', () => {
  it('prints each link on a line, followed by its errors and the correct form', async () => {
    const { code, stdout } = await check(right, wrong, `${right}&token=hunter2`);
    expect(code).toBe(1);
    expect(stdout).toContain(`✓ ${right}\n✗ ${wrong}\n    must    deep-links/plus-is-encoded\n`);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('expected %2B for a plus sign and %20 for a space, received a');
    expect(stdout).toContain(`    write   ${web}/dial?number=%2B4930901820\n`);
    expect(stdout).toContain(`i ${right}&token=…\n    advice  deep-links/has-no-parameter-for-a-credential\n`);
    expect(stdout).toMatch(/\n3 links: 1 valid, 1 valid, with advice, 1 invalid\.\n$/);
    expect(stdout).not.toContain('hunter2');
  });

  it('ends with 0 when every MUST requirement is met', async () => {
    const { code, stdout } = await check(right, 'http://app.example.com/open/project?id=1');
    expect(code).toBe(0);
    expect(stdout).toContain('i http://app.example.com/open/project?id=1\n    advice  deep-links/web-link-is-https\n');
    expect(stdout).toMatch(/\n2 links: 1 valid, 1 valid, with advice\.\n$/);
  });

  it('reads a file, whose lines it names', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('links.txt'), `# links\n\n${right}\r\n${wrong}\n`);
    const { code, stdout } = await runCommand(['link', 'check', '--file', 'links.txt'], { cwd: directory.path });
    expect(code).toBe(1);
    expect(stdout).toContain(`✓ line 3: ${right}\n✗ line 4: ${wrong}\n`);
  });

  it('reads standard input, and prints JSON', async () => {
    const { code, stdout } = await checkInput(`${right}\n${web}/project?crmId=ü\u202e\u0085`, '--json');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^[\n -~]+$/);
    expect(JSON.parse(stdout)).toEqual({
      summary: { links: 2, fail: 1, warn: 0, advice: 0, pass: 1 },
      links: [
        { line: 1, link: right, verdict: 'pass', findings: [] },
        {
          line: 2,
          link: `${web}/project?crmId=ü\u202e\u0085`,
          verdict: 'fail',
          findings: [
            {
              requirement: 'deep-links/non-ascii-is-encoded',
              level: 'must',
              expected: 'percent encoding of every character beyond ASCII',
              received: `"ü" without encoding in crmId=ü\u202e\u0085`,
              right: `${web}/project?crmId=%C3%BC%E2%80%AE%C2%85`,
            },
          ],
        },
      ],
    });
  });

  it('shows control characters and never sends them', async () => {
    const { stdout } = await check(`${web}/project?crmId=\u001b[31m\u202e`);
    expect(stdout).toContain(`✗ ${web}/project?crmId=⟨U+001B⟩[31m⟨U+202E⟩\n`);
    // eslint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    [[], 'Give the links in quotes, --file with a list, or - for standard input.'],
    [[right, '--file', 'links.txt'], 'Give either links or --file, not both.'],
    [[right, '-'], 'Give either links or -, not both.'],
    [['--file', 'nowhere.txt'], 'nowhere.txt does not exist'],
    [['--file', '.'], ' is a directory'],
  ])('%j is wrong usage', async (args, sentence) => {
    const { code, stdout, stderr } = await check(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
  });

  it('without any link, or with too much to read, says nothing of links', async () => {
    expect(await checkInput('# none\n')).toEqual({ code: 2, stdout: '', stderr: 'Standard input has no links.\n' });
    const { code, stderr } = await checkInput('x'.repeat(largestListBytes + 1));
    expect({ code, stderr }).toEqual({ code: 2, stderr: `Standard input is larger than ${largestListBytes} bytes.\n` });
  });
});

describe('check, with links that a config lists', () => {
  const key = 'svc_sk_Hq5Zt8Ny1Mb4';

  it('judges them, and names lines and correct links', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ deepLinks: { file: 'links.txt' } }));
    await writeFile(directory.at('links.txt'), ['# links', wrong, right, wrong, `${right}&k=${key}`].join('\n'));
    // From a subdirectory, so that the file is resolved against the config and not the working directory.
    await mkdir(directory.at('below'));
    const { code, stdout, stderr } = await runCommand(['check'], { cwd: directory.at('below') });
    expect(code).toBe(1);
    const text = await readFile(directory.at('below/conformance-report/report.json'), 'utf8');
    const report = JSON.parse(text) as Report;
    expect(validate('report', report)).toEqual([]);
    expect(report.verdict).toBe('non-conformant');
    expect(report.target).toEqual({ 'deep-links': { file: 'links.txt' } });
    const rows = new Map(report.requirements.map((row) => [row.id, row]));
    expect(rows.get('deep-links/plus-is-encoded')).toMatchObject({
      verdict: 'fail',
      message:
        'expected %2B for a plus sign and %20 for a space, received a plus sign without encoding in number=+4930901820, ' +
        `in line 2 of links.txt: ${wrong} (likewise line 4)`,
    });
    expect(rows.get('deep-links/slash-is-encoded')).toMatchObject({ verdict: 'pass' });
    expect(rows.get('deep-links/id-is-a-whole-number')).toMatchObject({
      verdict: 'not-exercised',
      message: 'links.txt does not list a link with id.',
    });
    expect(report.checks.map(({ hint }) => hint)).toContain(
      `Some programs read an unencoded plus sign as a space, others as a plus sign. Write ${web}/dial?number=%2B4930901820`,
    );
    expect(rows.get('deep-links/carries-no-secret')).toMatchObject({ verdict: 'fail' });
    for (const shown of [stdout, stderr, text]) expect(shown).not.toContain(key);
  });

  it('is wrong usage without its file', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ deepLinks: { file: 'links.txt' } }));
    const { code, stdout, stderr } = await runCommand(['check'], { cwd: directory.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^svc-conform\.config\.json is not valid:\n {2}deepLinks\.file: expected a list .+, received links\.txt \(.+links\.txt does not exist\)\n$/,
    );
  });
});
