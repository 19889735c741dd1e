import { expect, it } from 'vitest';
import { runEngine } from '../harness/engine/run-engine.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';
import { setUp, startEndpoint } from '../proving/endpoint.ts';

it('reports no effect of refused calls where every call is refused', async () => {
  await using endpoint = await startEndpoint({ phone: { verify: () => false } });
  const config = configOf({}, { phone: { url: endpoint.voice, secret: setUp.agentSecret, timeoutSeconds: 2 } });
  const { checks } = await runEngine({
    settings: settingsOf(config, { only: ['own-ai-phone/refused-call-has-no-effect'] }),
    surfaces: ['own-ai-phone'],
  });
  expect(checks.length).toBeGreaterThan(1);
  expect(new Set(checks.map(({ verdict }) => verdict))).toEqual(new Set(['blocked']));
});
