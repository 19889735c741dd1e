import { otherNamesOfText, type DocumentedPlace } from '../undocumented-fields.ts';

/** The documented fields of an answer or a reply (interface: Own-AI chat event). */
export const answerFields = ['text', 'action', 'note', 'executeSkills', 'announcement'] as const;

/** The same with the names under which they are found instead. */
export const documentedAnswer: DocumentedPlace = {
  label: 'an answer or a reply',
  fields: {
    text: { holds: 'value', otherNames: otherNamesOfText },
    action: { holds: 'value', otherNames: ['actionType', 'nextAction', 'command'] },
    note: { holds: 'value', otherNames: ['notes', 'internalNote', 'teamNote', 'comment'] },
    executeSkills: { holds: 'list', otherNames: ['skills', 'executeSkill', 'tools', 'toolCalls'] },
    announcement: { holds: 'value', otherNames: ['announce'] },
  },
};
