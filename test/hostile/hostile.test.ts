import { describe } from 'vitest';
import { everyHostile } from './every-hostile.ts';
import { hostileSample } from './hostile-sample.ts';
import { testHostile } from './test-hostile.ts';

// The others: hostile.ci.test.ts.
describe('an endpoint that wears its reader out', () => {
  testHostile(everyHostile.filter(({ name }) => hostileSample.includes(name)));
});
