import { hostileAnswers } from './answers.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

export const everyHostile: readonly HostileEndpoint[] = [
  { name: 'correct-crm', what: 'Correct.', surface: 'crm-webhook', fails: [], build: () => ({}) },
  { name: 'correct-chat', what: 'Correct.', surface: 'own-ai-chat', fails: [], build: () => ({}) },
  { name: 'correct-hooks', what: 'Correct.', surface: 'api-webhooks', fails: [], build: () => ({}) },
  { name: 'correct-phone', what: 'Correct.', surface: 'own-ai-phone', fails: [], build: () => ({}) },
  ...hostileAnswers,
];
