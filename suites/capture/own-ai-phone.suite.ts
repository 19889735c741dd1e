import { describe } from 'vitest';
import { captureChecks } from './capture-rules.ts';
import { ownAiPhoneRules } from './own-ai-phone.ts';

describe.concurrent('recorded own-ai-phone', () => captureChecks(ownAiPhoneRules));
