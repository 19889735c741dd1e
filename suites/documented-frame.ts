import { otherNamesOfText, type DocumentedPlace } from './undocumented-fields.ts';

/** The fields of the three frames of an AI (interface: Own-AI phone frames). */
export const documentedFrame: DocumentedPlace = {
  label: 'a frame of the AI',
  fields: {
    text: { holds: 'value', otherNames: [...otherNamesOfText, 'delta', 'chunk', 'words'] },
    last: { holds: 'value', otherNames: ['isLast', 'final', 'isFinal', 'done', 'finished', 'complete'] },
    token: { holds: 'value', otherNames: ['tokens'] },
    action: { holds: 'value', otherNames: ['command'] },
    note: { holds: 'value', otherNames: ['summary'] },
    executeSkills: { holds: 'list', otherNames: ['skills', 'tools', 'skillKeys'] },
    key: { holds: 'value', otherNames: ['skill', 'skillKey', 'tool'] },
    announcement: { holds: 'value' },
    type: { holds: 'value', otherNames: ['event', 'kind'] },
  },
};
