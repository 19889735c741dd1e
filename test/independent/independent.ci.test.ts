import { describe } from 'vitest';
import { faults } from './faults.ts';
import type { Framework } from './start-endpoint.ts';
import { offers, testCorrect, testMistakes } from './test-independent.ts';

describe('correct integrators', () => testCorrect(Object.keys(offers) as Framework[]));

describe('mistakes that users of a framework make', () => testMistakes(faults));
