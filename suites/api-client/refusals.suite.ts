import { describe } from 'vitest';
import { refusalRules } from './refusals.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client refusals', () => checkRules(refusalRules));
