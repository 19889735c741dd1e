import { describe } from 'vitest';
import { keyRules } from './keys.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client keys', () => checkRules(keyRules));
