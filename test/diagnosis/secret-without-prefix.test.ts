import { expect, it } from 'vitest';
import { addCauses } from '../../diagnosis/add-causes.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import type { CheckResult } from '../../specs/generated/types.ts';

const secret = 'whsec_dN3kT8vYp6QmWz2Lc7Jh5Rb9';

function checkOf(requirement: string, over: Partial<CheckResult>): CheckResult {
  return {
    id: `${requirement}#a-check`,
    requirement,
    surface: 'own-ai-chat',
    title: 'a check',
    level: 'must',
    verdict: 'fail',
    durationMs: 1,
    evidence: [],
    ...over,
  };
}

const failed = checkOf('own-ai-chat/accepts-valid-signature', { message: 'received status 401' });
const blocked = checkOf('own-ai-chat/refuses-wrong-secret', { verdict: 'blocked', code: 'control-failed' });

it.each([[[failed, blocked]], [[failed]]])(
  'a secret without its prefix is the cause of the failure as well as of what could not be judged',
  { timeout: 120_000 },
  async (checks) => {
    const integrator = await startIntegrator({
      crmToken: 'Kx7mQp2Vw9Zt4Bn8Rc',
      hookSecret: 'Hs4nVb8Qw2Lr6Tz1',
      agentSecret: secret,
      apiKey: 'svc_sk_Hq5Zt8Ny1Mb4',
      log: () => undefined,
    });
    try {
      const chat = { url: integrator.chatUrl, secret: 'env:AGENT_SECRET' };
      const config = resolveConfig({ chat }, { AGENT_SECRET: secret.replace('whsec_', '') }, 'The test');
      const redact = configRedactor(config);
      const filled = await addCauses({ checks, exchanges: [] }, { config, seed: 1, redact, withinMs: 60_000 });
      for (const { requirement, causes } of filled) {
        expect(causes, requirement).toMatchObject([{ id: 'config/secret-without-prefix', certain: true }]);
      }
    } finally {
      await integrator.close();
    }
  },
);
