import { addCauses } from '../../../diagnosis/add-causes.ts';
import { configRedactor } from '../../../harness/config/config-redactor.ts';
import type { CheckResult, Diagnosis } from '../../../specs/generated/types.ts';
import type { Mistake } from './mistake.ts';
import { mistakeConfig } from './mistake-config.ts';

/** One failed or blocked requirement of a run: what the search for causes reads of it. */
export interface RecordedFailure {
  requirement: string;
  verdict: 'fail' | 'blocked';
  code?: string;
  /** The event that failed, as JSON. */
  event?: string;
}

/** The recorded failures of each endpoint, by its name: node test/diagnosis/mistakes-proof.ts --write. */
export const failuresFile = new URL('../mistake-failures.json', import.meta.url);

/** Milliseconds for the causes, so that a busy machine does not end the search. */
const withinMs = 120_000;

/** The causes that `check` reports for these failures of an endpoint, each once. */
export async function causesOfCheck(mistake: Mistake, failures: readonly RecordedFailure[]): Promise<string[]> {
  await using running = await mistake.start();
  const config = mistakeConfig(mistake, running);
  const checks = failures.map((failure) => checkOf(mistake, failure));
  const explained = await addCauses(
    { checks, exchanges: [] },
    { config, seed: 3, redact: configRedactor(config), withinMs },
  );
  return [...new Set(explained.flatMap(({ causes = [] }) => causes.map(({ id }) => id)))];
}

/** The causes that a diagnosis does not report. */
export function withoutReported(ids: readonly string[], { cause, suspects }: Diagnosis): string[] {
  const reported = new Set([cause?.id, ...suspects.map(({ id }) => id)]);
  return ids.filter((id) => !reported.has(id));
}

function checkOf({ surface }: Mistake, { requirement, verdict, code, event }: RecordedFailure): CheckResult {
  return {
    id: `${requirement}#recorded`,
    requirement,
    surface,
    title: requirement,
    level: 'must',
    verdict,
    durationMs: 0,
    evidence: [],
    ...(code !== undefined && { code: code }),
    ...(event !== undefined && {
      counterexample: { seed: 1, path: '0', runs: 1, shrinks: 0, event, differences: [] },
    }),
  };
}
