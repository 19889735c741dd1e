import { describe, expect, it } from 'vitest';
import { contractChecks } from '../../contracts/contract-checks.ts';
import { serviceContracts } from '../../contracts/contract-files.ts';
import { BrokerError, type BrokerSettings } from '../../contracts/pact-broker-client.ts';
import { publishVerification } from '../../contracts/publish-verification.ts';
import type { CheckResult, Verdict } from '../../specs/generated/types.ts';
import { fakeBroker, type FakeBroker } from './fake-broker.ts';

const surface = 'api-webhooks';
const checks = contractChecks(await serviceContracts([surface]));

/** A run in which every interaction has this verdict, except the given ones. */
function results(verdict: Verdict, others: Readonly<Record<number, Partial<CheckResult>>> = {}): CheckResult[] {
  return checks.map(({ identity }, at) => ({
    ...identity,
    surface,
    verdict,
    durationMs: 1,
    evidence: [],
    ...others[at],
  }));
}

async function publish(broker: FakeBroker, run: CheckResult[], over: Partial<BrokerSettings> = {}): Promise<string[]> {
  const notes: string[] = [];
  await publishVerification({
    broker: { url: broker.url, publish: true, providerVersion: 'abc123', ...over },
    surfaces: [surface],
    checks: run,
    note: (line) => notes.push(line),
  });
  return notes;
}

describe('a broker receives', () => {
  it('the contract once, if it lacks it', async () => {
    await using broker = await fakeBroker();
    await publish(broker, results('pass'), { publish: false });
    await publish(broker, results('pass'), { publish: false });
    expect(broker.requests.filter(({ path }) => path === '/contracts/publish')).toHaveLength(1);
    expect([...broker.pacts.keys()]).toEqual([
      expect.stringMatching(/^\/pacts\/provider\/api-webhooks\/consumer\/svc\/version\/2026-10-11-[0-9a-f]{12}$/),
    ]);
    expect([...broker.pacts.values()][0]?.interactions).toHaveLength(checks.length);
    expect(broker.results).toEqual([]);
  });

  it('each verified interaction, by the id of the broker', async () => {
    await using broker = await fakeBroker();
    await publish(broker, results('pass'), { providerBranch: 'feature/x' });
    expect(broker.results).toHaveLength(1);
    expect(broker.results[0]).toMatchObject({ providerApplicationVersion: 'abc123', success: true });
    expect(broker.results[0]?.testResults).toEqual(
      checks.map((_, at) => expect.objectContaining({ interactionId: `id-${at}`, success: true }) as object),
    );
    expect(broker.requests.find(({ method }) => method === 'PUT')?.path).toBe(
      '/pacticipants/api-webhooks/branches/feature/x/versions/abc123',
    );
  });

  it('a failure, with what was expected and received', async () => {
    await using broker = await fakeBroker();
    await publish(
      broker,
      results('pass', { 1: { verdict: 'fail', level: 'must', message: 'expected A, received B' } }),
    );
    expect(broker.results[0]?.success).toBe(false);
    expect((broker.results[0]?.testResults as unknown[])[1]).toMatchObject({
      interactionId: 'id-1',
      success: false,
      mismatches: [{ description: 'expected A, received B' }],
    });
  });

  it('only the part of an answer that a message needs', async () => {
    await using broker = await fakeBroker();
    await publish(broker, results('pass', { 1: { verdict: 'fail', level: 'must', message: 'x'.repeat(50_000) } }));
    expect(JSON.stringify(broker.results[0]).length).toBeLessThan(10_000);
  });

  it('success, when only SHOULD requirements fail', async () => {
    await using broker = await fakeBroker();
    await publish(broker, results('pass', { 0: { verdict: 'fail', level: 'should', message: 'a warning' } }));
    expect(broker.results[0]?.success).toBe(true);
    expect((broker.results[0]?.testResults as unknown[])[0]).toMatchObject({ success: false });
  });

  it('nothing about interactions that were not exercised', async () => {
    await using broker = await fakeBroker();
    await publish(broker, results('pass', { 0: { verdict: 'not-exercised' } }));
    expect(broker.results[0]?.testResults).toHaveLength(checks.length - 1);
    expect(broker.results[0]?.success).toBe(true);
  });

  it.each([
    [
      'something is blocked',
      results('pass', { 3: { verdict: 'blocked' } }),
      /1 of its interactions could not be judged/,
    ],
    ['nothing was exercised', results('not-exercised'), /none of its interactions was exercised/],
  ])('no result when %s', async (_, run, why) => {
    await using broker = await fakeBroker();
    const notes = await publish(broker, run);
    expect(broker.results).toEqual([]);
    expect(notes.at(-1)).toMatch(why);
  });
});

describe('a broker that does not accept it', () => {
  it('the token, and is named if it refuses the token', async () => {
    await using broker = await fakeBroker({ token: 'right' });
    await publish(broker, results('pass'), { token: 'right' });
    expect(broker.results).toHaveLength(1);
    await expect(publish(broker, results('pass'), { token: 'wrong' })).rejects.toThrow(
      /expected 2xx, received 401 .*Check the token\./,
    );
  });

  it('gets the token at no other address', async () => {
    await using other = await fakeBroker();
    await using broker = await fakeBroker({
      links: () => ({ 'pb:publish-pact': { href: `${other.url}/{provider}` } }),
    });
    const error = await publish(broker, results('pass'), { token: 'right' }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(BrokerError);
    expect((error as Error).message).toContain('links to another host');
    expect(other.requests).toEqual([]);
  });

  it('is read up to the maximum size of an answer', async () => {
    await using broker = await fakeBroker({ endless: true });
    await expect(publish(broker, results('pass'))).rejects.toThrow(
      /expected an answer of at most 16 MB, received more/,
    );
  });

  it('is refused where its answers are nested deeper than those of a broker', async () => {
    let links: Record<string, unknown> = {};
    for (let level = 0; level < 300; level++) links = { links };
    await using broker = await fakeBroker({ links: () => links });
    const publishing = publish(broker, results('pass'));
    await expect(publishing).rejects.toThrow(BrokerError);
    await expect(publishing).rejects.toThrow(`GET ${broker.url}: expected the JSON of a broker, received JSON nested`);
  });

  it('is named if it does not exist', async () => {
    let url: string;
    {
      await using broker = await fakeBroker();
      ({ url } = broker);
    }
    const publishing = publishVerification({
      broker: { url, publish: false },
      surfaces: [surface],
      checks: [],
      note: () => undefined,
    });
    await expect(publishing).rejects.toThrow(`GET ${url}: no answer`);
  });
});
