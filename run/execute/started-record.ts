import type { EndpointLogs } from '../../harness/start/endpoint-logs.ts';
import type { EndpointExit } from '../../harness/start/restarts.ts';
import type { Report } from '../../specs/generated/types.ts';
import { pickLogs } from './pick-logs.ts';

/** Completes a report of a run whose endpoint was started here. */
export type CompleteReport = (report: Report) => Promise<Report>;

/** The output of an endpoint as its report contains it. */
export function logsOf(report: Report, logs: EndpointLogs, aheadMs = 0): Pick<Report, 'logs' | 'logsOmitted'> {
  const picked = pickLogs(logs.lines(aheadMs), report);
  const omitted = picked.logsOmitted + logs.dropped;
  return { logs: picked.logs, ...(omitted > 0 && { logsOmitted: omitted }) };
}

/** Continues the sentence that an endpoint ended. */
export function describeExits({ exits }: EndpointExit, isDown: boolean): string {
  const again = isDown ? 'could not be started again' : 'was started again';
  return ` during the checks${exits === 1 ? '' : `, the last of ${exits} times`}, and ${again}`;
}
