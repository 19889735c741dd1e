import { parseArgs } from 'node:util';
import { diagnoseAnswer } from '../../diagnosis/answer/diagnose-answer.ts';
import { diagnoseCallback } from '../../diagnosis/callback/diagnose-callback.ts';
import type { ProbeOutcome, Probe } from '../../diagnosis/outcome.ts';
import { diagnosePayload } from '../../diagnosis/payload/diagnose-payload.ts';
import { faultyAnswers } from './faulty-answers.ts';
import { faultyCallbacks } from './faulty-callbacks.ts';
import { faultyPayloads } from './faulty-payloads.ts';
import type { Faulty } from './faulty.ts';
import { openEndpoint } from './open-connection.ts';
import { rightEndpoints } from './right-endpoints.ts';

/**
 * Runs the probes of payloads, callbacks and answers against an endpoint for each cause and every correct one: `node
 * test/diagnosis/content-proof.ts [--only ID] [--right]`. Ends with 1 if a wrong cause is named.
 */
const { values } = parseArgs({
  options: { only: { type: 'string' }, right: { type: 'boolean' } },
});

interface Figure {
  area: string;
  cause: string;
  endpoint: string;
  reported: 'named' | 'suspected' | 'missed' | 'wrong';
  deliveries: number;
  seconds: number;
}

const areas: readonly (readonly [string, Probe, readonly Faulty[]])[] = [
  ['payload', diagnosePayload, faultyPayloads],
  ['callback', diagnoseCallback, faultyCallbacks],
  ['answer', diagnoseAnswer, faultyAnswers],
];

function toldOf({ found, suspects }: ProbeOutcome, { cause, suspected, says }: Faulty): Figure['reported'] {
  if (found)
    return found.id === cause && suspected !== true && (found.summary ?? '').includes(says ?? '') ? 'named' : 'wrong';
  return suspects[0]?.id === cause ? 'suspected' : 'missed';
}

const figures: Figure[] = [];
for (const [area, probe, faulties] of values.right === true ? [] : areas) {
  for (const faulty of faulties) {
    if (values.only !== undefined && faulty.cause !== values.only) continue;
    await using open = await openEndpoint(faulty.surface, faulty.build(), faulty.options);
    const from = performance.now();
    const outcome = await probe(open.connection);
    const reported = toldOf(outcome, faulty);
    const seconds = Math.round(performance.now() - from) / 1000;
    const { deliveries } = open.connection;
    figures.push({ area, cause: faulty.cause, endpoint: faulty.name, reported, deliveries, seconds });
    console.log(`${reported.padEnd(9)} ${faulty.cause}, ${faulty.name}: ${deliveries} deliveries, ${seconds} s`);
    if (reported === 'wrong' || reported === 'missed') console.log(JSON.stringify(outcome, null, 2));
  }
}

let accused = 0;
let right = 0;
for (const { name, surface, options, build } of values.only === undefined ? rightEndpoints : []) {
  for (const [area, probe] of areas) {
    await using open = await openEndpoint(surface, build(), options);
    const { found, suspects } = await probe(open.connection);
    right++;
    if (!found && suspects.length === 0) continue;
    accused++;
    console.log(`accused   ${name} (${surface}, ${area}): ${JSON.stringify(found ?? suspects)}`);
  }
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const summary = areas.map(([area]) => {
  const of = figures.filter((figure) => figure.area === area);
  const count = (reported: Figure['reported']) => of.filter((figure) => figure.reported === reported).length;
  return {
    area,
    endpoints: of.length,
    causes: new Set(of.map(({ cause }) => cause)).size,
    named: count('named'),
    suspected: count('suspected'),
    missed: count('missed'),
    wrong: count('wrong'),
    deliveriesMedian: median(of.map(({ deliveries }) => deliveries)),
    deliveriesWorst: Math.max(0, ...of.map(({ deliveries }) => deliveries)),
    secondsMedian: median(of.map(({ seconds }) => seconds)),
    secondsWorst: Math.max(0, ...of.map(({ seconds }) => seconds)),
  };
});
console.table(summary);
console.log(`${right} diagnoses of right endpoints, ${accused} of them with a cause or suspicion`);
process.exitCode = accused > 0 || figures.some(({ reported }) => reported === 'wrong' || reported === 'missed') ? 1 : 0;
