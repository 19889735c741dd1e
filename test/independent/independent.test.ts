import { describe } from 'vitest';
import { sampleFaults, sampleFramework } from './independent-sample.ts';
import { testCorrect, testMistakes } from './test-independent.ts';

// The other frameworks and mistakes: independent.ci.test.ts.
describe('a correct integrator', () => testCorrect([sampleFramework]));

describe('a mistake that users of a framework make', () => testMistakes(sampleFaults));
