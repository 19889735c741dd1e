import { answerMutants } from './crm-webhook-answers.ts';
import { eventMutants } from './crm-webhook-events.ts';
import { repetitionMutants } from './crm-webhook-repetition.ts';
import { tokenMutants } from './crm-webhook-tokens.ts';
import type { Mutant } from './mutant.ts';

/** Every faulty endpoint. */
export const mutants: readonly Mutant[] = [...tokenMutants, ...eventMutants, ...answerMutants, ...repetitionMutants];
