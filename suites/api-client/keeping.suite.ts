import { describe } from 'vitest';
import { keepingRules } from './keeping.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client what is kept', () => checkRules(keepingRules));
