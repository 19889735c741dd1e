import { describe, expect, it } from 'vitest';
import { probeFor } from '../../diagnosis/probe-for.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
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
