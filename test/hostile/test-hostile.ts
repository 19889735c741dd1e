import { afterAll, beforeAll, expect, it } from 'vitest';
import { secretForms } from '../bin/secret-forms.ts';
import { onThisMachine } from '../machine-speed.ts';
import { setUp } from '../proving/endpoint.ts';
import { junitProblems, sarifProblems } from '../reports/format-schemas.ts';
import { checkHostile, describeRuns, judgedOf, type HostileRun } from './check-hostile.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

/** Maximum peak memory of a run in megabytes, whatever the endpoint sends. */
const mostMb = 400;
/** Milliseconds for one run: two minutes, and as much again on a busy machine. */
const runMs = 240_000;
/** Concurrent runs: they mostly wait for the endpoint. */
const lanes = 4;
/** Concurrent runs that count many bytes: on busy processors, memory is freed too late. */
const countingLanes = 2;
/**
 * These runs count many bytes, so they come last, when other test files leave the processors free. The longest is
 * first.
 */
const counting: readonly string[] = ['chat-endless', 'crm-endless', 'crm-wide-8-mb'];

const exitCodes = { conformant: 0, 'conformant-with-warnings': 0, 'non-conformant': 1, incomplete: 3 };

/** Forms of the secrets that no file may contain, and halves of them, in lower case. */
const forbidden = [setUp.token, setUp.agentSecret, setUp.apiKey].flatMap((secret) => {
  const middle = secret.length >> 1;
  const forms = [...secretForms(secret), secret.slice(0, middle), secret.slice(middle)];
  return forms.map((form) => form.toLowerCase());
});

/** Asserts that the files of every format can be read, and that they contain no secret and no markup of the endpoint. */
async function assertHarmless(files: Record<string, string>): Promise<void> {
  expect(await junitProblems(files['junit.xml'] ?? '')).toEqual([]);
  expect(sarifProblems(JSON.parse(files['report.sarif'] ?? ''))).toEqual([]);
  expect(files['report.html']).toMatch(/<\/html>\s*$/);
  expect(files['report.html']).not.toMatch(/<img src=x|<script>document/);
  for (const [name, text] of Object.entries(files)) {
    const folded = text.toLowerCase();
    expect(
      forbidden.filter((form) => folded.includes(form)),
      name,
    ).toEqual([]);
  }
}

export type Runs = ReadonlyMap<string, PromiseWithResolvers<HostileRun>>;

async function runAll(endpoints: readonly HostileEndpoint[], atOnce: number, runs: Runs): Promise<void> {
  const left = [...endpoints];
  const workThrough = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const run = runs.get(next.name);
      // Prevents an unhandled rejection: a test reads the error later.
      run?.promise.catch(() => undefined);
      await measured(next).then(run?.resolve, run?.reject);
    }
  };
  await Promise.all(Array.from({ length: onThisMachine(atOnce) }, workThrough));
}

/** One run, and a second one if the first used too much: on busy processors, memory is freed too late. */
async function measured(endpoint: HostileEndpoint): Promise<HostileRun> {
  const run = await checkHostile(endpoint);
  return run.peakMb < mostMb ? run : await checkHostile(endpoint);
}

/**
 * Registers a test for each endpoint: the command gives a verdict about it in bounded memory. Returns the runs by name.
 */
export function testHostile(endpoints: readonly HostileEndpoint[]): Runs {
  const inOrder = endpoints.toSorted((a, b) => counting.indexOf(a.name) - counting.indexOf(b.name));
  const runs: Runs = new Map(endpoints.map(({ name }) => [name, Promise.withResolvers<HostileRun>()]));

  beforeAll(() => {
    const isCounting = ({ name }: HostileEndpoint) => counting.includes(name);
    const others = inOrder.filter((one) => !isCounting(one));
    void runAll(others, lanes, runs).then(() => runAll(inOrder.filter(isCounting), countingLanes, runs));
  });

  afterAll(async () => {
    const ended = await Promise.all([...runs.values()].map(({ promise }) => promise));
    console.log(describeRuns(ended));
  });

  it.each(inOrder.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s gets its verdict in bounded memory',
    { timeout: runMs },
    async (name, endpoint) => {
      const run = await runs.get(name)?.promise;
      if (!run) throw new Error(`${name} was not run`);
      const { report, files, peakMb, code, stderr } = run;
      if (!report) throw new Error(`no report, exit code ${code}: ${stderr}`);
      expect(code).toBe(exitCodes[report.verdict]);
      const judged: readonly string[] = judgedOf(endpoint);
      const verdicts = (id: string) => report.checks.filter((one) => one.requirement === id).map((one) => one.verdict);
      for (const id of endpoint.fails) expect(verdicts(id), id).toContain('fail');
      for (const id of endpoint.blocks ?? []) {
        expect(verdicts(id), id).toSatisfy((all: string[]) => all.includes('blocked') || all.includes('fail'));
        expect(verdicts(id), id).not.toContain('not-exercised');
      }
      for (const id of endpoint.passes ?? []) expect(new Set(verdicts(id)), id).toEqual(new Set(['pass']));
      const messages = report.checks.flatMap(({ requirement, verdict, message = '' }) =>
        (verdict === 'fail' || verdict === 'blocked') && judged.includes(requirement) ? [message] : [],
      );
      for (const message of endpoint.reason ? messages : []) expect(message).toMatch(endpoint.reason ?? '');
      const broken = report.checks.filter(({ message = '' }) => message.includes('The check itself threw'));
      expect(broken).toEqual([]);
      expect(peakMb).toBeLessThan(mostMb);
      await assertHarmless(files);
    },
  );
  return runs;
}
