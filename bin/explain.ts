import type { Command } from 'commander';
import type { Requirement } from '../specs/requirements/catalogue.ts';
import { surfaceOf } from '../specs/surfaces.ts';
import { brandDescription } from './target-options.ts';
import type { KnownCheck, KnownMutant } from '../run/plan/known-checks.ts';

const indent = '  ';
const labelWidth = 'detected by'.length + 2;
const levelWidth = 'advice'.length + 2;

/** `svc-conform explain [ID]`: a requirement with its reason, fix and proof, a cause or a fault; without an id, all ids. */
export function addExplain(program: Command): void {
  program
    .command('explain')
    .description('describe a requirement (rule, reason, fix, checks), a cause that diagnose reports, or a fault')
    .argument('[id]', 'id of a requirement, a check or a cause, or the code of a fault; without it, all are listed')
    .option('--brand <name>', brandDescription)
    .option('--code <language>', 'print code that fixes it, in this language or framework, such as python or express')
    .action(async (id: string | undefined, { brand: given, code }: { brand?: string; code?: string }) => {
      const { configuredBrand } = await import('../run/config/configured-brand.ts');
      const brand = await configuredBrand(given);
      if (code !== undefined) {
        const { printCode } = await import('./explain-code.ts');
        await printCode(id, code, brand);
        return;
      }
      const { isRequirementId, requirements } = await import('../specs/requirements/catalogue.ts');
      if (id === undefined) {
        const { causes } = await import('../diagnosis/causes.ts');
        const { faults } = await import('../specs/faults/fault-table.ts');
        process.stdout.write(listing(requirements, Object.keys(causes), Object.keys(faults)));
        return;
      }
      const { createPaint } = await import('../reports/write/terminal/terminal-paint.ts');
      const { describeSection } = await import('../reports/text/wording.ts');
      const { outputWidth, wantsColour } = await import('../run/output/terminal.ts');
      const { wrapped } = await import('../reports/write/terminal/terminal-text.ts');
      const { bold, dim } = createPaint(wantsColour(process.stdout));
      const width = Math.min(100, outputWidth(process.stdout)) - indent.length - labelWidth;
      const row = (label: string, text: string) =>
        wrapped(brand.text(text), width).map(
          (line, at) => indent + dim((at === 0 ? label : '').padEnd(labelWidth)) + line,
        );
      const name = id.split('#', 1)[0] ?? id;
      if (!isRequirementId(name)) {
        const { findCause, causeRows } = await import('./explain-cause.ts');
        const { faultRows } = await import('./explain-fault.ts');
        const cause = await findCause(id);
        const rows = cause ? causeRows(cause) : faultRows(id);
        if (rows) {
          const lines = rows.flatMap(([label, text]) => row(label, text));
          process.stdout.write(`${[bold(id), '', ...lines].join('\n')}\n`);
          return;
        }
        const { unknownId } = await import('./unknown-id.ts');
        throw unknownId(id);
      }
      const { knownChecks, knownMutants } = await import('../run/plan/known-checks.ts');
      const ofSuites = (await knownChecks())?.filter(({ requirement }) => requirement === name);
      const { contractChecks } = await import('../contracts/contract-checks.ts');
      const { serviceContracts } = await import('../contracts/contract-files.ts');
      const interactions = contractChecks(await serviceContracts([surfaceOf(name)]), [name]);
      const mutants = (await knownMutants())?.[name];
      const requirement: Requirement = requirements[name];
      const lines = [
        bold(name),
        '',
        ...row('rule', requirement.statement),
        ...row('source', describeSection(requirement)),
        ...row('level', weights[requirement.level]),
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
  must: 'must: a failure makes the endpoint non-conformant.',
  should: 'should: a failure is a warning.',
  advice: 'advice: a failure informs and does not change the verdict.',
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

function listing(
  requirements: Readonly<Record<string, Requirement>>,
  causeIds: readonly string[],
  codes: readonly string[],
): string {
  const bySurface = Map.groupBy(Object.entries(requirements), ([id]) => id.slice(0, id.indexOf('/')));
  const blocks = [...bySurface].map(([surface, entries]) => {
    const lines = entries.map(
      ([id, { level, unobservable }]) =>
        `${indent}${level.padEnd(levelWidth)}${id}${unobservable === undefined ? '' : '  (cannot be observed)'}`,
    );
    return [`${surface} (${entries.length})`, ...lines].join('\n');
  });
  const causes = [`causes that diagnose can report (${causeIds.length})`, ...causeIds.map((id) => `${indent}${id}`)];
  const faults = [`codes of faults (${codes.length})`, ...codes.map((code) => `${indent}${code}`)];
  return `${[...blocks, causes.join('\n'), faults.join('\n')].join('\n\n')}\n`;
}
