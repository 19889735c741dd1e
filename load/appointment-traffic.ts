import { subscribedTypes } from '../harness/config/subscribed-types.ts';
import type { Observation } from '../harness/wire/observation.ts';
import type { Appointment } from '../specs/generated/types.ts';
import { isSuccess } from '../harness/wire/answer-status.ts';
import { toBeAccepted, toHaveStatus } from '../suites/matchers/answer-matchers.ts';
import { violations } from './judge-aspects.ts';
import type { LoadSession } from './load-session.ts';
import { untimedTimeoutMs, type LoadDelivery, type LoadViolation, type Traffic } from './traffic.ts';

/** Signed appointment events: each appointment receives every type that the endpoint subscribed to, one after the other. */
export function appointmentTraffic(session: LoadSession): Traffic {
  const { hooks, sample, settings } = session;
  const { config } = settings;
  const types = subscribedTypes(config);
  let appointment: Appointment | undefined;
  let next = 0;
  return {
    surface: 'api-webhooks',
    url: config.apiWebhooks?.url ?? '',
    // The interface gives none.
    deadline: undefined,
    send: async (): Promise<LoadDelivery> => {
      const at = next++ % types.length;
      const type = types[at];
      if (at === 0) appointment = undefined;
      const event = sample.apiWebhookEvent(type, { ...appointment });
      appointment = event.data;
      const delivery = hooks.sign(event);
      const observation = await hooks.post(delivery, { label: event.type, timeoutMs: untimedTimeoutMs });
      return { observation, isTimed: false, judge: () => judgeAnswer(observation) };
    },
    judgeLater: () => Promise.resolve([]),
  };
}

function judgeAnswer(observation: Observation): LoadViolation[] {
  const { answer } = observation;
  if (answer.outcome !== 'answered') return [];
  if (answer.status === 401) return violations('api-webhooks/accepts-valid-signature', toBeAccepted(observation));
  // A status without success is a matter of the load; another success is not.
  return isSuccess(answer.status) ? violations('api-webhooks/answers-200', toHaveStatus(observation, 200)) : [];
}
