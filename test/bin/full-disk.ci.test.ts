import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { asComplete } from './complete-report.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };

/** Whether this process may mount, as root in a separate container may. */
function canMount(): boolean {
  if (process.getuid?.() !== 0 || spawnSync('mount', ['--version']).status !== 0) return false;
  const place = execFileSync('mktemp', ['-d'], { encoding: 'utf8' }).trim();
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k', 'tmpfs', place]).status === 0;
  if (isMounted) spawnSync('umount', [place]);
  return isMounted;
}

/** How a command reports it. */
const full = /ENOSPC|the disk is full/;

/** A small disk in memory. */
interface Disk extends AsyncDisposable {
  path: string;
  /** Writes a file that leaves this many bytes, rounded to pages, or removes that file. */
  leave: (bytes: number | 'all') => Promise<void>;
  /** The files on it and their sizes, the oldest first. */
  files: () => Promise<{ name: string; size: number; pages: number }[]>;
}

/** Bytes of a page of a disk in memory, and of the whole disk. */
const pageBytes = 4096;
const diskBytes = 8 * 1024 * 1024;

async function mountDisk(): Promise<Disk> {
  const directory = await temporaryDirectory();
  const path = directory.at('disk');
  await mkdir(path);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', path]);
  const filler = `${path}/filler`;
  return {
    path,
    async leave(bytes) {
      await rm(filler, { force: true });
      if (bytes === 'all') return;
      const { bavail, bsize } = await statfs(path);
      await writeFile(filler, Buffer.alloc((bavail - Math.floor(bytes / pageBytes)) * bsize));
    },
    async files() {
      const names = await readdir(path, { recursive: true, withFileTypes: true });
      const found = names.filter((one) => one.isFile()).map((one) => `${one.parentPath}/${one.name}`);
      const measured = await Promise.all(found.map(async (file) => ({ file, ...(await stat(file)) })));
      return measured
        .filter(({ file }) => file !== filler)
        .sort((a, b) => a.mtimeMs - b.mtimeMs)
        .map(({ file, size }) => ({ name: file.slice(path.length + 1), size, pages: Math.ceil(size / pageBytes) }));
    },
    async [Symbol.asyncDispose]() {
      // A process that runs commands may still be there.
      execFileSync('umount', ['--lazy', path]);
      await directory[Symbol.asyncDispose]();
    },
  };
}

const mounting = canMount();
if (!mounting) console.warn('skipped: a full disk, which needs the right to mount');

describe.skipIf(!mounting)('a full disk', () => {
  let disk: Disk;
  let url: string;

  beforeAll(async () => {
    const endpoint = await smallEndpoint(({ headers }) => ({ status: headers.authorization ? 204 : 401 }));
    ({ url } = endpoint);
    disk = await mountDisk();
    return async () => {
      await disk[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    };
  });

  const run = (...args: string[]) => runCommand(args, { cwd: disk.path, env });
  const check = () =>
    run(
      ...['check', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN', '--callback-wait', '1', '--runs', '3'],
      ...['--only', 'crm-webhook/answers-every-event', '--format', 'html,junit,sarif', '--events', 'events.ndjson'],
    );

  it('at any file of a run ends with 2, the reason, and complete files only', async () => {
    expect(await check()).toMatchObject({ code: 0 });
    const written = await disk.files();
    expect(written.map(({ name }) => name).sort()).toEqual([
      'conformance-report/partial/junit.xml',
      'conformance-report/partial/report.html',
      'conformance-report/partial/report.json',
      'conformance-report/partial/report.sarif',
      'events.ndjson',
    ]);
    let before = 0;
    for (const { name, pages } of written) {
      await rm(`${disk.path}/conformance-report`, { recursive: true });
      await rm(`${disk.path}/events.ndjson`, { force: true });
      await disk.leave((before + Math.floor(pages / 2)) * pageBytes);
      before += pages;
      const { code, stderr } = await check();
      expect({ code, stderr }, name).toEqual({ code: 2, stderr: expect.stringMatching(full) as string });
      expect(stderr, name).not.toMatch(/^\s+at .+:\d+\)?$/m);
      const left = await disk.files();
      expect(left.filter((one) => !written.some((other) => other.name === one.name))).toEqual([]);
      for (const one of left.filter((file) => file.name !== 'events.ndjson')) {
        const text = await readFile(`${disk.path}/${one.name}`, 'utf8');
        expect(text, `${one.name} after ${name}`).toMatch(/[>}]\s*$/);
        if (one.name.endsWith('.json')) expect(validate('report', JSON.parse(text))).toEqual([]);
      }
      await mkdir(`${disk.path}/conformance-report`, { recursive: true });
    }
    await disk.leave('all');
    expect(await check()).toMatchObject({ code: 0 });
  });

  it.each([
    [
      'report render',
      'rendered',
      0,
      () => ['report', 'render', 'report.json', '--format', 'html', '--out', 'rendered'],
    ],
    ['schemas', 'schemas', 0, () => ['schemas', '--out', 'schemas']],
    ['init', 'svc-conform.config.json', 0, () => ['init', '--yes', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN']],
    // Room for the first key: the second one fails.
    ['keygen', 'svc-conform.key.pem', pageBytes, () => ['keygen', '--out', 'keys']],
  ] as const)('at %s ends with 2 and the reason, and the next one works', async (_, file, bytes, args) => {
    await using directory = await temporaryDirectory();
    const earlier = await runCommand(
      [
        'check',
        '--crm-url',
        url,
        '--crm-token',
        'env:CRM_TOKEN',
        '--only',
        'crm-webhook/refuses-wrong-token',
        '--json',
      ],
      { cwd: directory.path, env },
    );
    await disk.leave('all');
    for (const { name } of await disk.files()) await rm(`${disk.path}/${name}`);
    await writeFile(`${disk.path}/report.json`, JSON.stringify(asComplete(JSON.parse(earlier.stdout) as Report)));
    const before = await disk.files();
    await disk.leave(bytes);
    const { code, stderr } = await run(...args());
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(full) as string });
    expect(stderr).not.toMatch(/^\s+at .+:\d+\)?$/m);
    expect(await disk.files()).toEqual(before);
    await disk.leave('all');
    const next = await run(...args());
    expect(next.code, next.stderr).toBe(0);
    expect((await disk.files()).some(({ name }) => name.includes(file))).toBe(true);
  });
});
