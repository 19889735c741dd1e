import type { CheckKit } from '../../harness/checks/check.ts';
import { isSuccess, isRefusal } from '../../harness/wire/answer-status.ts';
import type { EventSubject, TracedDelivery } from '../late-effects.ts';
import type { SignatureSubject } from '../signed-deliveries.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { sampleEvent } from './sample-event.ts';

/** An event that the checks of signatures have posted. */
interface PostedEvent extends TracedDelivery {
  what: string;
}

const posted = new WeakMap<CheckKit['session'], PostedEvent[]>();

/** How the checks of signatures send appointment events. Each is about its own project. */
export const signedEvents: SignatureSubject = {
  name: 'api-webhooks',
  // A new appointment shows an effect most often, whatever the answer to the delivery is.
  sign: (kit, write) => {
    const event = sampleEvent(kit, {}, 'appointment.created');
    return kit.hooks.sign(event, write && { text: write(event) });
  },
  signText: (kit, title) => kit.hooks.sign(sampleEvent(kit, { title }, 'appointment.created')),
  post: async (kit, delivery, options) => {
    const observation = await kit.hooks.post(delivery, options);
    const what = options.label;
    postedIn(kit).push({ what, subject: subjectOf(delivery.event), observation, answeredAt: performance.now() });
    return observation;
  },
};

/**
 * The posted events that were refused, and the subjects of those that were accepted. An event that came twice, with a valid
 * and an invalid signature, belongs to neither: its effects may be of either delivery.
 */
export function refusedAndAccepted(kit: CheckKit): { refused: readonly PostedEvent[]; accepted: EventSubject[] } {
  const byProject = Map.groupBy(postedIn(kit), ({ subject }) => subject.projectId);
  const once = [...byProject.values()].filter(({ length }) => length === 1).flat();
  return {
    // A valid one that is refused may come again.
    refused: once.filter(({ observation: { answer, request } }) => isRefusal(answer) && !request.authentic),
    accepted: once
      .filter(({ observation: { answer } }) => answer.outcome === 'answered' && isSuccess(answer.status))
      .map(({ subject }) => subject),
  };
}

/** The project of an appointment event. */
export function subjectOf(event: unknown): EventSubject {
  return { projectId: (event as Pick<ApiWebhookEvent, 'data'>).data.projectId };
}

function postedIn({ session }: CheckKit): PostedEvent[] {
  const events = posted.get(session) ?? [];
  posted.set(session, events);
  return events;
}
