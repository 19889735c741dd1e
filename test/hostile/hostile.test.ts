import { describe, expect, it } from 'vitest';
import { checkHostile } from './check-hostile.ts';
import { everyHostile } from './every-hostile.ts';

/** Megabytes that a run may have at a time, whatever the endpoint sends. */
const mostMb = 400;
/** Milliseconds for one run: two minutes, and as much again on a busy machine. */
const runMs = 240_000;

/** The same mechanisms on another surface or at another size: `node test/hostile/run-hostile.ts` runs these too. */
const siblings: ReadonlySet<string> = new Set([
  'chat-trickling',
  'crm-endless-headers',
  'chat-endless-chunk',
  'chat-array-300-kb',
  'chat-string',
  'crm-number',
  'chat-number',
  'crm-null',
  'chat-empty-objects',
  'crm-array-30000-levels',
  'chat-array-30000-levels',
  'crm-array-100000-levels',
  'chat-object-30000-levels',
  'chat-wide-64-mb',
  'crm-gzip-bomb',
  'chat-nested-bomb',
  'crm-deflate-bomb',
  'chat-deflate-bomb',
  'chat-brotli-bomb',
]);

describe('an endpoint that wears its reader out', () => {
  const sample = everyHostile.filter(({ name }) => !siblings.has(name));
  it.each(sample.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s gets its verdict in bounded memory',
    { timeout: runMs },
    async (_, endpoint) => {
      const { report, peakMb, code, stderr } = await checkHostile(endpoint);
      if (!report) throw new Error(`no report, exit code ${code}: ${stderr}`);
      expect(code).toBe(report.verdict === 'non-conformant' ? 1 : 3);
      const verdicts = (id: string) => report.checks.filter((one) => one.requirement === id).map((one) => one.verdict);
      for (const id of endpoint.fails) expect(verdicts(id), id).toContain('fail');
      for (const id of endpoint.blocks ?? []) {
        expect(verdicts(id), id).toSatisfy((all: string[]) => all.includes('blocked') || all.includes('fail'));
        expect(verdicts(id), id).not.toContain('not-exercised');
      }
      const broken = report.checks.filter(({ message = '' }) => message.includes('The check itself threw'));
      expect(broken).toEqual([]);
      expect(peakMb).toBeLessThan(mostMb);
    },
  );
});
