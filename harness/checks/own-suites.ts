import type { Level } from '../../specs/generated/types.ts';
import type { CheckIdentity } from './check-outcome.ts';
import { collectChecks, type CollectedSuite } from './collect-checks.ts';
import { asPattern } from './engine.ts';
import { HarnessFault } from './faults.ts';
import { ownRoot, ownSuiteFiles } from './suite-files.ts';

/** The checks and requirements of the integrator's suites. */
export interface OwnSuites {
  /** Absolute, with slashes. */
  files: string[];
  checks: CheckIdentity[];
  /** Their requirements by id, in order of first use. */
  requirements: Record<string, { section: string; level: Level; statement: string; remediation: string }>;
}

/** Errors shown per suite; the first ones lead to the cause. */
const mostErrors = 3;

/**
 * Finds and loads the integrator's suites and validates what they register, before anything is sent.
 *
 * @param patterns absolute paths or patterns
 * @throws HarnessFault `suite-unusable` with each file and its problem: it cannot be loaded, it has no check, it
 *   contains other tests, two checks have the same id, or two definitions of one requirement differ
 */
export async function collectOwnSuites(patterns: readonly string[]): Promise<OwnSuites> {
  const files = ownSuiteFiles(patterns);
  const suites = await collectChecks(ownRoot, files.map(asPattern));
  const seen = new Set(suites.map(({ file }) => file));
  const unseen = files.filter((file) => !seen.has(file)).map((file) => `${file}: it was not loaded as a suite.`);
  const problems = [...suites.flatMap(suiteProblems), ...unseen];
  if (problems.length === 0) problems.push(...duplicateIds(suites), ...conflictingRequirements(suites));
  if (problems.length > 0) throw new HarnessFault('suite-unusable:problems', { problems });
  const checks = suites.flatMap((suite) => suite.checks);
  const requirements = checks.flatMap(({ requirement, level, own }) =>
    own
      ? [
          [
            requirement,
            { section: own.section, level, statement: own.statement, remediation: own.remediation },
          ] as const,
        ]
      : [],
  );
  return { files, checks, requirements: Object.fromEntries(requirements) };
}

function suiteProblems({ file, checks, otherTests, errors }: CollectedSuite): string[] {
  if (errors.length > 0) return errors.slice(0, mostErrors).map((error) => `${file}: it cannot be loaded: ${error}`);
  const [otherTest] = otherTests;
  if (otherTest !== undefined) {
    return [
      `${file}: "${otherTest}" is a test but not a check, so no report would include it. Write it with check() of svc-conform/suite.`,
    ];
  }
  if (checks.length === 0) {
    return [
      `${file}: it has no check. Write one with check() of svc-conform/suite, or exclude the file from the pattern.`,
    ];
  }
  // The file imports one of our suites.
  return checks
    .filter(({ own }) => !own)
    .map(({ id }) => `${file}: ${id} is a check of svc-conform itself, which runs anyway.`);
}

function duplicateIds(suites: readonly CollectedSuite[]): string[] {
  const placed = suites.flatMap(({ file, checks }) => checks.map(({ id }) => ({ file, id })));
  return [...Map.groupBy(placed, ({ id }) => id)]
    .filter(([, places]) => places.length > 1)
    .map(([id, places]) => {
      const where = [...new Set(places.map(({ file }) => file))].join(' and ');
      return `${where}: ${places.length} checks have the id ${id}. Give each its own title.`;
    });
}

function conflictingRequirements(suites: readonly CollectedSuite[]): string[] {
  const placed = suites.flatMap(({ file, checks }) => checks.map((check) => ({ file, ...check })));
  return [...Map.groupBy(placed, ({ requirement }) => requirement)]
    .filter(([, uses]) => new Set(uses.map(({ level, own }) => JSON.stringify([level, own]))).size > 1)
    .map(([id, uses]) => {
      const where = [...new Set(uses.map(({ file }) => file))].join(' and ');
      return `${where}: the definitions of ${id} differ. Define a requirement once and import it.`;
    });
}
