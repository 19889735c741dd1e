import { describe, expect, it } from 'vitest';
import { diagnoseToken } from '../../diagnosis/token/diagnose-token.ts';
import { tokenCauses } from '../../diagnosis/causes/token.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { diagnoseEndpoint } from './faulty-endpoint.ts';
import { doubtfulTokenEndpoints, rightTokenEndpoints, tokenEndpoints } from './token-endpoints.ts';

describe('a diagnosis of tokens', () => {
  for (const endpoint of [...tokenEndpoints, ...doubtfulTokenEndpoints]) {
    const { cause, suspect, what, says } = endpoint;
    it(`says ${cause ?? `that it may be ${String(suspect)}`}: ${what}`, async () => {
      const { outcome, deliveries } = await diagnoseEndpoint(diagnoseToken, endpoint);
      expect(outcome.found?.id).toBe(cause);
      if (cause === undefined) expect(outcome.suspects[0]?.id).toBe(suspect);
      if (says) expect(outcome.found?.summary).toMatch(says);
      expect(outcome.seen).toHaveLength(deliveries);
      expect(JSON.stringify(outcome)).not.toContain(credentials.token);
    });
  }

  for (const endpoint of rightTokenEndpoints) {
    it(`names and suspects nothing: ${endpoint.what}`, async () => {
      const { outcome } = await diagnoseEndpoint(diagnoseToken, endpoint);
      expect(outcome.found).toBeUndefined();
      expect(outcome.suspects).toEqual([]);
      expect(outcome.seen).not.toEqual([]);
    });
  }

  it('stops after a lockout: every later request would be refused', async () => {
    const endpoint = doubtfulTokenEndpoints.find(({ suspect }) => suspect === 'token/locks-out');
    const { outcome } = await diagnoseEndpoint(diagnoseToken, endpoint ?? expect.fail());
    expect(outcome.ends).toBe(true);
    expect(outcome.suspects[0]?.why).toContain('refused with 403, 3 times');
  });

  it('reports the passed points of a correct endpoint', async () => {
    const [endpoint] = rightTokenEndpoints;
    const { outcome, deliveries } = await diagnoseEndpoint(diagnoseToken, endpoint ?? expect.fail());
    expect(outcome.passed).toEqual([expect.stringContaining('refused with 401')]);
    expect(deliveries).toBeLessThanOrEqual(14);
  });

  it('can name every cause of its area', () => {
    const named = new Set(
      [...tokenEndpoints, ...doubtfulTokenEndpoints].flatMap(({ cause, suspect }) => [cause, suspect]),
    );
    expect(Object.keys(tokenCauses).filter((id) => !named.has(id as keyof typeof tokenCauses))).toEqual([]);
  });
});
