import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { crmEventTypes, crmTypesOfWork } from '../../specs/crm-event-types.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { findEffectiveKind } from '../effective-kind.ts';
import { hasEffect, observeEffects, type ObservedDelivery } from '../observed-effects.ts';
import { once } from '../once.ts';

export type EventType = CrmEvent['eventType'];
/** An event before the harness gives it an address for its callback. */
export type EventDraft = Omit<CrmEvent, 'callbackUrl'>;

/** Events of one type. */
interface Events {
  type: EventType;
  /** A new event of this type, about a contact for which it has the effect. */
  create: () => EventDraft;
}

/** Events whose delivery has an effect that can be seen. */
export interface EffectiveEvent extends Events {
  /** The latest one. */
  observed: ObservedDelivery;
}

const otherTypes = crmEventTypes.filter((type) => !(crmTypesOfWork as readonly EventType[]).includes(type));

/**
 * The first type of event with an effect. Each event is about a contact that no other event is about, so that work on
 * earlier events is not mistaken for its effect; the usual contact is tried where only known ones have an effect.
 */
export function effectiveEvent(kit: CheckKit): Promise<EffectiveEvent | undefined> {
  return once(kit.session, 'crm effective event', async () => {
    const found = await findEffectiveKind<Events>(
      kit,
      {
        usual: crmTypesOfWork.map((type) => ofNewContact(kit, type)),
        others: [
          ...otherTypes.map((type) => ofNewContact(kit, type)),
          ...crmEventTypes.map((type) => ({ type, create: () => kit.sample.crmEvent(type) })),
        ],
      },
      (events) => deliverObserved(kit, events),
    );
    return found && { ...found.kind, observed: found.observed };
  });
}

/** The same, but FinishedCall if it has an effect: most endpoints bind their case to it. */
export function effectiveFinishedCall(kit: CheckKit): Promise<EffectiveEvent | undefined> {
  const finishedCall = ofNewContact(kit, 'FinishedCall');
  return once(kit.session, 'crm effective finished call', async () => {
    const found = await effectiveEvent(kit);
    if (found?.type === finishedCall.type) return found;
    const observed = await observeEffects(kit, () => deliverObserved(kit, finishedCall), { isPatient: true });
    return hasEffect(observed.effects) ? { ...finishedCall, observed } : found;
  });
}

function deliverObserved({ crm }: CheckKit, { type, create }: Events): Promise<CrmObservation> {
  return crm.deliver(create(), { label: `${type}, observed` });
}

function ofNewContact(kit: CheckKit, type: EventType): Events {
  return { type, create: () => eventOfNewContact(kit, type) };
}

/** An event of a contact that no earlier event is about. */
export function eventOfNewContact(
  { sample }: CheckKit,
  type: EventType,
  over: Pick<Partial<EventDraft>, 'projectData'> = {},
): EventDraft {
  const { phone: phoneNumber } = sample.newCustomer();
  return sample.crmEvent(type, { contactData: sample.contactData({ phoneNumber }), ...over });
}

/** A different event of the same type, contact, project and second: another appointment, or other summaries. */
export function similarEvent({ sample }: CheckKit, first: EventDraft, matter: string): EventDraft {
  const { contactData, projectData, appointmentData } = first;
  if (!appointmentData) {
    const summaries = { currentSummary: `Asked about ${matter}.`, inquirySummary: matter };
    return { ...first, projectData: projectData && { ...projectData, ...summaries } };
  }
  const { contactId, projectId } = appointmentData;
  return { ...first, contactData, projectData, appointmentData: sample.appointment({ contactId, projectId }) };
}
