import { describe } from 'vitest';
import { apiWebhookRules } from './api-webhooks.ts';
import { captureChecks } from './capture-rules.ts';

describe.concurrent('recorded api-webhooks', () => captureChecks(apiWebhookRules));
