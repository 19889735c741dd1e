import type { AgentRecord, AppointmentRecord, ContactRecord, ProjectRecord, Workspace } from './workspace.ts';

/** Gives a contact another id, in its projects and appointments too. */
export function renumberContact(workspace: Workspace, contact: ContactRecord, id: number): void {
  for (const record of [...workspace.projects.values(), ...workspace.appointments.values()]) {
    if (record.contactId === contact.id) record.contactId = id;
  }
  moveKey(workspace.contacts, contact.id, id);
  contact.id = id;
}

/** Gives a project another id, in its appointments too. */
export function renumberProject(workspace: Workspace, project: ProjectRecord, id: number): void {
  for (const record of workspace.appointments.values()) {
    if (record.projectId === project.id) record.projectId = id;
  }
  moveKey(workspace.projects, project.id, id);
  project.id = id;
}

/** Gives an appointment another id. */
export function renumberAppointment(workspace: Workspace, appointment: AppointmentRecord, id: number): void {
  moveKey(workspace.appointments, appointment.id, id);
  appointment.id = id;
}

/** Gives an assistant another id; it keeps the conversations that it answers, and its place in the list. */
export function renumberAgent(workspace: Workspace, agent: AgentRecord, id: number): void {
  for (const project of workspace.projects.values()) {
    if (project.agentId === agent.agentId) project.agentId = id;
  }
  moveKey(workspace.agents, agent.agentId, id);
  agent.agentId = id;
}

function moveKey<Record>(records: Map<number, Record>, from: number, to: number): void {
  const entries = [...records];
  records.clear();
  for (const [id, record] of entries) records.set(id === from ? to : id, record);
}
