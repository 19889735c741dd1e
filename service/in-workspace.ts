import type { Appointment } from '../specs/generated/types.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { matchesSchema } from '../specs/validators.ts';
import { localTimestamp } from './local-timestamp.ts';
import type { Workspace } from './workspace.ts';

/**
 * An event as this workspace sends it: with the id of the workspace, and with an appointment that agrees with its
 * contact, its project and the time zone. Values that the interface does not permit stay unchanged.
 */
export function inWorkspace<Event extends object>(workspace: Pick<Workspace, 'id' | 'timeZone'>, event: Event): Event {
  const { workspaceId, data, contactData, projectData, appointmentData } = event as Record<string, unknown>;
  const contactId = isJsonObject(contactData) ? contactData['svcContactId'] : undefined;
  const projectId = isJsonObject(projectData) ? projectData['svcProjectId'] : undefined;
  const ids = {
    ...(Number.isSafeInteger(contactId) && { contactId }),
    ...(Number.isSafeInteger(projectId) && { projectId }),
  };
  return {
    ...event,
    ...(Number.isInteger(workspaceId) && { workspaceId: workspace.id }),
    ...(matchesSchema('appointment', data) && { data: withLocalStart(data as Appointment, workspace) }),
    ...(matchesSchema('appointment', appointmentData) && {
      appointmentData: { ...withLocalStart(appointmentData as Appointment, workspace), ...ids },
    }),
  };
}

function withLocalStart(appointment: Appointment, { timeZone }: Pick<Workspace, 'timeZone'>): Appointment {
  const startLocal = localTimestamp(Date.parse(`${appointment.start}Z`), timeZone);
  // Near the first and the last year the local time may have no four-digit year.
  return /^\d{4}-/.test(startLocal) ? { ...appointment, startLocal } : appointment;
}
