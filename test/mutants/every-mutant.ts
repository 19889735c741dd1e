import { apiWebhookMutants } from './api-webhooks.ts';
import { answerMutants } from './crm-webhook-answers.ts';
import { eventMutants } from './crm-webhook-events.ts';
import { repetitionMutants } from './crm-webhook-repetition.ts';
import { tokenMutants } from './crm-webhook-tokens.ts';
import { chatAnswerMutants } from './own-ai-chat-answers.ts';
import { chatEventMutants } from './own-ai-chat-events.ts';
import { chatReplyMutants } from './own-ai-chat-replies.ts';
import type { Mutant } from './mutant.ts';

/** Every faulty endpoint. */
export const mutants: readonly Mutant[] = [
  ...tokenMutants,
  ...eventMutants,
  ...answerMutants,
  ...repetitionMutants,
  ...apiWebhookMutants,
  ...chatEventMutants,
  ...chatAnswerMutants,
  ...chatReplyMutants,
];
