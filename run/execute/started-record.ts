import type { EndpointLogs } from '../../harness/start/endpoint-logs.ts';
import type { EndpointExit } from '../../harness/start/exit-record.ts';
import type { Report } from '../../specs/generated/types.ts';
import { pickLogs } from './pick-logs.ts';

/** Completes a report of a run whose endpoint was started here. */
export type CompleteReport = (report: Report) => Promise<Report>;

/** The output of a process or container, and the milliseconds by which its clock is ahead of the local one. */
interface InstanceOutput {
  logs: EndpointLogs;
  aheadMs?: number;
}

/** The output of the instances of an endpoint as the report contains it. */
export function logsOf(report: Report, instances: readonly InstanceOutput[]): Pick<Report, 'logs' | 'logsOmitted'> {
  const lines = instances.flatMap(({ logs, aheadMs }) => logs.lines(aheadMs));
  const picked = pickLogs(
    lines.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))),
    report,
  );
  const dropped = instances.reduce((sum, { logs }) => sum + logs.dropped, 0);
  const omitted = picked.logsOmitted + dropped;
  return { logs: picked.logs, ...(omitted > 0 && { logsOmitted: omitted }) };
}

/** Continues the sentence that an endpoint ended. */
export function describeExits({ exits }: EndpointExit, isDown: boolean): string {
  const again = isDown ? 'could not be started again' : 'was started again';
  return ` during the checks${exits === 1 ? '' : `, the last of ${exits} times`}, and ${again}`;
}
