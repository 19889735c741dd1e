import type { Appointment } from '../specs/generated/types.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { matchesSchema } from '../specs/validators.ts';
import type { Contacts } from './contacts.ts';
import { localTimestamp } from './local-timestamp.ts';
import type { Workspace } from './workspace.ts';

/** The parts of an inbox that events agree with. */
interface EventInbox {
  readonly workspace: Pick<Workspace, 'id' | 'timeZone'>;
  readonly contacts: Pick<Contacts, 'numberOf'>;
}

/**
 * An event as this inbox sends it: with the id of the workspace, with a number that no other contact has, with skills whose
 * keys and ids differ, and with an appointment that agrees with its contact, its project and the time zone. Values that the interface does not permit stay
 * unchanged.
 */
export function adaptToWorkspace<Event extends object>(inbox: EventInbox, event: Event): Event {
  const { workspace } = inbox;
  const { workspaceId, contact, from, data, contactData, projectData, appointmentData, skills } = event as Record<
    string,
    unknown
  >;
  const contactId = isJsonObject(contactData) ? contactData['svcContactId'] : undefined;
  const projectId = isJsonObject(projectData) ? projectData['svcProjectId'] : undefined;
  const ids = {
    ...(Number.isSafeInteger(contactId) && { contactId }),
    ...(Number.isSafeInteger(projectId) && { projectId }),
  };
  return {
    ...event,
    ...(Number.isInteger(workspaceId) && { workspaceId: workspace.id }),
    ...(isJsonObject(contactData) && {
      contactData: { ...contactData, ...numberOf(inbox, contactId, 'phoneNumber', contactData['phoneNumber']) },
    }),
    ...(isJsonObject(data) &&
      isJsonObject(data['contact']) && {
        data: {
          ...data,
          contact: { ...data['contact'], ...numberOf(inbox, data['contact']['id'], 'phone', data['contact']['phone']) },
          ...distinctSkills(data['skills']),
        },
      }),
    ...distinctSkills(skills),
    ...(isJsonObject(contact) && numberOf(inbox, contact['id'], 'from', from)),
    ...(matchesSchema('appointment', data) && { data: withLocalStart(data as Appointment, workspace) }),
    ...(matchesSchema('appointment', appointmentData) && {
      appointmentData: { ...withLocalStart(appointmentData as Appointment, workspace), ...ids },
    }),
  };
}

/** The field with the number of a contact; nothing if there is no number or no id. */
function numberOf({ contacts }: EventInbox, id: unknown, field: string, phone: unknown): object {
  const isContact = Number.isSafeInteger(id) && typeof phone === 'string' && phone !== '';
  return isContact ? { [field]: contacts.numberOf(id as number, phone) } : {};
}

/** The field with the skills, without those that share a key or an id with an earlier one: either names one skill. */
function distinctSkills(skills: unknown): { skills?: unknown[] } {
  if (!Array.isArray(skills)) return {};
  const names = new Set<unknown>();
  const distinct = skills.filter((skill: unknown) => {
    if (!isJsonObject(skill)) return true;
    const own = [skill['key'], skill['id']].filter((name) => name !== undefined).map(String);
    const isDistinct = !own.some((name) => names.has(name));
    if (isDistinct) for (const name of own) names.add(name);
    return isDistinct;
  });
  return { skills: distinct };
}

function withLocalStart(appointment: Appointment, { timeZone }: Pick<Workspace, 'timeZone'>): Appointment {
  const startLocal = localTimestamp(Date.parse(`${appointment.start}Z`), timeZone);
  // Near the first and the last year the local time may have no four-digit year.
  return /^\d{4}-/.test(startLocal) ? { ...appointment, startLocal } : appointment;
}
