import { describe, it } from 'vitest';
import { deduplicationCauses } from '../../diagnosis/causes/deduplication.ts';
import { diagnoseDeduplication } from '../../diagnosis/deduplication/diagnose-deduplication.ts';
import { deduplicationEndpoints, rememberingEndpoints } from './deduplication-endpoints.ts';
import { diagnoseEndpoint } from './faulty-endpoint.ts';

describe.concurrent('a diagnosis of deduplication', () => {
  for (const endpoint of deduplicationEndpoints) {
    const { cause, suspect, what, says, surface } = endpoint;
    it(`says ${String(cause ?? suspect)}: ${what} (${surface})`, async ({ expect }) => {
      const { outcome } = await diagnoseEndpoint(diagnoseDeduplication, endpoint);
      expect(outcome.found?.id, outcome.seen.join('\n')).toBe(cause);
      expect(outcome.suspects.map(({ id }) => id)).toEqual(suspect === undefined ? [] : [suspect]);
      if (says) expect(outcome.found?.summary).toMatch(says);
    });
  }

  for (const endpoint of rememberingEndpoints) {
    it(`names and suspects nothing: ${endpoint.what} (${endpoint.surface})`, async ({ expect }) => {
      const { outcome } = await diagnoseEndpoint(diagnoseDeduplication, endpoint);
      expect(outcome.found, outcome.seen.join('\n')).toBeUndefined();
      expect(outcome.suspects).toEqual([]);
    });
  }

  it('passes only if an effect was observed', async ({ expect }) => {
    const fineOf = async (what: string) => {
      const endpoint = rememberingEndpoints.find((one) => one.what === what) ?? expect.fail();
      return (await diagnoseEndpoint(diagnoseDeduplication, endpoint)).outcome.passed;
    };
    expect(await fineOf('right')).toHaveLength(2);
    expect(await fineOf('showing nothing')).toEqual([]);
  });

  it('observes effects although callbacks for other events are missing', async ({ expect }) => {
    const what = 'a new case each time, seen by its number alone';
    const endpoint = deduplicationEndpoints.find((one) => one.what === what) ?? expect.fail();
    const { outcome } = await diagnoseEndpoint(async (connection) => {
      connection.isCallbackMissing = true;
      return await diagnoseDeduplication(connection);
    }, endpoint);
    expect(outcome.found?.id, outcome.seen.join('\n')).toBe('deduplication/none');
  });

  it('can name every cause of its area', ({ expect }) => {
    const named = new Set(deduplicationEndpoints.map(({ cause, suspect }) => cause ?? suspect));
    const ids = Object.keys(deduplicationCauses) as (keyof typeof deduplicationCauses)[];
    expect(ids.filter((id) => !named.has(id))).toEqual([]);
  });
});
