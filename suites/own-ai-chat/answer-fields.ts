/** The documented fields of an answer or a reply (interface: Answer of the endpoint). */
export const answerFields = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;
