import type { ProjectData, ProjectDataAnswer } from '../specs/types.ts';
import { cutText } from './cut-text.ts';
import type { ProjectRecord } from './workspace.ts';

/** Unicode code points of a forged summary (assumption crm-field-limits: texts of moderate length). */
const summaryCharacters = 1_000;
/** Turns that a summary tells of. */
const summarisedTurns = 5;

/** The project of a CRM event (interface: CRM webhook: projectData). */
export function projectDataOf(project: ProjectRecord): ProjectData {
  const { turns, crm } = project;
  const inquiry = turns.find(({ role }) => role === 'customer')?.text;
  const lines = turns.slice(-summarisedTurns).map(({ role, text }) => `${role}: ${text}`);
  return {
    crmProjectId: null,
    address: null,
    city: null,
    postcode: null,
    currentSummary: lines.length === 0 ? null : cutText(lines.join('\n'), summaryCharacters),
    inquirySummary: inquiry === undefined ? null : cutText(inquiry, summaryCharacters),
    crmInternalInfo: null,
    crmAiInfo: null,
    ...crm,
    svcProjectId: project.id,
    projectName: project.name,
  };
}

const nullable = [
  'crmProjectId',
  'address',
  'city',
  'postcode',
  'currentSummary',
  'inquirySummary',
  'crmInternalInfo',
  'crmAiInfo',
] as const satisfies readonly (keyof ProjectDataAnswer)[];

/**
 * Takes over what an answer of the CRM says about the project; what is omitted stays, and its id always does. Returns
 * the names of the fields that have changed.
 */
export function applyProjectData(project: ProjectRecord, answer: ProjectDataAnswer): string[] {
  const before = projectDataOf(project);
  for (const name of nullable) {
    // An empty id binds nothing.
    const value = name === 'crmProjectId' && answer[name] === '' ? null : answer[name];
    if (value !== undefined) project.crm[name] = value;
  }
  // A project always has a name.
  if (answer.projectName !== undefined && answer.projectName.trim() !== '') project.name = answer.projectName;
  const after = projectDataOf(project);
  return (Object.keys(after) as (keyof ProjectData)[]).filter((name) => after[name] !== before[name]);
}
