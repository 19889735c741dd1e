import type { CheckResult, Exchange, Report } from '../../specs/generated/types.ts';
import { suggestion } from '../../specs/nearest.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The parts of a report to repeat. */
export interface ReplayChoice {
  checks: readonly CheckResult[];
  /** An exchange that belongs to no failed or blocked check: it is sent alone. */
  exchange?: Exchange;
}

/**
 * Resolves an id of a report: a check, a requirement (its failed or blocked checks, or else all its checks), or an
 * exchange (the failed or blocked checks that use it as evidence, or else the exchange alone). Without an id, everything
 * that failed or was blocked.
 *
 * @throws HarnessFault when the report has no such id
 */
export function replayChoice({ checks, exchanges, requirements }: Report, id: string | undefined): ReplayChoice {
  // Requests of the endpoint come only with the events of a whole run.
  const open = checks.filter((check) => isOpen(check) && check.source !== 'observed');
  if (id === undefined) return { checks: open };
  const exchange = exchanges.find((one) => one.id === id);
  if (exchange) {
    const citing = open.filter(({ evidence }) => evidence.includes(id));
    return citing.length > 0 ? { checks: citing } : { checks: [], exchange };
  }
  const check = checks.find((one) => one.id === id);
  if (check?.source === 'observed') throw new HarnessFault('not-replayable:observed', { id });
  if (check) return { checks: [check] };
  const own = checks.filter(({ requirement }) => requirement === id);
  if (own.length > 0 && own.every(({ source }) => source === 'observed')) {
    throw new HarnessFault('not-replayable:observed', { id });
  }
  const ofRequirement = own.some(isOpen) ? own.filter(isOpen) : own;
  if (ofRequirement.length > 0) return { checks: ofRequirement };
  if (requirements.some((one) => one.id === id)) {
    throw new HarnessFault('not-replayable:no-check', { id });
  }
  const known = [...requirements.map((one) => one.id), ...checks.map((one) => one.id)];
  throw new HarnessFault('name-unknown:reported', { id, near: suggestion(id, known) });
}

/** Whether a check failed or could not be judged. */
function isOpen({ verdict }: CheckResult): boolean {
  return verdict === 'fail' || verdict === 'blocked';
}

/** The surface of an exchange: that of a check with this evidence, or else that of its address. */
export function surfaceOfExchange({ checks, target }: Report, exchange: Exchange): string | undefined {
  const citing = checks.find(({ evidence }) => evidence.includes(exchange.id));
  return citing?.surface ?? Object.keys(target).find((surface) => target[surface]?.url === exchange.request.url);
}
