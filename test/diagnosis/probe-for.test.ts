import { describe, expect, it } from 'vitest';
import { establishedCause, probeFor } from '../../diagnosis/probe-for.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import type { CheckResult } from '../../specs/generated/types.ts';
import { isEndpointSurface, surfaceOf } from '../../specs/surfaces.ts';

const rows = Object.entries<Requirement>(requirements);

describe('the probe for a requirement', () => {
  it('is named for each must and should that can be observed, or there is a reason why none is', () => {
    const open = rows
      .filter(([id, { level, unobservable }]) => {
        return isEndpointSurface(surfaceOf(id)) && level !== 'advice' && unobservable === undefined;
      })
      .filter(([, { probe, unprobed }]) => probe === undefined && unprobed === undefined);
    expect(open.map(([id]) => id)).toEqual([]);
  });

  it('is not named for what has a reason against it, nor on a surface without a diagnosis', () => {
    expect(rows.filter(([, { probe, unprobed }]) => probe !== undefined && unprobed !== undefined)).toEqual([]);
    const probed = rows.filter(([id]) => probeFor(id) !== undefined).map(([id]) => surfaceOf(id));
    expect(new Set(probed)).toEqual(new Set(['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone']));
    expect(probeFor('own-ai-chat/no-such-requirement')).toBeUndefined();
  });
});

describe('the cause that a run has established', () => {
  const blocked = (status: number | undefined): CheckResult => ({
    id: 'own-ai-chat/answers-ping#a-check',
    requirement: 'own-ai-chat/answers-ping',
    surface: 'own-ai-chat',
    title: 'a check',
    level: 'must',
    verdict: 'blocked',
    code: 'target-throttles',
    message: 'http://x/ answered 503 and asked for a pause of 429 s (Retry-After)',
    durationMs: 1,
    evidence: [],
    ...(status !== undefined && { status }),
  });

  it('is a limit only by the status of the endpoint itself: 503 may be a maintenance page', () => {
    expect(establishedCause(blocked(429))).toBe('http/rate-limited');
    expect(establishedCause(blocked(503))).toBeUndefined();
    expect(establishedCause(blocked(undefined))).toBeUndefined();
    expect(establishedCause({ ...blocked(429), surface: 'api-client' })).toBeUndefined();
  });
});
