import { describe } from 'vitest';
import { valueRules } from './values.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client values', () => checkRules(valueRules, { ofBodies: true }));
