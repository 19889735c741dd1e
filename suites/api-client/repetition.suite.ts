import { describe } from 'vitest';
import { repetitionRules } from './repetition.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client repetition', () => checkRules(repetitionRules));
