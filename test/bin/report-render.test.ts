import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addReportRender } from '../../bin/report-render.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { anonymize } from '../../reports/model/anonymize.ts';
import { formatDescriptions, formatNames } from '../../reports/text/format-names.ts';
import { formats, renderFormats } from '../../reports/write/formats.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderJunit } from '../../reports/write/junit/render-junit.ts';
import { codeSamples } from '../../run/publish/code-samples.ts';
import { manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

function renderVerb(): Command {
  const command = new Command('report').exitOverride().configureOutput({ writeErr: () => undefined });
  addReportRender(command);
  return command;
}

/** Runs `report render` on a directory with a report, and returns its output. */
async function render(directory: { path: string; at: (name: string) => string }, ...args: string[]): Promise<string> {
  await writeFile(directory.at('report.json'), renderJson(manyFailuresReport));
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    printed.push(String(text));
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  await renderVerb().parseAsync(['render', directory.path, ...args], { from: 'user' });
  return printed.join('');
}

describe('report render', () => {
  it('supports every format', () => {
    const help = renderVerb().commands[0]?.helpInformation().replaceAll(/\s+/g, ' ') ?? '';
    for (const name of formatNames) expect(help).toContain(`${name}: ${formatDescriptions[name]}`);
  });

  it.each(formatNames.filter((name) => Object.keys(formats[name].files).length === 1))(
    'prints %s, from the record alone',
    async (name) => {
      await using directory = await temporaryDirectory();
      const samples = await codeSamples(manyFailuresReport);
      const [text] = Object.values(renderFormats(manyFailuresReport, [name], { samples }));
      expect(await render(directory, '--format', name)).toBe(text);
    },
  );

  it('writes one format to the given file, or into a directory', async () => {
    await using directory = await temporaryDirectory();
    expect(await render(directory, '--format', 'junit', '--out', directory.at('tests/results.xml'))).toBe('');
    expect(await readFile(directory.at('tests/results.xml'), 'utf8')).toBe(renderJunit(manyFailuresReport));
    await render(directory, '--format', 'junit', '--out', directory.at('tests'));
    await render(directory, '--format', 'junit', '--out', `${directory.at('new')}/`);
    expect((await readdir(directory.at('tests'))).sort()).toEqual(['junit.xml', 'results.xml']);
    expect(await readdir(directory.at('new'))).toEqual(['junit.xml']);
  });

  it('writes several files into a directory, and requires one', async () => {
    await using directory = await temporaryDirectory();
    await render(directory, '--format', 'badge', '--format', 'junit,markdown', '--out', directory.at('all'));
    expect((await readdir(directory.at('all'))).sort()).toEqual(['badge.json', 'badge.svg', 'junit.xml', 'report.md']);
    const printing = render(directory, '--format', 'badge');
    await expect(printing).rejects.toThrow(HarnessFault);
    await expect(printing).rejects.toThrow('2 files (badge.svg, badge.json): give a directory with --out.');
  });

  it('does not overwrite the report that it reads, under any name', async () => {
    await using directory = await temporaryDirectory();
    await symlink(directory.path, directory.at('link'));
    const wrong = [
      ['html', 'report.json'],
      ['json', 'link/report.json'],
      ['html,json', '.'],
    ];
    for (const [format = '', out = ''] of wrong) {
      const writing = render(directory, '--format', format, '--out', directory.at(out));
      await expect(writing).rejects.toThrow(HarnessFault);
      await expect(writing).rejects.toThrow(/^--out \S+ would overwrite \S+report\.json, which this command reads\./);
      expect(await readFile(directory.at('report.json'), 'utf8')).toBe(renderJson(manyFailuresReport));
    }
    await render(directory, '--format', 'html', '--out', directory.path);
    expect(await readdir(directory.path)).toContain('report.html');
  });

  it('omits names and places with --anonymize', async () => {
    await using directory = await temporaryDirectory();
    const printed = await render(directory, '--format', 'json', '--anonymize');
    expect(printed).toBe(renderJson(anonymize(manyFailuresReport)));
    expect(printed).toContain('"anonymized": true');
  });

  it('refuses an unknown format, and a command without one', async () => {
    await using directory = await temporaryDirectory();
    await expect(render(directory, '--format', 'pdf')).rejects.toThrow(
      '--format pdf: no such format. Expected one of json,',
    );
    await expect(render(directory)).rejects.toThrow('--format');
    await expect(render(directory, '--format', '')).rejects.toThrow('expected the name of a format, received nothing');
    await expect(render(directory, '--format', ' , ')).rejects.toThrow(
      'expected the name of a format, received nothing',
    );
  });
});
