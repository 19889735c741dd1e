import type { Command } from 'commander';
import type { Requirement } from '../specs/requirements/catalogue.ts';
import type { KnownCheck, KnownMutant } from '../run/plan/known-checks.ts';

const indent = '  ';
const labelWidth = 'detected by'.length + 2;
const levelWidth = 'advice'.length + 2;

/** `svc-conform explain [ID]`: a requirement with its reason, fix and proof, or a cause; without an id, all ids. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('describe a requirement (rule, reason, fix, checks), or a cause that diagnose reports')
    .argument('[id]', 'id of a requirement, a check or a cause; without an id, all are listed')
    .action(async (id: string | undefined) => {
      const { isRequirementId, requirements } = await import('../specs/requirements/catalogue.ts');
      if (id === undefined) {
        const { causes } = await import('../diagnosis/causes.ts');
        process.stdout.write(listing(requirements, Object.keys(causes)));
        return;
      }
      const { createPaint } = await import('../reports/write/terminal/terminal-paint.ts');
      const { wantsColour } = await import('../run/output/terminal.ts');
      const { wrapped } = await import('../reports/write/terminal/terminal-text.ts');
      const { bold, dim } = createPaint(wantsColour(process.stdout));
      const width = Math.min(100, process.stdout.columns || 100) - indent.length - labelWidth;
      const row = (label: string, text: string) =>
        wrapped(text, width).map((line, at) => indent + dim((at === 0 ? label : '').padEnd(labelWidth)) + line);
      const { findCause: causeNamed, causeRows } = await import('./explain-cause.ts');
      const cause = await causeNamed(id);
      if (cause) {
        const rows = causeRows(cause).flatMap(([label, text]) => row(label, text));
        process.stdout.write(`${[bold(id), '', ...rows].join('\n')}\n`);
        return;
      }
      const name = id.split('#', 1)[0] ?? id;
      if (!isRequirementId(name)) {
        const { suggestion } = await import('../specs/nearest.ts');
        const { UsageError } = await import('../run/usage-error.ts');
        const { causes } = await import('../diagnosis/causes.ts');
        const near = suggestion(name, [...Object.keys(requirements), ...Object.keys(causes)]);
        throw new UsageError(`There is no requirement or cause ${id}.${near} svc-conform explain lists them all.`);
      }
      const { knownChecks, knownMutants } = await import('../run/plan/known-checks.ts');
      const ofSuites = (await knownChecks())?.filter(({ requirement }) => requirement === name);
      const { contractChecks } = await import('../contracts/contract-checks.ts');
      const { contractSurfaces, serviceContracts } = await import('../contracts/contract-files.ts');
      const interactions = contractChecks(await serviceContracts(contractSurfaces), [name]);
      const mutants = (await knownMutants())?.[name];
      const requirement: Requirement = requirements[name];
      const lines = [
        `${bold(name)}  ${dim(`${requirement.level} · ${requirement.section}`)}`,
        '',
        ...row('rule', requirement.statement),
        ...row('why', `Interface, section "${requirement.section}". ${weights[requirement.level]}`),
        ...row('fix', requirement.remediation),
        ...(requirement.unobservable === undefined ? [] : row('untested', requirement.unobservable)),
        '',
        ...proofLines(
          requirement,
          { ofSuites, interactions: interactions.map(({ identity }) => identity) },
          mutants,
        ).flatMap(([label, text]) => row(label, text)),
      ];
      process.stdout.write(`${lines.join('\n')}\n`);
    });
}

const weights = {
  must: 'A failed must makes the endpoint non-conformant.',
  should: 'A failed should is a warning.',
  advice: 'A failed advice informs; it does not change the verdict.',
} as const;

function proofLines(
  { unobservable }: Requirement,
  { ofSuites, interactions }: { ofSuites: KnownCheck[] | undefined; interactions: KnownCheck[] },
  mutants: KnownMutant[] | undefined,
): [string, string][] {
  if (unobservable !== undefined) return [['proof', 'No check: it cannot be observed from outside.']];
  const rows = (label: string, checks: KnownCheck[] = []) =>
    checks.map(({ id, title }): [string, string] => [label, `${title}\n${id}`]);
  const listed = rows('check', ofSuites);
  const planted = mutants?.map(({ mutant, what, caught }): [string, string] => [
    caught ? 'catches' : 'MISSES',
    `${what} (${mutant})`,
  ]);
  return [
    ...(listed.length > 0
      ? listed
      : [['check', ofSuites ? 'None in this version.' : 'Not listed: run npm run build first.'] as const]),
    ...rows('pact', interactions),
    ...(planted ?? [['catches', 'No mutant is recorded.'] as const]),
  ].map(([label, text]) => [label, text]);
}

function listing(requirements: Readonly<Record<string, Requirement>>, causeIds: readonly string[]): string {
  const bySurface = Map.groupBy(Object.entries(requirements), ([id]) => id.slice(0, id.indexOf('/')));
  const blocks = [...bySurface].map(([surface, entries]) => {
    const lines = entries.map(
      ([id, { level, unobservable }]) =>
        `${indent}${level.padEnd(levelWidth)}${id}${unobservable === undefined ? '' : '  (cannot be observed)'}`,
    );
    return [`${surface} (${entries.length})`, ...lines].join('\n');
  });
  const causes = [`causes that diagnose can report (${causeIds.length})`, ...causeIds.map((id) => `${indent}${id}`)];
  return `${[...blocks, causes.join('\n')].join('\n\n')}\n`;
}
