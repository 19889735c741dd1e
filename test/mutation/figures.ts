import type { JudgedFault } from './judge-faults.ts';

/** Numbers of faults of one file, or of all. */
export interface Figures {
  planted: number;
  killed: number;
  survived: number;
  notRun: number;
  equivalent: number;
}

/** The numbers of these faults. */
export function figuresOf(faults: readonly JudgedFault[]): Figures {
  const count = (outcome: JudgedFault['outcome']) => faults.filter((fault) => fault.outcome === outcome).length;
  return {
    planted: faults.length,
    killed: count('killed'),
    survived: count('survived'),
    notRun: count('not-run'),
    equivalent: count('equivalent'),
  };
}

/** The numbers of each file as a table, and then the survivors. */
export function describeAsTable(faults: readonly JudgedFault[]): string {
  const rows = [...byFile(faults)].map(([path, of]) => row(path, figuresOf(of)));
  const survivors = faults.filter(({ outcome }) => outcome === 'survived').map(labelFault);
  return [
    '| file | planted | killed | survived | not run | equivalent |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    row('all', figuresOf(faults)),
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

function row(name: string, { planted, killed, survived, notRun, equivalent }: Figures): string {
  return `| ${[name, planted, killed, survived, notRun, equivalent].join(' | ')} |`;
}

function byFile(faults: readonly JudgedFault[]): Map<string, JudgedFault[]> {
  return Map.groupBy(faults, ({ path }) => path);
}
