import { describe } from 'vitest';
import { sampleFaults, sampleFramework } from './independent-sample.ts';
import { testCorrect, testMistakes } from './test-independent.ts';

// independent.ci.test.ts tests the other frameworks and mistakes.
describe('a correct integrator', () => testCorrect([sampleFramework]));

describe('a mistake that users of a framework make', () => testMistakes(sampleFaults));
