import { mkdtemp, readdir, readFile, rm, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ReportNotWritten, writeReport } from '../../reports/write/write-report.ts';

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-conform-report-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('creates the folder, replaces files and leaves nothing else', async () => {
  const folder = join(await emptyFolder(), 'a', 'b');
  await writeReport(folder, { 'report.json': 'old' });
  const paths = await writeReport(folder, { 'report.json': '{}', 'report.html': '<p>' });
  expect(paths).toEqual([join(folder, 'report.json'), join(folder, 'report.html')]);
  expect((await readdir(folder)).toSorted()).toEqual(['report.html', 'report.json']);
  expect(await readFile(join(folder, 'report.json'), 'utf8')).toBe('{}');
});

test('says where and why it could not, and what to do', async () => {
  const file = join(await emptyFolder(), 'taken');
  await writeFile(file, 'a file');
  const failure = await writeReport(file, { 'report.json': '{}' }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ReportNotWritten);
  expect(failure).toMatchObject({ code: 'report-not-written', folder: file });
  expect((failure as Error).message).toMatch(/^expected to write the report into .*taken, received .*--out$/);
});

test('leaves no half of it behind', async () => {
  const folder = await emptyFolder();
  // A folder of the file's name cannot be replaced by the file.
  await mkdir(join(folder, 'report.json', 'x'), { recursive: true });
  await expect(writeReport(folder, { 'report.json': '{}' })).rejects.toThrow(ReportNotWritten);
  expect(await readdir(folder)).toEqual(['report.json']);
});

test('refuses a name that leads elsewhere', async () => {
  await expect(writeReport(await emptyFolder(), { '../x': '' })).rejects.toThrow(ReportNotWritten);
});
