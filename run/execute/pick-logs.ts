import type { Exchange, LogLine, Report } from '../../specs/generated/types.ts';

/** Maximum number of container log lines in a report. */
const mostLines = 2_000;
/** Maximum number of characters of these lines: browsers render reports, and the exchanges need room. */
const mostCharacters = 400_000;
/** First lines of the log, which show how the container started. */
const startingLines = 50;
/** Milliseconds around an exchange in which a line may be about it: logs are written before, during and after. */
const aroundMs = 250;

/** The lines that fit into a report, in order, and the number of lines that do not. */
export interface PickedLogs {
  logs: LogLine[];
  logsOmitted: number;
}

/** Picks the most useful lines: those around exchanges of failed checks, then those of the start, then the rest in order. */
export function pickLogs(
  lines: readonly LogLine[],
  { checks, exchanges }: Pick<Report, 'checks' | 'exchanges'>,
): PickedLogs {
  const open = checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
  const decisive = new Set(open.flatMap(({ evidence }) => evidence));
  const spans = exchanges.filter(({ id }) => decisive.has(id)).map(spanOf);
  const rank = (line: LogLine, at: number) => {
    const time = Date.parse(line.at);
    if (spans.some(({ from, to }) => time >= from && time <= to)) return 0;
    return at < startingLines ? 1 : 2;
  };
  const ranked = lines.map((line, at) => ({ line, at, rank: rank(line, at) }));
  const picked: typeof ranked = [];
  let characters = 0;
  for (const one of ranked.toSorted((a, b) => a.rank - b.rank || a.at - b.at)) {
    characters += one.line.text.length;
    if (picked.length === mostLines || characters > mostCharacters) break;
    picked.push(one);
  }
  return {
    logs: picked.toSorted((a, b) => a.at - b.at).map(({ line }) => line),
    logsOmitted: lines.length - picked.length,
  };
}

function spanOf({ startedAt, timing, call }: Exchange): { from: number; to: number } {
  const start = Date.parse(startedAt);
  const lasted = Math.max(timing.totalMs ?? 0, call?.end?.atMs ?? 0);
  return { from: start - aroundMs, to: start + lasted + aroundMs };
}
