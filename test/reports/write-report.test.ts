import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ReportNotWritten, writeReport } from '../../reports/write/write-report.ts';

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-report-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

test('creates the directory, replaces files and leaves nothing else', async () => {
  const directory = join(await emptyDirectory(), 'a', 'b');
  await writeReport(directory, { 'report.json': 'old' });
  const paths = await writeReport(directory, { 'report.json': '{}', 'report.html': '<p>' });
  expect(paths).toEqual([join(directory, 'report.json'), join(directory, 'report.html')]);
  expect((await readdir(directory)).toSorted()).toEqual(['report.html', 'report.json']);
  expect(await readFile(join(directory, 'report.json'), 'utf8')).toBe('{}');
});

test('reports the path, the reason and the fix of a failure', async () => {
  const file = join(await emptyDirectory(), 'taken');
  await writeFile(file, 'a file');
  const failure = await writeReport(file, { 'report.json': '{}' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ReportNotWritten);
  expect(failure).toMatchObject({ code: 'report-not-written', directory: file });
  expect((failure as Error).message).toMatch(
    /^The report cannot be written to .*taken: .*\. Choose another directory with --out\.$/,
  );
});

test('leaves no partial file behind', async () => {
  const directory = await emptyDirectory();
  // The file cannot replace a directory of the same name.
  await mkdir(join(directory, 'report.json', 'x'), { recursive: true });
  await expect(writeReport(directory, { 'report.json': '{}' })).rejects.toThrow(ReportNotWritten);
  expect(await readdir(directory)).toEqual(['report.json']);
});

test('refuses a name that leads elsewhere', async () => {
  await expect(writeReport(await emptyDirectory(), { '../x': '' })).rejects.toThrow(ReportNotWritten);
});
