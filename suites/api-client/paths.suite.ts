import { describe } from 'vitest';
import { pathRules } from './paths.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client paths', () => checkRules(pathRules));
