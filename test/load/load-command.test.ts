import { access, readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { LoadScript } from '../../load/artillery/load-script.ts';
import { loadCommand, type LoadFlags } from '../../load/load-command.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

const flags: LoadFlags = {
  surface: [],
  firstRate: 1,
  maxRate: 1,
  firstCalls: 1,
  maxCalls: 1,
  maxSeconds: 1,
  out: 'never-written',
};

async function faultOf(over: Partial<LoadFlags>, file?: string): Promise<string> {
  process.env['LOAD_TEST_TOKEN'] = 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya';
  try {
    const crm = { crmUrl: 'https://crm.example.com/hook', crmToken: 'env:LOAD_TEST_TOKEN' };
    return String(await loadCommand(file, { ...flags, ...crm, ...over }));
  } catch (error) {
    if (error instanceof HarnessFault) return `${error.exitCode} ${error.code}: ${error.message}`;
    throw error;
  } finally {
    delete process.env['LOAD_TEST_TOKEN'];
  }
}

describe('svc-conform load', () => {
  it('sends nothing to another machine without --yes', async () => {
    expect(await faultOf({})).toMatch(/^2 address-not-confirmed: A load on crm\.example\.com .* --yes\.$/);
  });

  it('refuses an unknown surface and one without an endpoint', async () => {
    expect(await faultOf({ surface: ['crm'] })).toContain('2 name-unknown');
    expect(await faultOf({ surface: ['own-ai-chat'] })).toMatch(/^2 (name-unknown|selection-empty)/);
  });

  it('exports a script only with a file that Artillery reads, and to another machine only with --yes', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('script.yml');
    expect(await faultOf({}, file)).toMatch(/^2 flag-missing: .* only with --export artillery\.$/);
    expect(await faultOf({ export: 'artillery' }, file)).toContain('2 address-not-confirmed');
    const toOther = { export: 'artillery', yes: true } as const;
    expect(await faultOf(toOther, directory.at('script.txt'))).toContain('expected a file that ends in .json');
    await expect(access(file)).rejects.toThrow();
    expect(await faultOf(toOther, file)).toBe('0');
    // A script of an earlier export is replaced, no other file.
    expect(await faultOf(toOther, file)).toBe('0');
    const own = directory.at('own.yml');
    await writeFile(own, 'mine: true\n');
    expect(await faultOf(toOther, own)).toMatch(/^2 file-exists: .*own\.yml already exists/);
    expect(await readFile(own, 'utf8')).toBe('mine: true\n');
    const written = await readFile(file, 'utf8');
    expect(written).not.toContain('Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya');
    const { config } = parse(written) as LoadScript;
    expect(config.engines['svc-conform']).toMatchObject({
      confirmedHosts: ['crm.example.com'],
      config: { crmWebhook: { url: 'https://crm.example.com/hook', token: 'env:LOAD_TEST_TOKEN' } },
    });
  });
});
