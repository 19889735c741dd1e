import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { prepareTarget, timeLimitMs } from '../../fleet/prepare-target.ts';
import { limits } from '../../specs/limits.ts';
import type { FleetTarget } from '../../specs/generated/types.ts';
import { readTargets } from '../../run/config/read-targets.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

const crm = { crmWebhook: { url: 'http://127.0.0.1:8080/crm', token: 'env:CRM_TOKEN' } };
const environment = {
  PATH: '/bin',
  HTTPS_PROXY: 'http://proxy.example:3128',
  GITHUB_STEP_SUMMARY: '/tmp/summary',
  DOCKER_AUTH_CONFIG: 'token-of-a-registry',
  NODE_AUTH_TOKEN: 'token-of-a-registry',
  CRM_TOKEN: 'token-of-the-command',
  GARAGE_TOKEN: 'token-of-the-garage',
  OTHER_TOKEN: 'token-of-another-target',
};

async function prepared(target: Omit<FleetTarget, 'id' | 'config'> & { config?: object }, file = '') {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('targets.json'), JSON.stringify({ targets: [{ id: 'shop', config: crm, ...target }] }));
  await writeFile(directory.at('shop.env'), file);
  const list = await readTargets(directory.at('targets.json'));
  const [listed] = list.targets;
  if (!listed) throw new Error('expected a target');
  return await prepareTarget(list, listed, environment);
}

const machine = { PATH: '/bin', HTTPS_PROXY: 'http://proxy.example:3128' };

describe('the environment of a check', () => {
  it('has the variables of the config that the target names, those of the machine, and nothing else', async () => {
    const headers = { 'x-gateway': 'env:OTHER_TOKEN' };
    const config = { crmWebhook: { ...crm.crmWebhook, headers } };
    const own = { CRM_TOKEN: 'env:CRM_TOKEN', OTHER_TOKEN: 'env:GARAGE_TOKEN', UNUSED: 'env:NODE_AUTH_TOKEN' };
    expect((await prepared({ config, environment: own })).environment).toEqual({
      ...machine,
      CRM_TOKEN: 'token-of-the-command',
      OTHER_TOKEN: 'token-of-the-garage',
    });
  });

  it.each<[string, Omit<FleetTarget, 'id' | 'config'>, string?]>([
    ['without variables', {}],
    ['with a misspelt name in its file', { environmentFile: 'shop.env' }, 'CRM_TOKN=token-in-a-file'],
    ['with a misspelt name in its environment', { environment: { CRM_TOKN: 'env:GARAGE_TOKEN' } }],
  ])('never has a variable of the command that the target does not name: %s', async (_, target, file) => {
    await expect(prepared(target, file)).rejects.toMatchObject({ code: 'secret-missing', exitCode: 2 });
  });

  it('has secrets of its file, which the variables of the target override', async () => {
    const text = 'CRM_TOKEN=token-in-a-file\nUNUSED=1\n';
    const environmentFile = 'shop.env';
    const inFile = await prepared({ environmentFile }, text);
    expect(inFile.environment).toEqual({ ...machine, CRM_TOKEN: 'token-in-a-file' });
    expect(inFile.config.crmWebhook?.token).toBe('token-in-a-file');
    const own = await prepared({ environmentFile, environment: { CRM_TOKEN: 'env:GARAGE_TOKEN' } }, text);
    expect(own.environment).toEqual({ ...machine, CRM_TOKEN: 'token-of-the-garage' });
  });

  it('is refused without a secret, and without its file', async () => {
    await expect(prepared({ environment: { CRM_TOKEN: 'env:MISSING' } })).rejects.toThrow(
      /\(target shop\): environment\.CRM_TOKEN is env:MISSING, but the environment variable MISSING is not set\./,
    );
    await expect(prepared({ environmentFile: 'none.env' })).rejects.toThrow(
      /none\.env cannot be read: there is no such file or directory\. Expected lines NAME=value\./,
    );
    await expect(prepared({ config: { chat: { url: 'http://shop.example/chat' } } })).rejects.toThrow(
      /targets\.json \(target shop\)/,
    );
  });
});

describe('the time limit of a check', () => {
  it('is longer than twice the budget and the wait for a callback', () => {
    expect(timeLimitMs({ budgetSeconds: 60 })).toBeGreaterThan(120_000 + limits.crmCallbackWithinMs);
    expect(timeLimitMs({})).toBeGreaterThan(timeLimitMs({ budgetSeconds: 120 }));
  });
});
