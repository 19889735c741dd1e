import { parseArgs } from 'node:util';
import type { Probe } from '../../diagnosis/outcome.ts';
import { diagnoseDeduplication } from '../../diagnosis/deduplication/diagnose-deduplication.ts';
import { diagnoseTiming } from '../../diagnosis/timing/diagnose-timing.ts';
import { diagnoseToken } from '../../diagnosis/token/diagnose-token.ts';
import { deduplicationEndpoints, rememberingEndpoints } from './deduplication-endpoints.ts';
import { diagnoseEndpoint, type FaultyEndpoint } from './faulty-endpoint.ts';
import { timelyEndpoints, timingEndpoints } from './timing-endpoints.ts';
import { rightTokenEndpoints, tokenEndpoints } from './token-endpoints.ts';

/** The result of the diagnosis of one endpoint. */
interface Row {
  area: string;
  cause: string;
  endpoint: string;
  result: 'right' | 'wrong' | 'none';
  said: string;
  deliveries: number;
  seconds: number;
}

const areas: readonly [string, Probe, readonly FaultyEndpoint[]][] = [
  ['token', diagnoseToken, [...tokenEndpoints, ...rightTokenEndpoints]],
  ['timing', diagnoseTiming, [...timingEndpoints, ...timelyEndpoints]],
  ['deduplication', diagnoseDeduplication, [...deduplicationEndpoints, ...rememberingEndpoints]],
];

const usage = 'Usage: node test/diagnosis/conduct-proof.ts [--area token|timing|deduplication] [--json]';
const { values } = parseArgs({ options: { area: { type: 'string' }, json: { type: 'boolean', default: false } } });
const chosen = areas.filter(([area]) => values.area === undefined || values.area === area);
if (chosen.length === 0) {
  console.error(usage);
  process.exit(2);
}

const rows: Row[] = [];
for (const [area, probe, endpoints] of chosen) {
  // One at a time: an endpoint whose times are measured needs the whole machine.
  for (const endpoint of endpoints) {
    const row = await rowOf(area, probe, endpoint);
    rows.push(row);
    if (!values.json) console.log(lineOf(row));
  }
}
if (values.json) console.log(JSON.stringify(rows, null, 2));
else {
  for (const [area] of chosen)
    console.log(
      summaryOf(
        area,
        rows.filter((row) => row.area === area),
      ),
    );
}
process.exitCode = rows.every(({ result }) => result === 'right') ? 0 : 1;

async function rowOf(area: string, probe: Probe, endpoint: FaultyEndpoint): Promise<Row> {
  const { outcome, deliveries, seconds } = await diagnoseEndpoint(probe, endpoint);
  const { found, suspects } = outcome;
  const suspected = suspects[0]?.id;
  // Without a cause that must be named, the expected suspect counts; a correct endpoint has none.
  const isRight = found?.id === endpoint.cause && (endpoint.cause !== undefined || suspected === endpoint.suspect);
  return {
    area,
    cause: endpoint.cause ?? (endpoint.suspect === undefined ? 'none' : `suspected: ${endpoint.suspect}`),
    endpoint: `${endpoint.surface}: ${endpoint.what}`,
    result: isRight ? 'right' : found ? 'wrong' : 'none',
    said: found ? found.id : suspected === undefined ? 'nothing' : `suspected: ${suspected}`,
    deliveries,
    seconds: Math.round(seconds * 10) / 10,
  };
}

function lineOf({ result, cause, endpoint, said, deliveries, seconds }: Row): string {
  const verdict = result === 'right' ? 'right' : `${result} (${said})`;
  return `${verdict.padEnd(6)} ${cause.padEnd(44)} ${String(deliveries).padStart(3)} deliveries ${seconds.toFixed(1).padStart(5)} s  ${endpoint}`;
}

function summaryOf(area: string, all: readonly Row[]): string {
  const count = (result: Row['result']) => all.filter((row) => row.result === result).length;
  const sorted = (pick: (row: Row) => number) => all.map(pick).sort((a, b) => a - b);
  const spread = (numbers: readonly number[]) =>
    `${numbers[Math.floor(numbers.length / 2)] ?? 0} median, ${numbers.at(-1) ?? 0} at most`;
  const causes = new Set(all.map(({ cause }) => cause).filter((cause) => cause !== 'none'));
  return [
    `${area}: ${causes.size} causes, ${all.length} endpoints; ${count('right')} right, ${count('wrong')} named wrong, ${count('none')} not named.`,
    `  deliveries: ${spread(sorted(({ deliveries }) => deliveries))}; seconds: ${spread(sorted(({ seconds }) => seconds))}`,
  ].join('\n');
}
