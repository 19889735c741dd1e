import { describe } from 'vitest';
import { bodyRules } from './bodies.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client bodies', () => checkRules(bodyRules, { ofBodies: true }));
