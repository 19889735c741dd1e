import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addReportDiff } from '../../bin/report-diff.ts';
import { addReportRender } from '../../bin/report-render.ts';
import { addReportShow } from '../../bin/report-show.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { summarise } from '../../reports/model/verdict.ts';
import { cleanReport, manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs a subcommand of `report` and returns its output. */
async function printed(...args: string[]): Promise<string> {
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('NO_COLOR', '1');
  const out: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    out.push(String(text));
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const command = new Command('report').exitOverride().configureOutput({ writeErr: () => undefined });
  addReportShow(command);
  addReportDiff(command);
  addReportRender(command);
  await command.parseAsync(args, { from: 'user' });
  return out.join('');
}

async function twoReports() {
  const directory = await temporaryDirectory();
  await writeFile(directory.at('report.json'), renderJson(manyFailuresReport));
  await writeFile(directory.at('clean.json'), renderJson(cleanReport));
  return directory;
}

describe('report show', () => {
  it('prints what the run printed, from the report alone', async () => {
    await using directory = await twoReports();
    const text = await printed('show', directory.path);
    expect(text).toBe(
      renderTerminal(manyFailuresReport, { colour: false, width: process.stdout.columns, place: directory.path }),
    );
  });

  it('shows every finding in full on request', async () => {
    await using directory = await temporaryDirectory();
    const [first] = manyFailuresReport.requirements;
    if (!first) throw new Error('expected a requirement');
    const requirements = Array.from({ length: 30 }, (_, at) => ({ ...first, id: `own-ai-chat/r${at}`, checks: [] }));
    await writeFile(
      directory.at('report.json'),
      JSON.stringify({ ...manyFailuresReport, requirements, summary: summarise(requirements) }),
    );
    const fixes = async (...args: string[]) => (await printed('show', directory.path, ...args)).match(/ fix /g)?.length;
    expect(await fixes()).toBe(20);
    expect(await fixes('--all')).toBe(30);
  });

  it('refuses what is not a report', async () => {
    await using directory = await temporaryDirectory();
    await expect(printed('show', directory.at('none.json'))).rejects.toThrow(HarnessFault);
  });
});

describe('in a job of GitHub Actions', () => {
  const message = '::error::owned\n##[add-mask]b';

  async function commandsOf(...args: string[]): Promise<string[]> {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    await using directory = await twoReports();
    const [first, ...rest] = manyFailuresReport.requirements;
    const checks = manyFailuresReport.checks.map((check) => ({ ...check, message }));
    const hostile = { ...manyFailuresReport, requirements: [{ ...first, message }, ...rest], checks };
    await writeFile(directory.at('report.json'), JSON.stringify(hostile));
    const text = await printed(...args.map((name) => (name.endsWith('.json') ? directory.at(name) : name)));
    expect(text).toMatch(/\[add-mask\\?\]b/);
    return text.split('\n').filter((line) => /^\s*::|##\[/.test(line));
  }

  it.each([
    [['show', 'report.json']],
    [['diff', 'clean.json', 'report.json']],
    [['diff', 'clean.json', 'report.json', '--format', 'markdown']],
    [['diff', 'clean.json', 'report.json', '--format', 'json']],
    [['render', 'report.json', '--format', 'markdown']],
    [['render', 'report.json', '--format', 'junit']],
    [['render', 'report.json', '--format', 'sarif']],
    [['render', 'report.json', '--format', 'html']],
  ])('the output of %j contains no command of an endpoint', async (args) => {
    expect(await commandsOf(...args)).toEqual([]);
  });

  it('annotations are printed as commands', async () => {
    expect(await commandsOf('render', 'report.json', '--format', 'annotations')).toContainEqual(
      expect.stringMatching(/^::error title=crm-webhook%3A /),
    );
  });
});

describe('report diff', () => {
  it('prints what changed, in the order of its arguments', async () => {
    await using directory = await twoReports();
    const text = await printed('diff', directory.path, directory.at('clean.json'));
    expect(text).toContain('\nFixed (5)\n');
    expect(text.startsWith(`first    ${directory.path}, `)).toBe(true);
    expect(text).toContain('\nFrom non-conformant to conformant\n');
    expect(await printed('diff', directory.at('clean.json'), directory.path)).toContain(
      '\nFrom conformant to non-conformant\n',
    );
  });

  it('prints only JSON or Markdown on request', async () => {
    await using directory = await twoReports();
    const args = ['diff', directory.path, directory.at('clean.json'), '--format'];
    expect(JSON.parse(await printed(...args, 'json'))).toMatchObject({
      schemaVersion: 2,
      after: { verdict: 'conformant' },
    });
    expect(await printed(...args, 'markdown')).toMatch(/^## From non-conformant to conformant\n/);
    await expect(printed(...args, 'html')).rejects.toThrow("'html' is invalid");
  });

  it('writes it to a file', async () => {
    await using directory = await twoReports();
    const args = [
      'diff',
      directory.path,
      directory.at('clean.json'),
      '--format',
      'markdown',
      '--out',
      directory.at('what.md'),
    ];
    expect(await printed(...args)).toBe('');
    expect(await readFile(directory.at('what.md'), 'utf8')).toMatch(/^## From non-conformant/);
  });

  it('does not overwrite a report that it compares', async () => {
    await using directory = await twoReports();
    for (const out of ['clean.json', 'report.json']) {
      const writing = printed('diff', directory.path, directory.at('clean.json'), '--out', directory.at(out));
      await expect(writing).rejects.toThrow(HarnessFault);
      await expect(writing).rejects.toThrow(/^--out \S+ would overwrite \S+\.json, which this command reads\./);
    }
    expect(await readFile(directory.at('clean.json'), 'utf8')).toBe(renderJson(cleanReport));
    expect(await readFile(directory.at('report.json'), 'utf8')).toBe(renderJson(manyFailuresReport));
  });
});
