/** The documented fields of an answer or a reply (interface: Own-AI chat event). */
export const answerFields = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;
