import { startVitest } from 'vitest/node';

// A run of Vitest with one empty test, with the settings of our engine.
const vitest = await startVitest('test', [], {
  config: false,
  root: import.meta.dirname,
  include: ['empty.suite.ts'],
  pool: 'threads',
  isolate: false,
  watch: false,
  reporters: [{}],
});
const [file] = vitest.state.getTestModules();
if (file?.state() !== 'passed') throw new Error(`expected the empty test to pass, received ${file?.state()}`);
await vitest.close();
process.exit();
