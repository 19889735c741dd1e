import { describe } from 'vitest';
import { agentRules } from './agents.ts';
import { checkRules } from './check-rules.ts';

describe.concurrent('api-client replies and skills', () => checkRules(agentRules));
