import { describe } from 'vitest';
import { checkRules } from './check-rules.ts';
import { effectRules } from './effects.ts';

describe.concurrent('api-client effects', () => checkRules(effectRules));
