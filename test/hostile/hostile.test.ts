import { describe, expect, it } from 'vitest';
import { everyHostile } from './every-hostile.ts';
import { hostileSample } from './hostile-sample.ts';
import { testHostile } from './test-hostile.ts';

// hostile.ci.test.ts tests the other endpoints.
describe('an endpoint that exhausts its reader', () => {
  const sample = everyHostile.filter(({ name }) => hostileSample.includes(name));

  it('is in the sample by a name that exists', () => {
    expect(sample.map(({ name }) => name).toSorted()).toEqual(hostileSample.toSorted());
  });

  testHostile(sample);
});
