import { requirement as requirementOf, type RequirementId } from '../../specs/requirements/catalogue.ts';
import type { answerCauses } from '../causes/answer.ts';

/** A fault in one answer, found in its bytes. */
export interface AnswerFault {
  id: keyof typeof answerCauses;
  /** One sentence with the details. */
  summary: string;
  /** Why it is not certain; absent if the bytes leave no doubt. */
  doubt?: string;
  /** The violated requirement, if it may be only advice. */
  requirement?: RequirementId;
}

/** Whether the catalogue only advises against it: such an answer is valid. */
export function isAdvice({ requirement }: AnswerFault): boolean {
  return requirement !== undefined && requirementOf(requirement).level === 'advice';
}

/** Fields of an own AI's answer that the service reads (interface: Own-AI chat event). */
export const chatFields = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;

/** Fields of a CRM's answer that the service reads (interface: CRM webhook answer). */
export const crmFields = ['requestContactUpdate', 'contactData', 'requestProjectUpdate', 'projectData'] as const;
