import { afterAll, beforeAll, describe } from 'vitest';
import { httpCases, httpTopics } from './http-cases.ts';
import { keyCases } from './key-cases.ts';
import { apiKey, secret, token } from './keys.ts';
import { ownSystem } from './own-system.ts';
import { phoneCases, phoneTopics } from './phone-cases.ts';
import { frameworks, type Served } from './served-snippets.ts';

const system = await ownSystem();
const addresses = { CRM_URL: system.url };
const keys = { AGENT_SECRET: secret, WEBHOOK_TOKEN: token, SVC_API_KEY: apiKey };
const noKeys = { AGENT_SECRET: '', WEBHOOK_TOKEN: '', SVC_API_KEY: '' };
afterAll(async () => system[Symbol.asyncDispose]());
// Every framework has processes that end with this one.
process.setMaxListeners(100);

const all = await Promise.all(
  Object.entries(frameworks).map(async ([name, framework]) => {
    const missing = await framework.missing(httpTopics);
    const missingForCalls = missing ?? (await framework.missing([...httpTopics, ...phoneTopics]));
    const topics = missingForCalls === undefined ? [...httpTopics, ...phoneTopics] : httpTopics;
    // All start at once, because compiling is slow.
    const building = missing === undefined ? framework.build(topics) : undefined;
    building?.catch(() => undefined);
    return { name, missing, missingForCalls, topics, building };
  }),
);
const unless = (missing: string | undefined) => (missing === undefined ? '' : ` (not here: ${missing})`);

for (const { name, missing, missingForCalls, topics, building } of all) {
  describe.skipIf(missing !== undefined)(`${name}${unless(missing)}`, { concurrent: true }, () => {
    const the = {} as { served: Served; keyless: Served };
    beforeAll(async () => {
      const built = await building!;
      [the.served, the.keyless] = await Promise.all([
        built.serve({ ...addresses, ...keys }),
        built.serve({ ...addresses, ...noKeys }),
      ]);
    });
    afterAll(async () => {
      await Promise.all([the.served?.[Symbol.asyncDispose](), the.keyless?.[Symbol.asyncDispose]()]);
      await (await building)?.[Symbol.asyncDispose]();
    });

    httpCases(name, the, system);
    keyCases(name, the, topics);
    describe.skipIf(missingForCalls !== undefined)(`on the phone${unless(missingForCalls)}`, { concurrent: true }, () =>
      phoneCases(name, the),
    );
  });
}
