import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { loadCommand, type LoadFlags } from '../../load/load-command.ts';

const flags: LoadFlags = {
  surface: [],
  firstRate: 1,
  maxRate: 1,
  firstCalls: 1,
  maxCalls: 1,
  maxSeconds: 1,
  out: 'never-written',
};

async function faultOf(over: Partial<LoadFlags>): Promise<string> {
  process.env['LOAD_TEST_TOKEN'] = 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya';
  try {
    const crm = { crmUrl: 'https://crm.example.com/hook', crmToken: 'env:LOAD_TEST_TOKEN' };
    return String(await loadCommand(undefined, { ...flags, ...crm, ...over }));
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
});
