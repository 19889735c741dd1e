import { describe, expect, it } from 'vitest';
import { establishedCause, probeFor } from '../../diagnosis/probe-for.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import type { CheckResult } from '../../specs/generated/types.ts';
import { isEndpointSurface, surfaceOf } from '../../specs/surfaces.ts';

const rows = Object.entries<Requirement>(requirements);

describe('the probe for a requirement', () => {
  it('exists for each observable MUST and SHOULD, or a reason states why not', () => {
    const open = rows
      .filter(([id, { level, unobservable }]) => {
        return isEndpointSurface(surfaceOf(id)) && level !== 'advice' && unobservable === undefined;
      })
      .filter(([, { probe, unprobed }]) => probe === undefined && unprobed === undefined);
    expect(open.map(([id]) => id)).toEqual([]);
  });

  it('does not exist if there is a reason against it, or on a surface without a diagnosis', () => {
    expect(rows.filter(([, { probe, unprobed }]) => probe !== undefined && unprobed !== undefined)).toEqual([]);
    const probed = rows.filter(([id]) => probeFor(id) !== undefined).map(([id]) => surfaceOf(id));
    expect(new Set(probed)).toEqual(new Set(['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone']));
    expect(probeFor('own-ai-chat/no-such-requirement')).toBeUndefined();
  });
});

describe('the cause that a run has established', () => {
  const blocked = (pause: CheckResult['pause']): CheckResult => ({
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
    ...(pause && { pause }),
  });

  it('is a limit only by the pause that the endpoint asked for', () => {
    const stated = { status: 429, seconds: 60 };
    expect(establishedCause(blocked(stated))).toBe('http/rate-limited');
    expect(establishedCause({ ...blocked(stated), surface: 'api-client' })).toBeUndefined();
    // Without Retry-After, 429 may be how an endpoint refuses a signature.
    for (const pause of [{ status: 429 }, { status: 503, seconds: 60 }, undefined])
      expect(establishedCause(blocked(pause))).toBeUndefined();
  });
});
