import { defineConfig } from 'vitest/config';

/** Our own tests. The conformance suites do not run from here; the command line runs them with a config of its own. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Whole runs of the command line are among them, on machines that may be busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    // Much of it waits, for answers, for silence, for containers.
    maxWorkers: 3,
  },
});
