import { describe } from 'vitest';
import { captureChecks } from './capture-rules.ts';
import { crmCallbackRules } from './crm-callbacks.ts';
import { crmWebhookRules } from './crm-webhook.ts';

describe.concurrent('recorded crm-webhook', () => captureChecks([...crmWebhookRules, ...crmCallbackRules]));
