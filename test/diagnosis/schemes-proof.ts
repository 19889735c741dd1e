import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import type { Probe } from '../../diagnosis/outcome.ts';
import { everyTrial, type Trial } from './schemes/every-scheme.ts';
import { runTrial, type TrialResult } from './schemes/run-trial.ts';
import { schemeName } from './schemes/scheme.ts';
import { countFigures, usualGroup, type Figures } from './schemes/figures.ts';
import { withFigures } from './schemes/figures-table.ts';

/**
 * Runs the diagnosis of signatures against every endpoint of schemes/ and counts the named causes. node
 * test/diagnosis/schemes-proof.ts [--only WORD] [--group NAME] [--surface NAME] [--usual] [--show] [--write]
 * `--usual` runs those with one mistake without `--thorough`. `--write` replaces the figures of the groups that ran.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    group: { type: 'string' },
    surface: { type: 'string' },
    probe: { type: 'string', default: 'diagnose-signature' },
    usual: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

async function load(name: string): Promise<Probe> {
  const url = new URL(`../../diagnosis/signature/${name}.ts`, import.meta.url);
  if (!existsSync(url)) throw new Error(`There is no ${url.pathname}.`);
  const module = (await import(url.href)) as Record<string, Probe>;
  const probe = module[name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  if (!probe) throw new Error(`${url.pathname} exports no probe of its name.`);
  return probe;
}

const probe = await load(values.probe);
const trials = everyTrial().filter(
  ({ group, scheme, surface }) =>
    (values.group === undefined || values.group === group) &&
    (!values.usual || group === 'singles') &&
    (values.surface === undefined || values.surface === surface) &&
    (values.only === undefined || schemeName(scheme).includes(values.only)),
);
/** Concurrent trials: each has its own endpoint, and most of the time is waiting. */
const atOnce = 3;
const results: (Trial & TrialResult)[] = [];
const waiting = trials.values();
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (const trial of waiting) await tell(trial);
  }),
);

async function tell(trial: Trial): Promise<void> {
  const result = await runTrial(trial, probe, { isThorough: !values.usual });
  results.push({ ...trial, ...result });
  const { verdict, named = '-', suspected, deliveries, seconds, outcome } = result;
  if (verdict !== 'right' || values.show) {
    console.log(
      `${verdict.padEnd(6)} ${trial.surface.padEnd(13)} ${schemeName(trial.scheme)}: ${named} [${suspected.join(' ')}] ${deliveries} deliveries, ${seconds.toFixed(1)} s`,
    );
    if (values.show)
      console.log([outcome.found?.summary ?? '', ...outcome.seen].map((line) => `         ${line}`).join('\n'));
  }
}
const counted = countFigures(results);
const { singles } = counted.groups;
const figures = values.usual ? { ...counted, groups: { ...(singles && { [usualGroup]: singles }) } } : counted;
console.log(JSON.stringify(figures, null, 2));
if (values.write) {
  const file = new URL('./scheme-figures.json', import.meta.url);
  const stored = JSON.parse(await readFile(file, 'utf8')) as Figures;
  const schemes = Math.max(stored.schemes, figures.schemes);
  const all: Figures = { schemes, groups: { ...stored.groups, ...figures.groups } };
  await writeFile(file, `${JSON.stringify(all, null, 2)}\n`);
  const page = new URL('../../docs/diagnose.md', import.meta.url);
  await writeFile(page, withFigures(await readFile(page, 'utf8'), all));
}
