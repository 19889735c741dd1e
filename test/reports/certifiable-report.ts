import { buildReport } from '../../reports/model/build-report.ts';
import { version } from '../../run/version.ts';
import type { Report } from '../../specs/generated/types.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';

/** A complete, conformant run that has just ended. */
export function certifiableReport(): Report {
  return buildReport({
    version: version(),
    protocol: '2026-10-11',
    startedAt: new Date().toISOString(),
    durationMs: 1,
    seed: 1,
    target: { 'own-ai-chat': { url: 'https://ai.example.com/chat' } },
    configured: ['own-ai-chat'],
    checks: Object.entries(requirements)
      .filter(([id, entry]) => id.startsWith('own-ai-chat/') && !('unobservable' in entry))
      .map(([requirement, { level }]) => ({
        id: `${requirement}#holds`,
        requirement,
        surface: 'own-ai-chat',
        title: 'holds',
        level,
        verdict: 'pass' as const,
        durationMs: 1,
        evidence: ['ex-1'],
      })),
    exchanges: [
      {
        id: 'ex-1',
        kind: 'http',
        label: 'one event as the service sends it',
        startedAt: new Date().toISOString(),
        request: { method: 'POST', url: 'https://ai.example.com/chat', headers: [], body: '{}', bodyBytes: 2 },
        response: { status: 200, headers: [], body: '{}', bodyBytes: 2 },
        outcome: 'answered',
        timing: { connectMs: 1, firstByteMs: 2, totalMs: 3 },
      },
    ],
    timings: [],
  });
}
