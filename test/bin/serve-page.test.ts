import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createProgram } from '../../bin/main.ts';
import { readScenario } from '../../service/scenario.ts';
import { stepNames } from '../../service/step.ts';

const page = await readFile(new URL('../../docs/serve.md', import.meta.url), 'utf8');
const flagsOf = (verb: string) =>
  createProgram()
    .commands.find((command) => command.name() === verb)
    ?.options.map(({ long }) => long ?? '') ?? [];

it('docs/serve.md lists exactly the steps', () => {
  const [, table = ''] = page.split('| step ');
  const [rows = ''] = table.split('\n\n');
  const named = [...rows.matchAll(/^\| (`[^|]+)\|/gm)].flatMap(([, cell = '']) => cell.match(/[a-z-]{5,}/g) ?? []);
  expect(named.toSorted()).toEqual(stepNames.toSorted());
});

it('docs/serve.md leaves the list of flags to the command reference, and names only flags of serve and send', () => {
  expect(page).toContain('](reference/commands.md#serve)');
  expect(page).toContain('](reference/commands.md#send)');
  const named = [...page.matchAll(/(?<=[`\s])--[a-z][a-z-]*/g)].map(([flag]) => flag);
  expect(named).toEqual(expect.arrayContaining(['--record', '--script', '--connect', '--json']));
  for (const flag of named) expect([...flagsOf('serve'), ...flagsOf('send')]).toContain(flag);
});

it('docs/serve.md uses existing flags and steps', () => {
  for (const [, verb = '', rest = ''] of page.matchAll(/npx svc-conform (\w+)(.*)/g)) {
    for (const flag of rest.match(/--[a-z-]+/g) ?? []) expect(flagsOf(verb), `${verb} ${flag}`).toContain(flag);
  }
  for (const [, step = ''] of page.matchAll(/\$CONTROL\/([a-z-]+) -d/g)) expect(stepNames).toContain(step);
  for (const [, yaml = ''] of page.matchAll(/```yaml\n([\s\S]*?)```/g)) {
    expect(readScenario(yaml, 'docs/serve.md').length).toBeGreaterThan(3);
  }
  expect(page.split('\n').length).toBeLessThanOrEqual(130);
});
