import { expect, it } from 'vitest';
import { loadVerdict } from '../../load/load-verdict.ts';
import type { LoadFinding, LoadStep, LoadSurface } from '../../specs/generated/types.ts';

const step = (over: Partial<LoadStep> = {}): LoadStep => ({
  ...{ load: 1, seconds: 1, sent: 1, late: 0, failed: 0, uncertain: 0, times: null, ownLagMs: 0, outcome: 'missed' },
  ...over,
});
const chat: LoadSurface = {
  surface: 'own-ai-chat',
  url: 'http://127.0.0.1:1/',
  unit: 'deliveries-per-second',
  deadline: { requirement: 'own-ai-chat/answers-in-time', ms: 10_000 },
  ...{ meets: 8, misses: 16, ended: 'edge', steps: [step({ late: 5 })], findings: [] },
};
const phone: LoadSurface = {
  ...chat,
  surface: 'own-ai-phone',
  deadline: { requirement: 'own-ai-phone/first-piece-within-timeout', ms: 10_000 },
};
const finding = (level: LoadFinding['level']): LoadFinding => ({
  requirement: 'own-ai-chat/keeps-conversations-apart',
  ...{ level, expected: '', received: '', count: 1, load: 1 },
});
const firstLoad = { meets: null, misses: 1, ended: 'first-load' } as const;
const notRecovered = { ended: 'not-recovered' } as const;

it.each<[why: string, verdict: string, surface: LoadSurface]>([
  ['an edge was found', 'conformant', chat],
  ['a MUST failed', 'non-conformant', { ...chat, findings: [finding('must')] }],
  ['a SHOULD failed', 'conformant-with-warnings', { ...chat, findings: [finding('should')] }],
  ['the first load is late for a MUST', 'non-conformant', { ...chat, ...firstLoad }],
  [
    'a first call is connected late',
    'non-conformant',
    { ...phone, ...firstLoad, steps: [step({ late: 1, lateSetUps: 1 })] },
  ],
  [
    'a first answer of a call is late',
    'conformant-with-warnings',
    { ...phone, ...firstLoad, steps: [step({ late: 1 })] },
  ],
  ['nothing succeeds at the first load', 'incomplete', { ...chat, ...firstLoad, steps: [step({ failed: 5 })] }],
  ['no answer could be timed', 'incomplete', { ...chat, meets: null, misses: null, ended: 'nothing-timed' }],
  ['svc-conform was too slow', 'incomplete', { ...chat, ended: 'own-lag' }],
  ['single events fail after a miss', 'incomplete', { ...chat, ...notRecovered, recovery: step({ failed: 1 }) }],
  [
    'a single call is connected late after a miss',
    'non-conformant',
    { ...phone, ...notRecovered, recovery: step({ late: 1, lateSetUps: 1 }) },
  ],
])('if %s, the load is %s', (_, verdict, surface) => {
  expect(loadVerdict([{ ...chat }, surface])).toBe(verdict);
});
