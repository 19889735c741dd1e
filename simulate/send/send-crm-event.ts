import type { CrmOutcome } from '../../service/crm-webhook.ts';
import type { AppointmentRecord, ContactRecord, ProjectRecord } from '../../service/workspace.ts';
import { limits } from '../../specs/limits.ts';
import type { Appointment, CrmEvent } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';
import { overrideAt, withOverrides } from './override.ts';
import { preparedAppointment, setAppointment } from './prepared-appointment.ts';
import { appointmentEventOf } from './sendable.ts';
import { nextEvent, formatSeconds, usualWaitSeconds, type SendContext, type SendResult } from './send-context.ts';
import { serviceEffects } from './service-effects.ts';
import { assignIds } from './assign-ids.ts';
import { defaultCustomer } from '../../service/default-customer.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';

/** The service waits for the answers to these events (interface: CRM webhook events). */
const lookups: readonly string[] = lookupEventTypes;

/** Sends an event to the CRM webhook, and again if that fails, like the service; waits for a callback after a 202. */
export async function sendCrmEvent(context: SendContext, name: CrmEvent['eventType']): Promise<SendResult> {
  const { service, config, overrides, body, wait, report } = context;
  const { inbox } = service;
  const appointmentEvent = appointmentEventOf(name);
  const contact = defaultCustomer(inbox);
  const record = appointmentEvent && (await preparedAppointment(inbox, appointmentEvent, contact.phone ?? ''));
  const project = inbox.conversations.current(contact, name === 'NewConversation' ? 'whatsapp' : 'phone');
  const { crmWebhook } = config;
  inbox.workspace.crmWebhook = crmWebhook && { url: crmWebhook.url, token: crmWebhook.token };
  applyEventData(context, { contact, project, appointment: record });
  const from = service.events.kept.at(-1)?.seq ?? 0;
  const outcome = await inbox.crmWebhook.send(name, {
    contact,
    project,
    ...(record && { appointment: inbox.appointments.wire(record) as Appointment }),
  });
  const effects = (after: number) => serviceEffects(service.events.kept.filter(({ seq }) => seq > after));
  const sentences = [...outcomeSentences(outcome, lookups.includes(name)), ...effects(from)];
  const isElsewhere = overrideAt(overrides, 'callbackUrl') !== undefined || hasField(body, 'callbackUrl');
  const common = {
    ...(lookups.includes(name) && { limitMs: limits.crmLookupAnswerMs }),
    notes: isElsewhere ? ['callbackUrl is another address: this command does not receive a callback.'] : [],
  };
  if (outcome.outcome !== 'later') {
    return { sentences, isUsable: outcome.outcome === 'applied' || outcome.outcome === 'nothing-to-add', ...common };
  }
  const asked = service.events.kept.at(-1)?.seq ?? 0;
  const seconds = wait ?? usualWaitSeconds;
  const limit = formatSeconds(limits.crmCallbackWithinMs / 1000);
  const callback = await nextEvent(
    service,
    ({ type, seq }) => type === 'callback' && seq > from,
    seconds,
    () => report(`Answered with 202: waiting up to ${formatSeconds(seconds)} for the callback (--wait changes it) …`),
  );
  if (!callback) {
    sentences.push(
      `No callback came within ${formatSeconds(seconds)}; the limit is ${limit}, and --wait waits longer.`,
    );
    return { sentences, isUsable: false, ...common };
  }
  sentences.push(`The ${callback.text}.`, ...effects(asked));
  return { sentences, isUsable: callback.data['taken'] === true && callback.data['valid'] !== false, ...common };
}

/** Puts contact and project into the state that the event describes, so that the changes of the answer are correct. */
function applyEventData(
  { service: { inbox }, body, overrides }: SendContext,
  prepared: { contact: ContactRecord; project: ProjectRecord; appointment: AppointmentRecord | undefined },
): void {
  const { contact, project, appointment } = prepared;
  const usual = {
    contactData: inbox.contacts.contactData(contact),
    projectData: inbox.conversations.projectData(project),
    appointmentData: appointment ? inbox.appointments.wire(appointment) : null,
  };
  // Other fields are not part of the service's state; invalid ones are reported when the event is rewritten.
  const ours = overrides.filter(
    ({ path }) => path.length > 1 && typeof path[0] === 'string' && Object.hasOwn(usual, path[0]),
  );
  const { value } = withOverrides(body ?? usual, ours);
  const { contactData, projectData, appointmentData } = value as Partial<Record<keyof typeof usual, unknown>>;
  assignIds(inbox.workspace, prepared, {
    contactId: fieldOf(contactData, 'svcContactId'),
    projectId: fieldOf(projectData, 'svcProjectId'),
    appointmentId: fieldOf(appointmentData, 'id'),
  });
  const phone = fieldOf(contactData, 'phoneNumber');
  if (typeof phone === 'string' && phone !== '') inbox.contacts.adopt({ id: contact.id, phone });
  if (appointment && isJsonObject(appointmentData)) setAppointment(inbox, appointment, appointmentData);
  if (isJsonObject(contactData) && matchesSchema('contactDataAnswer', contactData))
    inbox.contacts.applyCrm(contact, contactData);
  if (isJsonObject(projectData) && matchesSchema('projectDataAnswer', projectData))
    inbox.conversations.applyCrm(project, projectData);
}

function outcomeSentences(outcome: CrmOutcome, isLookup: boolean): string[] {
  const goesOn = isLookup ? ' The conversation begins with the data that the service already has.' : '';
  switch (outcome.outcome) {
    case 'not-configured':
      return ['Nothing is sent: no CRM webhook is configured.'];
    case 'nothing-to-add':
      return [`The CRM adds nothing.${goesOn}`];
    case 'later':
      return ['The service waits for one callback.'];
    case 'invalid':
      return [`The answer is not applied, and the event is not sent again: ${outcome.reason}.${goesOn}`];
    case 'failed':
      return [
        `The event was sent ${outcome.tries === 1 ? 'once' : 'twice'} without a valid answer: ${outcome.reason}.${goesOn}`,
      ];
    case 'applied':
      return [
        outcome.contact ? 'contactData is applied.' : 'requestContactUpdate is not true: contactData is ignored.',
        outcome.project ? 'projectData is applied.' : 'requestProjectUpdate is not true: projectData is ignored.',
      ];
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return isJsonContainer(value) ? value[name] : undefined;
}

function hasField(value: unknown, name: string): boolean {
  return isJsonContainer(value) && Object.hasOwn(value, name);
}
