import { describe } from 'vitest';
import { signatureChecks } from '../signed-deliveries.ts';
import { signedEvents } from './signed-events.ts';

describe.concurrent('api-webhooks signatures', () => {
  signatureChecks(signedEvents);
});
