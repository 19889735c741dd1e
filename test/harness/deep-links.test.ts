import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { largestListBytes, linksInFile, parseLinkList, readLinkList } from '../../harness/client/deep-links.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { configuredSurfaces, resolveConfig } from '../../harness/config/resolve-config.ts';

const bytes = (text: string, charset: 'utf8' | 'utf16le' = 'utf8') => Buffer.from(text, charset);

async function directoryWith(files: Record<string, string | Uint8Array>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'svc-conform-links-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(path, name), content);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function faultOf(run: () => unknown): HarnessFault {
  try {
    run();
  } catch (error) {
    if (error instanceof HarnessFault) return error;
    throw error;
  }
  throw new Error('expected a fault, received none');
}

const list = ['# Links', '', 'svc://open/project?id=1', '  svc://open/project?crmId=a b \t', ' # no link', 'last#7'];
const listed = [
  { line: 3, text: 'svc://open/project?id=1' },
  { line: 4, text: 'svc://open/project?crmId=a b' },
  { line: 6, text: 'last#7' },
];

describe('a list of links', () => {
  it.each([
    ['line feeds', bytes(list.join('\n'))],
    ['a line feed at the end', bytes(`${list.join('\n')}\n`)],
    ['both', bytes(list.join('\r\n'))],
    ['carriage returns alone', bytes(list.join('\r'))],
    ['a byte order mark', bytes(`\ufeff${list.join('\n')}`)],
    ['UTF-16, as PowerShell writes it', bytes(`\ufeff${list.join('\r\n')}`, 'utf16le')],
    ['UTF-16 the other way round', bytes(`\ufeff${list.join('\n')}`, 'utf16le').swap16()],
  ])('has one on each line that is not empty and no comment: %s', (_, content) => {
    expect(parseLinkList(content)).toEqual(listed);
  });

  it('keeps bytes that are not UTF-8 as a character that has to be encoded', () => {
    expect(parseLinkList(Buffer.from('svc://open/project?crmId=ü', 'latin1'))).toEqual([
      { line: 1, text: 'svc://open/project?crmId=\ufffd' },
    ]);
  });

  it('may be empty', () => {
    expect(parseLinkList(new Uint8Array())).toEqual([]);
    expect(parseLinkList(bytes('# nothing yet\n\n'))).toEqual([]);
  });
});

describe('a file of links', () => {
  it('is read up to its bound', async () => {
    const line = 'svc://open/project?id=1\n';
    await using directory = await directoryWith({
      'all.txt': `${line}${'\n'.repeat(largestListBytes - line.length)}`,
      'more.txt': `${line}${'\n'.repeat(largestListBytes - line.length + 1)}`,
    });
    expect(linksInFile(join(directory.path, 'all.txt'))).toEqual({ links: [{ line: 1, text: line.trim() }] });
    const more = join(directory.path, 'more.txt');
    expect(linksInFile(more)).toEqual({ problem: `${more} is larger than ${largestListBytes} bytes` });
  });

  it.runIf(process.platform !== 'win32')('that never ends is not read to its end', () => {
    expect(linksInFile('/dev/zero')).toEqual({ problem: expect.stringContaining('/dev/zero is larger than') });
  });

  it('that does not exist, or is a directory, is reported with its path', async () => {
    await using directory = await directoryWith({});
    await mkdir(join(directory.path, 'links'));
    const missing = join(directory.path, 'none.txt');
    expect(linksInFile(missing)).toEqual({ problem: `${missing} does not exist` });
    expect(linksInFile(join(directory.path, 'links'))).toEqual({
      problem: `${join(directory.path, 'links')} is a directory`,
    });
  });
});

describe('deepLinks of a config', () => {
  it('is read from the directory of the config, ready for a worker', async () => {
    await using directory = await directoryWith({ 'links.txt': list.join('\n') });
    const config = resolveConfig({ deepLinks: { file: 'links.txt' } }, {}, 'it', directory.path);
    expect(config.deepLinks).toEqual({ file: 'links.txt', links: listed });
    expect(structuredClone(config)).toEqual(config);
    expect(configuredSurfaces(config)).toEqual(['deep-links']);
    const absolute = join(directory.path, 'links.txt');
    expect(readLinkList(absolute, { directory: '/elsewhere', source: 'it' })).toEqual({
      file: absolute,
      links: listed,
    });
  });

  it('without its file is a fault that names config, key and path', async () => {
    await using directory = await directoryWith({});
    const fault = faultOf(() =>
      resolveConfig({ deepLinks: { file: 'links.txt' } }, {}, 'my.config.json', directory.path),
    );
    const received = `links.txt (${join(directory.path, 'links.txt')} does not exist)`;
    expect(fault.data).toMatchObject({
      name: 'config-invalid:problems',
      args: { source: 'my.config.json', problems: [{ key: 'deepLinks.file', received }] },
    });
  });
});
