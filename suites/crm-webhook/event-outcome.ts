import { parseJson } from '../../harness/checks/json.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { requireRead } from '../answer-bodies.ts';
import { awaitCallback } from './await-callback.ts';
import { bodyOf } from './typical-answers.ts';

/** What the service received for an event. */
export interface EventOutcome {
  /** `contact update`, `project update` or both; `undefined`: no data. */
  data: string | undefined;
  /** The answer, or the callback after 202. */
  exchange: CrmObservation | Arrival;
}

/**
 * What the service received for a delivery; after a 202, its callback is awaited for `withinMs` milliseconds. `undefined`:
 * the event was refused, or its callback has not arrived or cannot be read.
 */
export async function outcomeOf(delivery: CrmObservation, withinMs: number): Promise<EventOutcome | undefined> {
  requireRead(200, [delivery]);
  const { answer } = delivery;
  if (answer.outcome !== 'answered') return undefined;
  if (answer.status !== 202) {
    return answer.status === 200 || answer.status === 204
      ? { data: dataIn(bodyOf(delivery)), exchange: delivery }
      : undefined;
  }
  const exchange = await awaitCallback(delivery, withinMs);
  const parsed = exchange && parseJson(exchange.request.body);
  return parsed && 'value' in parsed ? { data: dataIn(parsed.value), exchange } : undefined;
}

function dataIn(body: unknown): string | undefined {
  if (!isJsonObject(body)) return undefined;
  const parts = [
    ...(body.requestContactUpdate === true ? ['contact update'] : []),
    ...(body.requestProjectUpdate === true ? ['project update'] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}
