import type { Certified, TargetCause } from '../../fleet/ledger.ts';

/** A certification of a conformant target. */
export function certified(over: Partial<Certified> = {}): Certified {
  return {
    state: 'complete',
    verdict: 'conformant',
    exitCode: 0,
    version: '0.1.0',
    startedAt: '2026-10-12T22:00:00.000Z',
    durationMs: 5000,
    digest: `sha256:${'0'.repeat(64)}`,
    requirements: { pass: 9, fail: 0, warn: 0, advice: 0, blocked: 0, notExercised: 0, notApplicable: 0 },
    causes: [],
    failed: [],
    ...over,
  };
}

/** A cause that the diagnosis found. */
export function cause(id: string, summary = `What ${id} means.`): TargetCause {
  return {
    key: `own-ai-chat ${id}`,
    id,
    surface: 'own-ai-chat',
    requirement: 'own-ai-chat/answers-valid-events',
    status: 'fail',
    summary,
    remediation: 'Fix it.',
  };
}

/** A certification of a target that fails for one cause. */
export function failing(id: string, over: Partial<Certified> = {}): Certified {
  const failed = ['own-ai-chat/answers-valid-events'];
  return certified({ verdict: 'non-conformant', exitCode: 1, causes: [cause(id)], failed, ...over });
}
