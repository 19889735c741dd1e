import { describe } from 'vitest';
import { everyHostile } from './every-hostile.ts';
import { hostileSample } from './hostile-sample.ts';
import { testHostile } from './test-hostile.ts';

// hostile.ci.test.ts tests the other endpoints.
describe('an endpoint that exhausts its reader', () => {
  testHostile(everyHostile.filter(({ name }) => hostileSample.includes(name)));
});
