import { clientConductMutants } from './api-client-conduct.ts';
import { clientValueMutants } from './api-client-values.ts';
import { clientMutants } from './api-client.ts';
import { apiWebhookMutants } from './api-webhooks.ts';
import { brandedMutants } from './branded.ts';
import { answerMutants } from './crm-webhook-answers.ts';
import { callerMutants } from './crm-webhook-callers.ts';
import { eventMutants } from './crm-webhook-events.ts';
import { repetitionMutants } from './crm-webhook-repetition.ts';
import { tokenMutants } from './crm-webhook-tokens.ts';
import { chatAnswerMutants } from './own-ai-chat-answers.ts';
import { chatEventMutants } from './own-ai-chat-events.ts';
import { chatReplyMutants } from './own-ai-chat-replies.ts';
import { chatTimeMutants } from './own-ai-chat-times.ts';
import { deepLinkMutants } from './deep-links.ts';
import { lateNoteMutants } from './late-notes.ts';
import type { Mutant } from './mutant.ts';
import { phoneDialogueMutants } from './own-ai-phone-dialogue.ts';
import { phoneEndingMutants } from './own-ai-phone-endings.ts';
import { phoneFrameMutants } from './own-ai-phone-frames.ts';
import { phoneInterruptMutants } from './own-ai-phone-interrupts.ts';
import { phoneSessionMutants } from './own-ai-phone-session.ts';
import { phoneSkillResultMutants } from './own-ai-phone-skill-results.ts';
import { observedRequestMutants } from './observed-requests.ts';
import { phoneUpgradeMutants } from './own-ai-phone-upgrade.ts';
import { similarEffectMutants } from './similar-effects.ts';

/** Every faulty endpoint. */
export const mutants: readonly Mutant[] = [
  ...tokenMutants,
  ...eventMutants,
  ...callerMutants,
  ...answerMutants,
  ...repetitionMutants,
  ...apiWebhookMutants,
  ...chatEventMutants,
  ...chatAnswerMutants,
  ...chatReplyMutants,
  ...chatTimeMutants,
  ...phoneUpgradeMutants,
  ...phoneSessionMutants,
  ...phoneSkillResultMutants,
  ...phoneDialogueMutants,
  ...phoneInterruptMutants,
  ...phoneEndingMutants,
  ...phoneFrameMutants,
  ...deepLinkMutants,
  ...clientMutants,
  ...clientValueMutants,
  ...clientConductMutants,
  ...observedRequestMutants,
  ...brandedMutants,
  ...lateNoteMutants,
  ...similarEffectMutants,
];
