import { expect, it } from 'vitest';
import { runSuites } from '../../harness/checks/engine.ts';
import { requirements, type RequirementId } from '../../specs/requirements/catalogue.ts';
import { startEndpoint } from '../proving/endpoint.ts';
import { proofEndpoints } from '../proving/proof-endpoints.ts';
import { proofSettings } from '../proving/prove.ts';

/** What a phone endpoint passes that accepts every connection and never sends a frame, and why that is right. */
const passed: Readonly<Partial<Record<RequirementId, string>>> = {
  'own-ai-phone/connects-within-5-seconds': 'each connection was established in time',
  'own-ai-phone/accepts-valid-signature': 'correctly signed upgrades were accepted',
  'own-ai-phone/accepts-timestamp-inside-tolerance': 'upgrades with such times were accepted',
  'own-ai-phone/keeps-the-call-open': 'calls with sentences stayed up for seconds',
  'own-ai-phone/closes-with-the-service': 'it answered the close frame',
};

/** All but the refusals, which fail as it accepts every upgrade: each is watched for five seconds. */
const judged = (Object.keys(requirements) as RequirementId[]).filter(
  (id) => id.startsWith('own-ai-phone/') && !id.includes('refuse'),
);

it('an endpoint that accepts calls and stays silent passes only what it showed, and nothing is blocked', async () => {
  const endpoint = proofEndpoints.get('phone-never-answers');
  if (!endpoint) throw new TypeError('There is no such endpoint.');
  await using running = await startEndpoint({ phone: { isVerified: () => false, hear: () => undefined } });
  const settings = { ...proofSettings(endpoint, running, 'whole'), answerTimeoutMs: 2_000, only: judged };
  const checks = await runSuites({ settings, surfaces: ['own-ai-phone'] });
  const having = (verdict: string) => [
    ...new Set(checks.filter((one) => one.verdict === verdict).map(({ requirement }) => requirement)),
  ];
  expect(having('pass').sort()).toEqual(Object.keys(passed).sort());
  expect(having('fail')).toEqual(['own-ai-phone/answers-a-prompt']);
  expect(having('blocked')).toEqual([]);
}, 120_000);
