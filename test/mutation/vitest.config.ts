import { defineConfig } from 'vitest/config';
import { readPlanted } from './planted-fault.ts';

/** The unit tests with planted faults: Vitest loads the sources with switches, as `plant.ts` has Node do. */
export default defineConfig({
  plugins: [{ name: 'planted-sources', enforce: 'pre', load: (id) => readPlanted(id.replace(/[?#].*$/s, '')) }],
  test: {
    include: ['**/*.test.ts'],
    pool: 'forks',
    isolate: false,
    maxWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
