import type { CheckOutcome, CheckIdentity } from '../harness/checks/check-outcome.ts';
import type { RunSettings } from '../harness/config/settings.ts';
import { requirements, type Requirement } from '../specs/requirements/catalogue.ts';

/** A check that failed or could not be judged. It has no stack, because where it was thrown is irrelevant. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';

  constructor(message: string) {
    super(message);
    this.stack = `${this.name}: ${message}`;
  }
}

/** Describes the evidence, the probable cause, the remediation and how to reproduce it. */
export function formatFailure(check: CheckIdentity, outcome: CheckOutcome, { seed }: RunSettings): string {
  const { verdict, message = '', code, finding, source } = outcome;
  if (verdict === 'blocked') return `It could not be judged${code === undefined ? '' : ` (${code})`}: ${message}`;
  const requirement = (requirements as Readonly<Record<string, Requirement | undefined>>)[check.requirement];
  const example = finding?.counterexample;
  const again = {
    // Requests of the endpoint come only with the events of the whole run.
    ...(source !== 'observed' && { only: [check.id] }),
    seed: example?.seed ?? seed,
    ...(example && example.path !== '' && { path: example.path }),
  };
  return [
    message,
    ...(finding?.hint === undefined ? [] : [`Probably: ${finding.hint}`]),
    ...(requirement ? [`Rule: ${requirement.statement} (${check.level}, section "${requirement.section}")`] : []),
    ...(requirement ? [`Fix: ${requirement.remediation}`] : []),
    `Rerun: conformance(${JSON.stringify(again)}), with your config`,
  ].join('\n');
}
