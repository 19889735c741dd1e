/** The checks of the interface as tests of a Vitest project, for an endpoint that is running. */
import { conformance } from 'svc-conform/vitest';

conformance({ config: 'svc-conform.config.json', surface: ['api-webhooks', 'own-ai-chat'] });
