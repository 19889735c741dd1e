import type { ProjectData, ProjectDataAnswer } from '../specs/generated/types.ts';
import { cutText } from './cut-text.ts';
import type { ProjectRecord } from './workspace.ts';

/** Unicode code points of a generated summary (assumption crm-field-limits: strings of moderate length). */
const summaryCharacters = 1_000;
/** Turns that a summary covers. */
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
 * Applies the project data of a CRM answer; omitted fields stay unchanged, and so does the id. Returns the names of the
 * changed fields.
 */
export function applyProjectData(project: ProjectRecord, answer: ProjectDataAnswer): string[] {
  const before = projectDataOf(project);
  for (const name of nullable) {
    // An empty id links nothing.
    const value = name === 'crmProjectId' && answer[name] === '' ? null : answer[name];
    if (value !== undefined) project.crm[name] = value;
  }
  // A project always has a name.
  if (answer.projectName !== undefined && answer.projectName.trim() !== '') project.name = answer.projectName;
  const after = projectDataOf(project);
  return (Object.keys(after) as (keyof ProjectData)[]).filter((name) => after[name] !== before[name]);
}
