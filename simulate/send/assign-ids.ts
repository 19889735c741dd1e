import { renumberAgent, renumberAppointment, renumberContact, renumberProject } from '../../service/renumber.ts';
import type {
  AgentRecord,
  AppointmentRecord,
  ContactRecord,
  ProjectRecord,
  Workspace,
} from '../../service/workspace.ts';

/** The records that the service has prepared for an event. */
export interface PreparedRecords {
  contact?: ContactRecord | undefined;
  project?: ProjectRecord | undefined;
  appointment?: AppointmentRecord | undefined;
  agent?: AgentRecord | undefined;
}

/** The ids of an event. They may have any type, because the user can set them to anything. */
export interface EventIds {
  workspaceId?: unknown;
  contactId?: unknown;
  projectId?: unknown;
  appointmentId?: unknown;
  agentId?: unknown;
}

/**
 * Gives the ids of an event to what the service has prepared for it, so that API v1 knows them. Ignores values that are
 * not ids, and ids that the workspace has already given to something else.
 */
export function assignIds(
  workspace: Workspace,
  { contact, project, appointment, agent }: PreparedRecords,
  { workspaceId, contactId, projectId, appointmentId, agentId }: EventIds,
): void {
  if (isId(workspaceId)) workspace.id = workspaceId;
  if (contact && isFree(contactId, workspace.contacts)) renumberContact(workspace, contact, contactId);
  if (project && isFree(projectId, workspace.projects)) renumberProject(workspace, project, projectId);
  if (appointment && isFree(appointmentId, workspace.appointments))
    renumberAppointment(workspace, appointment, appointmentId);
  if (agent && isFree(agentId, workspace.agents)) renumberAgent(workspace, agent, agentId);
}

function isFree(id: unknown, records: ReadonlyMap<number, unknown>): id is number {
  return isId(id) && !records.has(id);
}

/** Whether a value can be the id of something in the workspace. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
