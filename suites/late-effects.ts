import type { CheckKit } from '../harness/checks/check.ts';
import type { ApiEffect } from '../harness/wire/api-effects.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { jsonObjectOf } from './json-object.ts';
import { conclude } from './matchers/expect.ts';
import { addRemark } from './remark.ts';
import { watchUntilTheEnd } from './watch-until-the-end.ts';

/** The subject of one event. No other event may have the same; parts that others share are omitted. */
export interface EventSubject {
  projectId?: unknown;
  contactId?: unknown;
  phone?: unknown;
}

/** A delivery whose effects are found by its subject, whenever they come. */
export interface TracedDelivery {
  subject: EventSubject;
  observation: Observation;
  /** When it was answered, on the clock of `performance.now()`. */
  answeredAt: number;
}

/** Requests to API v1 that created something for the subject of one event. */
export function effectsAbout({ inbox }: CheckKit, subject: EventSubject): readonly ApiEffect[] {
  const entries = Object.entries(subject).filter(([, value]) => value !== undefined && value !== null);
  return inbox.apiEffects.after(0).filter(({ arrival: { request } }) => {
    const body = jsonObjectOf(request.body);
    const inPath = /\/v1\/projects\/([^/]+)\//.exec(request.url)?.[1];
    return entries.some(
      ([name, value]) => body?.[name] === value || (name === 'projectId' && inPath === String(value)),
    );
  });
}

const noRequest = 'No delivery of this kind led to a request to API v1 about its project.';

/**
 * Requires that a repeated delivery has caused no request to API v1 twice by the end of the run. `single` are
 * deliveries that came once: the most that one of them repeats a request is usual.
 */
export async function judgeLateRepetition(
  kit: CheckKit,
  repeated: TracedDelivery,
  single: readonly EventSubject[],
): Promise<void> {
  const watched = await watchUntilTheEnd(kit, repeated.answeredAt);
  const usual = single.map((subject) => mostRepeated(effectsAbout(kit, subject)).length).filter((count) => count > 0);
  const again = mostRepeated(effectsAbout(kit, repeated.subject));
  const [first] = again;
  if (usual.length === 0 || !first) return kit.notExercised(noRequest);
  const isSecond = again.length > Math.max(...usual);
  conclude(
    isSecond ? first.arrival : repeated.observation,
    isSecond
      ? {
          expected: 'no second effect of one delivery',
          received: `the same request twice: ${first.signature}`,
          hint: 'Remember what was processed by its delivery id (by callbackUrl for CRM events) before acting on it.',
        }
      : undefined,
  );
  addRemark(`Watched API v1 for ${watched} after the delivery.`);
}

/**
 * Requires that no refused delivery has caused a request to API v1 by the end of the run. `accepted` are deliveries
 * whose effects show that there would be one to see.
 */
export async function judgeLateRefusals(
  kit: CheckKit,
  refused: readonly (TracedDelivery & { what: string })[],
  accepted: readonly EventSubject[],
): Promise<void> {
  if (refused.length === 0) return kit.notExercised('No delivery was refused with a 3xx or 4xx status.');
  const watched = await watchUntilTheEnd(kit, Math.max(...refused.map(({ answeredAt }) => answeredAt)));
  if (!accepted.some((subject) => effectsAbout(kit, subject).length > 0)) return kit.notExercised(noRequest);
  for (const { subject, observation, what } of refused) {
    const [effect] = effectsAbout(kit, subject);
    conclude(
      effect?.arrival ?? observation,
      effect && {
        expected: `no effect of ${what}, which was refused`,
        received: `a request to API v1: ${effect.signature}`,
        hint: 'Verify the credentials before anything else runs, also before work is queued or stored.',
      },
    );
  }
  addRemark(`Watched API v1 for ${watched} after the refusal.`);
}

/** The request that came most often. */
function mostRepeated(effects: readonly ApiEffect[]): readonly ApiEffect[] {
  const groups = [...Map.groupBy(effects, ({ content }) => content).values()];
  return groups.toSorted((a, b) => b.length - a.length)[0] ?? [];
}
