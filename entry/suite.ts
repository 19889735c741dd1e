/**
 * `svc-conform/suite`: checks of the integrator, run alongside ours by `svc-conform check --suites`. docs/own-suites.md
 * has a complete example.
 */
import { checkOwn, type CheckKit, type CheckOptions } from '../harness/checks/check.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { isOwnRequirement, ownRequirement, type OwnRequirement } from '../harness/checks/own-requirement.ts';
import { jsonObjectOf } from '../suites/json-object.ts';

export { describe } from 'vitest';
export type { CheckKit, CheckOptions } from '../harness/checks/check.ts';
export type { Finding } from '../harness/checks/finding.ts';
export type {
  Answer,
  Answered,
  Arrival,
  CallAnswer,
  CallFrame,
  CallObservation,
  Observation,
  WireExchange,
} from '../harness/wire/observation.ts';
export type { OwnRequirement } from '../harness/checks/own-requirement.ts';
export type { Samples } from '../harness/checks/samples.ts';
export { conclude } from '../suites/matchers/expect.ts';
export { expect } from './expect.ts';

/**
 * Defines your own requirement. Its row in the report has `own: true`; a failed `must` fails the run like one of the
 * interface.
 *
 * @throws HarnessFault `suite-unusable` (exit code 2 of the run) when a field is missing or invalid, or the id is one
 *   of the interface's requirements
 */
export function requirement(own: OwnRequirement): OwnRequirement {
  return ownRequirement(own);
}

/**
 * Registers one check of your own requirement. `title` reads as the required behaviour; `body` establishes the
 * situation with the drivers and samples of the kit and judges it with `expect` or `conclude`. The check passes when at
 * least one assertion was made and all of them passed, fails with the first failed one, is `not-exercised` after
 * `kit.notExercised(why)` and `not-applicable` after `kit.notApplicable(why)`, and is `blocked` when the endpoint is not
 * reached or the body throws anything other than an assertion.
 *
 * @throws HarnessFault `suite-unusable` for anything not returned by {@link requirement}: only our checks judge the
 *   interface's requirements, so that their verdicts mean the same everywhere
 */
export function check(
  own: OwnRequirement,
  title: string,
  body: (kit: CheckKit) => Promise<void>,
  options: CheckOptions = {},
): void {
  if (!isOwnRequirement(own)) {
    const received = typeof own === 'string' ? JSON.stringify(own) : `a value of type ${typeof own}`;
    throw new HarnessFault('suite-unusable:foreign-requirement', { received });
  }
  if (typeof title !== 'string' || !/[a-z0-9]/i.test(title)) {
    throw new HarnessFault('suite-unusable:title', { id: own.id, title: JSON.stringify(title) });
  }
  checkOwn(own, title, body, options);
}

/**
 * The JSON object in the answer, for assertions about its fields; `undefined` when there was no answer or it is not an
 * object.
 */
export function jsonOf({ answer }: Pick<Observation, 'answer'>): Record<string, unknown> | undefined {
  return answer.outcome === 'answered' ? jsonObjectOf(answer.body) : undefined;
}
