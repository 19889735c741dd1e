import type { CrmObservation } from '../harness/wire/crm-webhook-driver.ts';
import { lookupEventTypes } from '../specs/crm-event-types.ts';
import type { ContactData, CrmEvent, ProjectData } from '../specs/generated/types.ts';
import { limits } from '../specs/limits.ts';
import { crmAnswerAspects } from '../suites/crm-webhook/answer-aspects.ts';
import { needlessCallback, repeatedCallback } from '../suites/crm-webhook/callback-findings.ts';
import { jsonObjectFinding, jsonObjectOf, unreadBody } from '../suites/json-object.ts';
import { toBeAccepted } from '../suites/matchers/answer-matchers.ts';
import type { LoadSession } from './load-session.ts';
import { atLoad, judgeAspects, violations } from './judge-aspects.ts';
import { beyondDeadlineMs, untimedTimeoutMs, type LoadDelivery, type Traffic, type LoadViolation } from './traffic.ts';

/** A contact whose call or chat has begun and has not ended. */
interface Conversation {
  contactData: ContactData;
  projectData: ProjectData;
}

/** The events of ten customers: most call, some write, and not every conversation has ended yet. */
const mix: readonly CrmEvent['eventType'][] = [
  'IncomingCallLookup',
  'NewConversation',
  'IncomingCallLookup',
  'FinishedCall',
  'IncomingCallLookup',
  'ConversationPaused',
  'NewConversation',
  'FinishedCall',
  'IncomingCallLookup',
  'FinishedCall',
];
/** Maximum number of deliveries answered 202 that are remembered until their callback comes. */
const mostPending = 1_000;
/** Maximum number of calls, and of chats, that have begun and still get their later event. */
const mostOpen = 1_000;
/** Every so manyth lookup is of the caller that the CRM knows, whose data it has to find. */
const knownCallerEvery = 3;

/** Events of the CRM webhook: lookups, and the later events of the same conversations (interface: CRM webhook events). */
export function crmTraffic(session: LoadSession, deadlineMs: number = limits.crmLookupAnswerMs): Traffic {
  const { crm, sample, settings } = session;
  const { config, quietMs } = settings;
  /** Calls and chats whose first event was answered, the oldest first. */
  const open = { calls: [] as Conversation[], chats: [] as Conversation[] };
  let next = 0;
  let lookups = 0;
  /** The load at which each delivery was sent. */
  const loads = new WeakMap<CrmObservation, number>();
  const judged = (one: CrmObservation, found: readonly LoadViolation[]) => atLoad(loads.get(one) ?? 0, found);
  /** Deliveries whose callback may still come. */
  let pending: readonly CrmObservation[] = [];

  const begin = (): Conversation => {
    const isKnown = config.stimuli.knownCaller !== undefined && lookups++ % knownCallerEvery === 0;
    const contactData = sample.contactData(isKnown ? {} : { phoneNumber: sample.newCustomer().phone });
    return { contactData, projectData: sample.projectData() };
  };

  return {
    surface: 'crm-webhook',
    url: config.crmWebhook?.url ?? '',
    deadline: { requirement: 'crm-webhook/lookup-within-two-seconds', ms: deadlineMs },
    send: async ({ isTimed: mustBeTimed, load }): Promise<LoadDelivery> => {
      const type = (mustBeTimed ? undefined : mix[next++ % mix.length]) ?? 'IncomingCallLookup';
      const isTimed = (lookupEventTypes as readonly string[]).includes(type);
      const isCall = type === 'IncomingCallLookup' || type === 'FinishedCall';
      const begun = isCall ? open.calls : open.chats;
      const about = (isTimed ? undefined : begun.shift()) ?? begin();
      const observation = await crm.deliver(sample.crmEvent(type, about), {
        timeoutMs: isTimed ? deadlineMs + beyondDeadlineMs : untimedTimeoutMs,
      });
      loads.set(observation, load);
      if (isTimed && begun.push(about) > mostOpen) begun.shift();
      return { observation, isTimed, judge: () => judgeAnswer(observation) };
    },
    judgeLater: async () => {
      const { answeredNow } = crm;
      const answeredLater = [...pending, ...crm.answeredLater];
      // A second callback of the same code path follows the first one within this time.
      if (answeredLater.length > 0) await new Promise((wake) => setTimeout(wake, quietMs));
      pending = answeredLater.filter(({ callback }) => callback.count === 0).slice(-mostPending);
      const found = [
        ...answeredLater.flatMap((one) => judged(one, judgeCallbacks(one))),
        ...answeredNow.flatMap((one) =>
          judged(one, violations('crm-webhook/answers-now-or-by-callback', needlessCallback(one))),
        ),
      ];
      session.forget();
      return found;
    },
  };
}

/** Judges an immediate answer like the checks of the surface: a refused token, and the body. */
function judgeAnswer(observation: CrmObservation): LoadViolation[] {
  const { answer, event } = observation;
  if (answer.outcome !== 'answered') return [];
  if (answer.status === 401) return violations('crm-webhook/accepts-the-token', toBeAccepted(observation));
  if (answer.status !== 200 || unreadBody(answer)) return [];
  const finding = jsonObjectFinding(answer.body, 'the body of a 200 answer');
  if (finding) return violations('crm-webhook/answer-is-a-json-object', finding);
  return judgeAspects(crmAnswerAspects, { value: jsonObjectOf(answer.body), event });
}

/** Judges the callbacks after a 202: one, with data of this event. */
function judgeCallbacks(delivery: CrmObservation): LoadViolation[] {
  const { callback, event } = delivery;
  return [
    ...violations('crm-webhook/calls-back-once', repeatedCallback(delivery)),
    ...callback.arrivals.flatMap(({ request }) => {
      const value = jsonObjectOf(request.body);
      return value ? judgeAspects(crmAnswerAspects, { value, event }) : [];
    }),
  ];
}
