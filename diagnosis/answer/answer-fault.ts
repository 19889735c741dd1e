import {
  requirement as requirementOf,
  type Requirement,
  type RequirementId,
} from '../../specs/requirements/catalogue.ts';
import type { answerCauses } from '../causes/answer.ts';

/** A fault in one answer, found in its bytes. */
export interface AnswerFault {
  id: keyof typeof answerCauses;
  /** One sentence with the details. */
  summary: string;
  /** Why it is not certain; absent if the bytes leave no doubt. */
  doubt?: string;
  /** The violated requirement, if it may be less than a must. */
  requirement?: RequirementId;
}

/** How serious the catalogue considers the violation; a fault without a requirement makes the answer unusable. */
export function levelOf({ requirement }: AnswerFault): Requirement['level'] {
  return requirement === undefined ? 'must' : requirementOf(requirement).level;
}

/** Fields of an own AI's answer that the service reads (interface: Own-AI chat event). */
export const chatFields = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;

/** Fields of a CRM's answer that the service reads (interface: CRM webhook answer). */
export const crmFields = ['requestContactUpdate', 'contactData', 'requestProjectUpdate', 'projectData'] as const;
