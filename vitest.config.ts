import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { onThisMachine, slowness } from './test/machine-speed.ts';

/** Code that V8 compiled for one of the many processes serves the others. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/svc-conform', import.meta.url));

/**
 * Files that take longest: started first, so that nothing waits for them in the end, and those of the proof in processes
 * whose priority no other file has lowered.
 */
const longest = [
  'test/proving.test.ts',
  'test/proving/do-nothing.test.ts',
  'test/diagnosis/mistakes.ci.test.ts',
  'test/hostile/hostile.ci.test.ts',
  'test/harness/shards.ci.test.ts',
  'test/crashes/crashes.ci.test.ts',
  'test/independent/independent.ci.test.ts',
  'test/load/artillery.ci.test.ts',
  'test/diagnosis/schemes.ci.test.ts',
  'test/package.ci.test.ts',
  'test/proving/mutants-over-tls.ci.test.ts',
  'test/fleet/queues.ci.test.ts',
  'test/trust/untrusted-fields.ci.test.ts',
  'test/bin/check-over-tls.ci.test.ts',
  'test/bin/check-image.ci.test.ts',
  'test/reports/report-in-browser.ci.test.ts',
  'test/bin/own-faults.ci.test.ts',
  'test/crashes/chaos.ci.test.ts',
  'test/own-image.ci.test.ts',
  'test/proving/two-faults.ci.test.ts',
  'test/crashes/instances.ci.test.ts',
  'test/bin/unwritten-result.ci.test.ts',
  'test/bin/pact-verify.test.ts',
  'test/diagnosis/phone.test.ts',
  'test/bin/diagnose.test.ts',
  'test/bin/brand.test.ts',
  'test/bin/serve.test.ts',
  'test/crashes/diagnose-crashes.test.ts',
  'test/bin/secrets.test.ts',
  'test/diagnosis/mistakes.test.ts',
  'test/diagnosis/timing.test.ts',
  'test/harness/second-effect.test.ts',
  'test/diagnosis/window.test.ts',
  'test/diagnosis/quiet-call.test.ts',
  'test/diagnosis/callback.test.ts',
  'test/diagnosis/http-stage.test.ts',
  'test/diagnosis/payload.test.ts',
  'test/reach/reaching.test.ts',
  'test/bin/replay.test.ts',
  'test/bin/run-output.test.ts',
  'test/bin/check.test.ts',
  'test/harness/engine.test.ts',
  'test/bin/client-secrets.test.ts',
  'test/reach/commands.test.ts',
  'test/harness/observed-requests.test.ts',
  'test/diagnosis/schemes.test.ts',
  'test/entry/conformance.test.ts',
  'test/harness/shards.test.ts',
  'test/contracts/own-ai-phone-contract.test.ts',
  'test/diagnosis/signature-search.test.ts',
  'test/diagnosis/deduplication.test.ts',
  'test/bin/public-url.test.ts',
  'test/bin/start.test.ts',
  'test/capture/check-capture.test.ts',
  'test/bin/broken-front.test.ts',
  'test/harness/property.test.ts',
  'test/hostile/hostile.test.ts',
  'test/generators/schema-diff.test.ts',
  'test/diagnosis/whole-diagnose.test.ts',
  'test/harness/run-ids.test.ts',
  'test/bin/time-budget.test.ts',
  'test/diagnosis/idle-call.test.ts',
  'test/diagnosis/cut.test.ts',
  'test/fleet/fleet-command.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/**
 * Tests that replace modules, which would stay replaced for the files after them: a process for each. All others share
 * processes, which saves half a second of processor time for each file, and the command line that tests run is loaded
 * once for many files.
 */
const replacingModules = [
  'test/bin/publish-report.test.ts',
  'test/fleet/run-fleet.test.ts',
  'test/service/missing-reference.test.ts',
];

/**
 * Tests that wait for most of their time, for answers and for silence, and use little processor time: twice as many of a
 * file run at the same time, and at least five on a slow machine.
 */
const waiting = [
  'test/contracts/own-ai-phone-contract.test.ts',
  'test/diagnosis/**/*.test.ts',
  'test/harness/property.test.ts',
  'test/harness/second-effect.test.ts',
  'test/reach/**/*.test.ts',
];

/**
 * Whole runs against many endpoints, of the packed package, in a browser and of containers: `npm run test:ci`. `npm test`
 * runs a sample of the hostile endpoints, the mistakes and the signature schemes.
 */
const inCi = ['test/**/*.ci.test.ts'];

const shared = {
  // Whole runs of the command line are among them, on machines that may be busy.
  testTimeout: 120_000 * slowness,
  hookTimeout: 120_000 * slowness,
  pool: 'forks' as const,
  isolate: false,
  // Much of it waits, for answers, for silence, for containers. More files and tests at the same time change verdicts about
  // times: a slow machine runs fewer.
  maxWorkers: Math.max(3, onThisMachine(6)),
  maxConcurrency: Math.max(2, onThisMachine(5)),
};

/**
 * Node loads TypeScript itself, and what V8 has compiled is kept: a sixth less processor time than with Vite's loader,
 * which only replaced modules need.
 */
const byNode = { ...shared, experimental: { viteModuleRunner: false, nodeLoader: false } } as const;

const { exclude } = configDefaults;

/** Our own tests. The conformance suites do not run from here; the command line runs them with a config of its own. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...byNode,
          name: 'tests',
          setupFiles: ['test/give-way.ts'],
          include: ['test/**/*.test.ts'],
          exclude: [...exclude, ...replacingModules, ...waiting, ...inCi],
        },
      },
      {
        test: {
          ...byNode,
          name: 'waiting',
          setupFiles: ['test/give-way.ts'],
          include: waiting,
          exclude: [...exclude, ...inCi],
          maxConcurrency: Math.max(5, onThisMachine(10)),
        },
      },
      { test: { ...shared, name: 'replacing-modules', include: replacingModules, isolate: true } },
      { test: { ...byNode, name: 'ci', include: inCi } },
    ],
  },
});
