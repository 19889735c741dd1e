import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { CheckRecord, withRecord } from '../harness/checks/check-record.ts';
import { Session } from '../harness/checks/session.ts';
import { runDefaults, type RunSettings } from '../harness/config/settings.ts';
import { signatureHeader } from '../specs/signing.ts';
import { fromSchema } from '../generators/from-schema.ts';
import { limits } from '../specs/limits.ts';
import { schemas } from '../specs/schemas.ts';
import type { ApiWebhookEvent } from '../specs/generated/types.ts';
import { toBeAccepted } from '../suites/matchers/answer-matchers.ts';
import { forAnyEvent } from '../suites/for-any-event.ts';
import type { CheckKit } from '../harness/checks/check.ts';
import { compare } from './rounds.ts';

const cases = 500;
const secret = 'whsec_bench-secret-0123456789';

const endpoint = spawn(process.execPath, [fileURLToPath(new URL('trivial-endpoint.ts', import.meta.url))], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const [url] = (await once(createInterface({ input: endpoint.stdout }), 'line')) as [string];
const settings: RunSettings = {
  config: { apiWebhooks: { url, secret }, skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } },
  seed: 1,
  runs: cases,
  callbackWaitMs: limits.crmCallbackWithinMs,
  callbackLimitMs: limits.crmCallbackWithinMs,
  answerTimeoutMs: runDefaults.answerTimeoutMs,
  quietMs: runDefaults.quietMs,
  retryWatchMs: runDefaults.retryWatchMs,
  propertyMs: runDefaults.thoroughPropertyMs,
  shrinkMs: runDefaults.shrinkMs,
  only: [],
};
const session = await Session.open(settings);
const pool = new Pool(url);

/** Sends a fixed body of the average size of an event, signed once, and reads the answer, with undici alone. */
async function bare(): Promise<number> {
  const body = JSON.stringify(session.sample.apiWebhookEvent());
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

/** Generates, signs, sends and judges an event and records it as evidence, as a check does. */
async function whole(): Promise<number> {
  const kit = { ...session, settings } as unknown as CheckKit;
  const record = new CheckRecord();
  const from = performance.now();
  await withRecord(record, () =>
    forAnyEvent<ApiWebhookEvent>(kit, {
      events: fromSchema<ApiWebhookEvent>(schemas.apiWebhookEvent),
      edges: [],
      runs: cases,
      isValid: () => true,
      deliver: (event) => session.hooks.post(session.hooks.sign(event), { label: 'generated' }),
      judge: toBeAccepted,
    }),
  );
  if (record.judged !== cases) throw new Error(`expected ${cases} judgements, received ${record.judged}`);
  return (performance.now() - from) / cases;
}

await compare('Generated, signed, sent and judged cases, one at a time, compared with undici alone', 'ms', bare, whole);
await pool.close();
await session[Symbol.asyncDispose]();
endpoint.kill();
