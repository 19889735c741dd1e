import { describe } from 'vitest';
import { testShards } from './test-shards.ts';

describe('four shards against a CRM webhook that accepts another token only', () => {
  testShards(['crm-webhook', 'deep-links'], { crmToken: 'Another1Token2Of3The4Webhook5' });
});
