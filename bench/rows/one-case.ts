import type { Pool } from 'undici';
import { Session } from '../../harness/checks/session.ts';
import { signatureHeader } from '../../specs/signing.ts';
import { checkCases } from '../check-cases.ts';
import { runSettings, secret } from '../run-settings.ts';
import { openPool } from '../open-pool.ts';
import type { Row } from '../row.ts';
import { startEndpoint } from '../start-process.ts';

const cases = 500;

export const rows: readonly Row[] = [
  {
    name: 'one-case',
    what: 'one generated, signed, sent and judged case, one at a time',
    unit: 'ms',
    better: 'less',
    rounds: 9,
    run: async (compare) => {
      using endpoint = await startEndpoint('http-endpoint.ts');
      const settings = runSettings({ apiWebhooks: { url: endpoint.url, secret } }, cases);
      await using session = await Session.open(settings);
      await using pool = openPool(endpoint.url);
      await compare(
        () => checkCases(session, settings),
        [{ name: 'bare undici, one at a time', goal: { ratio: 1.5 }, measure: () => bareCases(session, pool) }],
      );
    },
  },
];

/** Sends a fixed body of the average size of an event, signed once, and reads the answer. */
async function bareCases({ sample }: Session, pool: Pool): Promise<number> {
  const body = JSON.stringify(sample.apiWebhookEvent());
  const headers = {
    'content-type': 'application/json',
    'x-svc-signature': signatureHeader({ secret, t: Math.floor(Date.now() / 1000), body }),
  };
  const from = performance.now();
  for (let at = 0; at < cases; at++) {
    const answer = await pool.request({ path: '/', method: 'POST', headers, body });
    await answer.body.arrayBuffer();
    if (answer.statusCode !== 200) throw new Error(`expected 200, received ${answer.statusCode}`);
  }
  return (performance.now() - from) / cases;
}
