import type { answerCauses } from '../causes/answer.ts';

/** Something that is wrong about one answer, read from its bytes. */
export interface AnswerFault {
  id: keyof typeof answerCauses;
  /** One sentence with the particulars. */
  text: string;
  /** Why it is not sure; absent when the bytes leave no doubt. */
  doubt?: string;
}

/** Members of an own AI's answer that the service reads (interface: Own-AI chat event). */
export const chatMembers = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;

/** Members of a CRM's answer that the service reads (interface: CRM webhook answer). */
export const crmMembers = ['requestContactUpdate', 'contactData', 'requestProjectUpdate', 'projectData'] as const;
