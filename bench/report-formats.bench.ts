import { buildReport } from '../reports/model/build-report.ts';
import { formatNames } from '../reports/text/format-names.ts';
import { renderFormats } from '../reports/write/formats.ts';
import type { ReportFormat } from '../reports/text/format-names.ts';
import { requirements } from '../specs/requirements/catalogue.ts';
import type { Report } from '../specs/generated/types.ts';
import { compare } from './rounds.ts';

const exchangeCount = 1_000;

/** Goal for all formats together. */
const goalMs = 500;

const body = JSON.stringify({ id: 'evt_1', data: { text: 'When are you open? '.repeat(20), tags: ['a', 'b'] } });

/** A run with an exchange for each check, of which one in ten fails. */
function report(): Report {
  const ids = Object.keys(requirements).filter((id) => !id.startsWith('service/'));
  const surfaceOf = (id: string) => id.split('/', 1)[0] ?? id;
  return buildReport(
    {
      version: '0.0.0',
      protocol: '2026-10-11',
      startedAt: '2026-10-12T09:30:00.000Z',
      durationMs: 60_000,
      seed: 1,
      target: {},
      configured: ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone', 'api-client', 'deep-links'],
      checks: Array.from({ length: exchangeCount }, (_, index) => {
        const requirement = ids[index % ids.length] ?? '';
        const fails = index % 10 === 0;
        return {
          id: `${requirement}#check-${index}`,
          requirement,
          surface: surfaceOf(requirement),
          title: `check ${index}`,
          level: 'must',
          verdict: fails ? 'fail' : 'pass',
          durationMs: 3,
          ...(fails && { message: 'expected 401, received 200', expected: '401', received: '200' }),
          evidence: [`ex-${index}`],
        };
      }),
      exchanges: Array.from({ length: exchangeCount }, (_, index) => ({
        id: `ex-${index}`,
        kind: 'http',
        label: 'one event as the service sends it',
        startedAt: '2026-10-12T09:30:01.250Z',
        request: {
          method: 'POST',
          url: 'http://127.0.0.1:8080/chat',
          headers: [
            ['content-type', 'application/json'],
            ['x-svc-signature', '[redacted]'],
          ],
          body,
          bodyBytes: body.length,
        },
        response: { status: 200, headers: [['content-type', 'application/json']], body, bodyBytes: body.length },
        outcome: 'answered',
        timing: { connectMs: 0.4, firstByteMs: 11, totalMs: 12, limitMs: 2000 },
      })),
      timings: [],
    },
    requirements,
  );
}

const sample = report();

async function took(work: () => unknown): Promise<number> {
  const from = performance.now();
  work();
  return await Promise.resolve(performance.now() - from);
}

const stringify = () => took(() => JSON.stringify(sample, undefined, 2));
const title = `All formats of a report with ${exchangeCount} exchanges, compared with JSON.stringify`;
const { subject } = await compare(title, 'ms', stringify, () => took(() => renderFormats(sample, formatNames)));
console.log(`  goal     ${goalMs} ms, ${subject <= goalMs ? 'kept' : 'missed'}`);

const each = async (name: ReportFormat) => {
  const times = [];
  for (let round = 0; round < 5; round++) times.push(await took(() => renderFormats(sample, [name])));
  const bytes = Object.values(renderFormats(sample, [name])).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return `${name} ${times.toSorted((a, b) => a - b)[2]?.toFixed(1)} ms ${Math.ceil(bytes / 1024)} KiB`;
};
const rows = [];
for (const name of formatNames) rows.push(await each(name));
console.log(`  ${rows.join(', ')}`);
