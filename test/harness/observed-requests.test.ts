import { describe, expect, it } from 'vitest';
import { observedRequestMutants } from '../mutants/observed-requests.ts';
import { setUp, startEndpoint } from '../proving/endpoint.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { runEngine, type EngineResult } from './engine/run-engine.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const notes = 'api-client/';

/** A run of some CRM checks against this endpoint; those of its requests to API v1 come last. */
async function runAgainst(seams: Seams, only: string[] = [], over: Partial<RunSettings> = {}): Promise<EngineResult> {
  await using running = await startEndpoint(seams);
  const config = configOf({ crm: running.crm }, { service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey } });
  if (config.crmWebhook) config.crmWebhook.token = setUp.token;
  return await runEngine({ settings: settingsOf(config, { runs: 5, only, ...over }), surfaces: ['crm-webhook'] });
}

const ofRequests = ({ checks }: EngineResult) => checks.filter(({ requirement }) => requirement.startsWith(notes));

describe('requests to API v1 during a run', () => {
  it('are judged without a client in the config, with the exchange as evidence', async () => {
    const keyless = observedRequestMutants.find(({ name }) => name === 'notes-without-an-api-key');
    const run = await runAgainst(keyless?.build() ?? {});
    const judged = ofRequests(run);
    expect(judged.map(({ source }) => source)).toEqual(judged.map(() => 'observed'));
    expect(judged.map(({ verdict }) => verdict)).not.toContain('not-exercised');
    const failed = judged.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ requirement }) => requirement)).toEqual(['api-client/carries-an-api-key']);
    const evidence = failed[0]?.evidence.at(-1);
    expect(evidence).toMatchObject({ kind: 'api', label: 'addNote, sent by the endpoint during the run' });
    expect(evidence?.request.url).toMatch(/\/v1\/notes$/);
    expect(run.reported).toBe(run.checks.length);
  });

  it('are not reported if there were none, or if other checks were selected', async () => {
    expect(ofRequests(await runAgainst({}))).toEqual([]);
    const writing = observedRequestMutants[0]?.build() ?? {};
    const { checks } = await runAgainst(writing, ['crm-webhook/answers-every-event']);
    expect(new Set(checks.map(({ requirement }) => requirement))).toEqual(new Set(['crm-webhook/answers-every-event']));
  });

  it('fail on purpose, so that retries are judged, unless the run is without trouble', async () => {
    const retrying = observedRequestMutants.find(({ name }) => name === 'notes-retried-under-another-key');
    const aboutRetries = (run: EngineResult) =>
      ofRequests(run).filter(({ requirement }) => /retr(y|ied)/.test(requirement));
    const only = ['crm-webhook/answers-every-event', 'api-client/retry-keeps-its-key', 'api-client/waits-after-429'];
    const troubled = ofRequests(await runAgainst(retrying?.build() ?? {}, only));
    expect(troubled.map(({ requirement, verdict }) => [requirement, verdict]).toSorted()).toEqual([
      ['api-client/retry-keeps-its-key', 'fail'],
      ['api-client/waits-after-429', 'pass'],
    ]);
    expect(troubled[0]?.evidence.at(-1)).toMatchObject({
      label: 'addNote, sent by the endpoint after a failure of API v1',
    });
    expect(aboutRetries(await runAgainst(retrying?.build() ?? {}, only, { withoutTrouble: true }))).toEqual([]);
  });
});
