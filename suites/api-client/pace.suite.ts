import { describe } from 'vitest';
import { paceRules } from './pace.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client pace', () => checkRules(paceRules));
