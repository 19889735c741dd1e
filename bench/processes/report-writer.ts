import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitYoungGeneration } from '../../bin/show-run.ts';
import { writeReportFiles } from '../../run/publish/publish-report.ts';
import { sizedReport } from '../sized-report.ts';

// Writes report.json and report.html of a report with so many exchanges, with the settings of the command line, and
// sends the peak memory of this process.
limitYoungGeneration();
const out = await mkdtemp(join(tmpdir(), 'svc-conform-bench-'));
const report = sizedReport(Number(process.argv[2]), 60);
// What only this bench has allocated.
globalThis.gc?.();
const written = await writeReportFiles(report, { out, formats: ['html'] });
if ('failure' in written) throw written.failure;
await rm(out, { recursive: true });
process.send?.(process.resourceUsage().maxRSS / 1000);
process.disconnect?.();
