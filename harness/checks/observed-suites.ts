import { isEndpointSurface } from '../../specs/surfaces.ts';
import type { RunSettings } from '../config/settings.ts';
import type { CheckIdentity, CheckOutcome } from './check-outcome.ts';
import { suiteFiles } from './suite-files.ts';

/** The surface whose rules also judge what the endpoints request while they handle events. */
const observing = 'api-client';

/**
 * The suites that judge the requests to API v1 that endpoints send during a run, for a run of `files` that does not start
 * a client; none where no endpoint is contacted, unless such requests were observed before, or where other checks are
 * selected.
 *
 * @param files paths with `suites/<surface>/`
 */
export function observingSuites(
  files: readonly string[],
  { only, observed }: Pick<RunSettings, 'only' | 'observed'>,
  root: string,
): string[] {
  const surfaces = new Set(files.map((file) => /suites\/([^/]+)\//.exec(file)?.[1] ?? ''));
  if (surfaces.has(observing) || (!observed && ![...surfaces].some(isEndpointSurface))) return [];
  if (only.length > 0 && !only.some((id) => id.startsWith(`${observing}/`))) return [];
  return suiteFiles([observing], root);
}

/** Whether a check of such a suite had nothing to judge: the report does not list it. */
export function observedNothing({
  requirement,
  verdict,
  source,
}: CheckIdentity & Pick<CheckOutcome, 'verdict'>): boolean {
  return requirement.startsWith(`${observing}/`) && verdict === 'not-exercised' && source !== 'observed';
}
