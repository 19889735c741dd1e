import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { RunIds } from './run-ids.ts';

const script = fileURLToPath(new URL('run-ids.ts', import.meta.url));

it(
  'every id in the traffic of a run is known at API v1, with the same data, and every caller is one contact',
  { timeout: 240_000 },
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [script], { maxBuffer: 10_000_000 });
    const { events, ids, known, different, numbers, shared, examples } = JSON.parse(stdout) as RunIds;
    expect(examples).toEqual([]);
    expect({ known, different }).toEqual({ known: ids, different: 0 });
    expect(shared).toEqual([]);
    expect(numbers).toBeGreaterThan(100);
    expect(Object.keys(events).sort()).toEqual(['API webhook', 'CRM event', 'call', 'chat event', 'ping']);
    expect(Math.min(events['API webhook'] ?? 0, events['CRM event'] ?? 0, events['chat event'] ?? 0)).toBeGreaterThan(
      100,
    );
    expect(events['call']).toBeGreaterThan(100);
  },
);
