import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Code that V8 compiled for one of the many processes serves the others. */
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/svc-conform', import.meta.url));

/** Files that take longest: started first, so that nothing waits for them in the end. */
const longest = [
  'test/proving.test.ts',
  'test/proving/two-faults.test.ts',
  'test/hostile/hostile.test.ts',
  'test/crashes/crashes.test.ts',
  'test/independent/independent.test.ts',
  'test/package.test.ts',
  'test/bin/serve.test.ts',
  'test/bin/client-secrets.test.ts',
  'test/bin/unwritten-result.test.ts',
  'test/reports/report-in-browser.test.ts',
  'test/bin/check-over-tls.test.ts',
  'test/bin/send.test.ts',
  'test/bin/own-suites.test.ts',
  'test/diagnosis/timing.test.ts',
  'test/diagnosis/deduplication.test.ts',
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

/** Tests of functions, which leave nothing behind: many files to a process, since loading takes longer than most tests. */
const ofFunctions = ['test/{generators,reports,specs}/**/*.test.ts'];

const shared = {
  // Whole runs of the command line are among them, on machines that may be busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  pool: 'forks',
  // Much of it waits, for answers, for silence, for containers.
  maxWorkers: 4,
} as const;

/** Our own tests. The conformance suites do not run from here; the command line runs them with a config of its own. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { ...shared, name: 'functions', include: ofFunctions, isolate: false } },
      {
        test: {
          ...shared,
          name: 'runs',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...ofFunctions],
        },
      },
    ],
  },
});
