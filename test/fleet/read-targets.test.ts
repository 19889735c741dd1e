import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { readTarget } from '../../run/config/read-target.ts';
import { configOfTarget, readTargets } from '../../run/config/read-targets.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

const crm = { crmWebhook: { url: 'http://127.0.0.1:8080/crm', token: 'env:CRM_TOKEN' } };

async function written(content: unknown) {
  const directory = await temporaryDirectory();
  const file = directory.at('targets.json');
  await writeFile(file, JSON.stringify(content));
  return { file, at: directory.at, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

async function problemsOf(content: unknown): Promise<string> {
  await using list = await written(content);
  const fault = await readTargets(list.file).catch((error: unknown) => error);
  if (!(fault instanceof HarnessFault)) throw new Error('expected a fault');
  return fault.message;
}

describe('a targets file', () => {
  it('gives each target the defaults that it does not override', async () => {
    const night = [{ from: '22:00', to: '06:00' }];
    await using list = await written({
      defaults: {
        environment: { CRM_TOKEN: 'env:SHARED' },
        windows: night,
        limits: { messages: 9, perMinute: 60 },
        budgetSeconds: 90,
      },
      targets: [
        { id: 'one', config: crm },
        {
          id: 'two',
          config: crm,
          environment: { CRM_TOKEN: 'env:TWO' },
          limits: { messages: 5 },
          windows: [{ from: '00:00', to: '24:00' }],
          budgetSeconds: 30,
        },
      ],
    });
    const { targets } = await readTargets(list.file);
    expect(targets).toEqual([
      {
        id: 'one',
        config: crm,
        environment: { CRM_TOKEN: 'SHARED' },
        windows: night,
        limits: { messages: 9, perMinute: 60 },
        budgetSeconds: 90,
      },
      {
        id: 'two',
        config: crm,
        environment: { CRM_TOKEN: 'TWO' },
        windows: [{ from: '00:00', to: '24:00' }],
        limits: { messages: 5, perMinute: 60 },
        budgetSeconds: 30,
      },
    ]);
  });

  it('is rejected with every key that is not allowed, and without values that may be secrets', async () => {
    const problems = await problemsOf({
      targets: [
        { id: 'Shop 1', config: crm, window: [] },
        { id: 'two', config: 7, environment: { CRM_TOKEN: 'Tk9Wm3Xq7Lr2' } },
        { id: 'three', config: crm, windows: [{ days: ['sunday'], from: '6:00', to: '24:00' }], budgetSeconds: 0 },
      ],
    });
    expect(problems).toContain('targets.0.id: expected lower-case letters, digits and hyphens');
    expect(problems).toContain('targets.0.window: expected one of the keys id, config,');
    expect(problems).toContain('the unknown key window (an array). Did you mean windows?');
    expect(problems).toMatch(/targets\.1\.config: expected .*string.*object.*, received 7/);
    expect(problems).toContain('targets.1.environment.CRM_TOKEN: expected env:NAME');
    expect(problems).not.toContain('Tk9Wm3Xq7Lr2');
    expect(problems).toMatch(/targets\.2\.windows\.0\.days\.0: expected one of mon, .* received "sunday"/);
    expect(problems).toContain('targets.2.windows.0.from: expected a time of day such as 22:00, received "6:00"');
    expect(problems).toContain('targets.2.budgetSeconds: expected');
  });

  it('is rejected for a repeated id, an empty window and an unknown time zone', async () => {
    const problems = await problemsOf({
      defaults: { windows: [{ from: '22:00', to: '06:00', timeZone: 'Europe/Atlantis' }] },
      targets: [
        { id: 'one', config: crm },
        { id: 'one', config: crm, windows: [{ from: '10:00', to: '10:00' }] },
      ],
    });
    expect(problems).toContain('targets.1.id: expected an id that no other target has, received that of targets.0');
    expect(problems).toContain('targets.1.windows.0.to: expected another time than from');
    expect(problems).toContain('defaults.windows.0.timeZone: expected an IANA time zone such as Europe/Berlin');
  });
});

describe('the config of a target', () => {
  it('is inline or a file next to the targets file, with the limits of the targets file', async () => {
    await using list = await written({
      defaults: { limits: { perMinute: 60 } },
      targets: [
        { id: 'inline', config: crm },
        { id: 'file', config: 'shop.yaml', limits: { calls: 2 } },
      ],
    });
    await writeFile(list.at('shop.yaml'), JSON.stringify({ ...crm, limits: { calls: 9, messages: 3 } }));
    const read = await readTargets(list.file);
    const configs = await Promise.all(read.targets.map((target) => configOfTarget(read, target)));
    expect(configs).toEqual([
      { file: list.file, value: { ...crm, limits: { perMinute: 60 } } },
      { file: list.at('shop.yaml'), value: { ...crm, limits: { calls: 2, messages: 3, perMinute: 60 } } },
    ]);
  });

  it('is what --target selects', async () => {
    await using list = await written({ targets: [{ id: 'shop', config: crm, limits: { calls: 2 } }] });
    const options = { config: list.file, target: 'shop' };
    const { config, flags } = await readTarget(options, { CRM_TOKEN: 'Tk9Wm3Xq7Lr2' });
    expect(config.limits).toMatchObject({ calls: 2 });
    expect(flags).toEqual(['--config', list.file, '--target', 'shop']);
    await expect(readTarget(options, {})).rejects.toThrow(/\(target shop\): crmWebhook\.token is env:CRM_TOKEN/);
    await expect(readTarget({ ...options, target: 'shob' }, {})).rejects.toThrow(/Did you mean shop\?/);
    await expect(readTarget({ target: 'shop' }, {})).rejects.toThrow('--target selects a target of a targets file');
  });
});
