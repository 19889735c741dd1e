import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addReportRender } from '../../bin/report-render.ts';
import { UsageError } from '../../bin/usage-error.ts';
import { anonymize } from '../../reports/model/anonymize.ts';
import { formatAbout, formatNames } from '../../reports/text/format-names.ts';
import { formats, renderFormats } from '../../reports/write/formats.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderJunit } from '../../reports/write/junit/render-junit.ts';
import { manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryFolder } from './run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function renderVerb(): Command {
  const command = new Command('report').exitOverride().configureOutput({ writeErr: () => undefined });
  addReportRender(command);
  return command;
}

/** Runs `report render` on a folder that holds a report, and returns what it printed. */
async function render(folder: { path: string; at: (name: string) => string }, ...args: string[]): Promise<string> {
  await writeFile(folder.at('report.json'), renderJson(manyFailuresReport));
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    printed.push(String(text));
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await renderVerb().parseAsync(['render', folder.path, ...args], { from: 'user' });
  return printed.join('');
}

describe('report render', () => {
  it('tells of every format', () => {
    const help = renderVerb().commands[0]?.helpInformation().replaceAll(/\s+/g, ' ') ?? '';
    for (const name of formatNames) expect(help).toContain(`${name}: ${formatAbout[name]}`);
  });

  it.each(formatNames.filter((name) => Object.keys(formats[name].files).length === 1))(
    'prints %s, from the record alone',
    async (name) => {
      await using folder = await temporaryFolder();
      const [text] = Object.values(renderFormats(manyFailuresReport, [name]));
      expect(await render(folder, '--format', name)).toBe(text);
    },
  );

  it('writes one format to the file that is named, or into a folder', async () => {
    await using folder = await temporaryFolder();
    expect(await render(folder, '--format', 'junit', '--out', folder.at('tests/results.xml'))).toBe('');
    expect(await readFile(folder.at('tests/results.xml'), 'utf8')).toBe(renderJunit(manyFailuresReport));
    await render(folder, '--format', 'junit', '--out', folder.at('tests'));
    await render(folder, '--format', 'junit', '--out', `${folder.at('new')}/`);
    expect((await readdir(folder.at('tests'))).sort()).toEqual(['junit.xml', 'results.xml']);
    expect(await readdir(folder.at('new'))).toEqual(['junit.xml']);
  });

  it('writes several files into a folder, and asks for one', async () => {
    await using folder = await temporaryFolder();
    await render(folder, '--format', 'badge', '--format', 'junit,markdown', '--out', folder.at('all'));
    expect((await readdir(folder.at('all'))).sort()).toEqual(['badge.json', 'badge.svg', 'junit.xml', 'report.md']);
    const printing = render(folder, '--format', 'badge');
    await expect(printing).rejects.toThrow(UsageError);
    await expect(printing).rejects.toThrow('2 files (badge.svg, badge.json): name a folder with --out.');
  });

  it('does not write over the record that it reads, by whatever name', async () => {
    await using folder = await temporaryFolder();
    await symlink(folder.path, folder.at('link'));
    const wrong = [
      ['html', 'report.json'],
      ['json', 'link/report.json'],
      ['html,json', '.'],
    ];
    for (const [format = '', out = ''] of wrong) {
      const writing = render(folder, '--format', format, '--out', folder.at(out));
      await expect(writing).rejects.toThrow(UsageError);
      await expect(writing).rejects.toThrow(/^--out \S+ would write over \S+report\.json, which is read here\./);
      expect(await readFile(folder.at('report.json'), 'utf8')).toBe(renderJson(manyFailuresReport));
    }
    await render(folder, '--format', 'html', '--out', folder.path);
    expect(await readdir(folder.path)).toContain('report.html');
  });

  it('leaves out who it is about where that is asked for', async () => {
    await using folder = await temporaryFolder();
    const printed = await render(folder, '--format', 'json', '--anonymize');
    expect(printed).toBe(renderJson(anonymize(manyFailuresReport)));
    expect(printed).toContain('"anonymized": true');
  });

  it('refuses what is no format, and a call without one', async () => {
    await using folder = await temporaryFolder();
    await expect(render(folder, '--format', 'pdf')).rejects.toThrow('--format pdf: no such format. There are json,');
    await expect(render(folder)).rejects.toThrow('--format');
    await expect(render(folder, '--format', '')).rejects.toThrow('expected the name of a format, received nothing');
    await expect(render(folder, '--format', ' , ')).rejects.toThrow('expected the name of a format, received nothing');
  });
});
