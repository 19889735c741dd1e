import type { EndpointLogs } from './endpoint-logs.ts';

/** Lines of output in a message. */
const shownLines = 15;

/** The latest output of an endpoint, to be appended to a message. One that has started and written nothing is reported. */
export function formatLatestLines(logs: EndpointLogs, hasStarted = true): string {
  const lines = logs.lines().slice(-shownLines);
  if (lines.length === 0) return hasStarted ? ' It has written no output.' : '';
  return [' Its latest output:', ...lines.map(({ text }) => `  ${text}`)].join('\n');
}
