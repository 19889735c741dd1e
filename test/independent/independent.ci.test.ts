import { describe } from 'vitest';
import { faults } from './faults.ts';
import { sampleFaults, sampleFramework } from './independent-sample.ts';
import type { Framework } from './start-endpoint.ts';
import { offers, testCorrect, testMistakes } from './test-independent.ts';

const frameworks = (Object.keys(offers) as Framework[]).filter((framework) => framework !== sampleFramework);

describe('correct integrators', () => testCorrect(frameworks));

describe('mistakes that users of a framework make', () =>
  testMistakes(faults.filter((fault) => !sampleFaults.includes(fault))));
