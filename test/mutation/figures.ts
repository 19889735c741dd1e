import { posix } from 'node:path';
import type { JudgedFault } from './judge-faults.ts';

/** Numbers of faults of one directory, or of all. */
export interface Figures {
  judged: number;
  killed: number;
  survived: number;
  notRun: number;
  equivalent: number;
}

/** The numbers of these faults. */
export function figuresOf(faults: readonly JudgedFault[]): Figures {
  const count = (outcome: JudgedFault['outcome']) => faults.filter((fault) => fault.outcome === outcome).length;
  return {
    judged: faults.length,
    killed: count('killed'),
    survived: count('survived'),
    notRun: count('not-run'),
    equivalent: count('equivalent'),
  };
}

/** The numbers of each directory as a table, with those of all faults that can be planted, and then the survivors. */
export function describeAsTable(planted: readonly { path: string }[], judged: readonly JudgedFault[]): string {
  const judgedIn = Map.groupBy(judged, ({ path }) => posix.dirname(path));
  const rows = [...Map.groupBy(planted, ({ path }) => posix.dirname(path))].map(([directory, all]) =>
    row(directory, all.length, figuresOf(judgedIn.get(directory) ?? [])),
  );
  const survivors = judged.filter(({ outcome }) => outcome === 'survived').map(labelFault);
  return [
    '| directory | planted | judged | killed | survived | not run | equivalent |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    row('all', planted.length, figuresOf(judged)),
    ...(survivors.length === 0 ? [] : ['', `Survivors (${survivors.length}):`, ...survivors]),
    '',
  ].join('\n');
}

/** `suites/a.ts:3:7 swapped-logic: a && b -> (a || b)` */
export function labelFault({
  path,
  line,
  column,
  operator,
  before,
  after,
}: Pick<JudgedFault, 'path' | 'line' | 'column' | 'operator' | 'before' | 'after'>): string {
  const short = (text: string) => {
    const inLine = text.replaceAll(/\s+/g, ' ');
    return inLine.length > 70 ? `${inLine.slice(0, 70)}…` : inLine;
  };
  return `${path}:${line}:${column} ${operator}: ${short(before)} -> ${short(after)}`;
}

function row(name: string, planted: number, { judged, killed, survived, notRun, equivalent }: Figures): string {
  return `| ${[name, planted, judged, killed, survived, notRun, equivalent].join(' | ')} |`;
}
