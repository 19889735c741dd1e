import type { CheckKit } from '../../harness/checks/check.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import type { legacyEventTypes } from '../../specs/crm-event-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { requireRead } from '../answer-bodies.ts';
import { conclude } from '../matchers/expect.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { bodyOf, dataPart } from './typical-answers.ts';

type LegacyName = (typeof legacyEventTypes)[number];

/** What the service received for an event. */
interface Outcome {
  /** `contact update`, `project update` or both; `undefined`: no data. */
  data: string | undefined;
  /** The answer, or the callback after 202. */
  exchange: CrmObservation | Arrival;
}

/** Sends a typical event under its legacy number. */
export function sendLegacyNumber(
  { crm, sample }: CheckKit,
  number: number,
  name: LegacyName,
  { callbackDue = false } = {},
): Promise<CrmObservation> {
  const event = deviating({ ...sample.crmEvent(name), eventType: number }, '/eventType');
  return crm.deliver(event, { label: `eventType ${number} (${name})`, callbackDue });
}

/**
 * Compares the data that the service receives for an event under its name, under its number, and under its name again. If
 * the two events under the name differ, nothing can be concluded.
 */
export async function judgeLegacyNumber(kit: CheckKit, number: number, name: LegacyName): Promise<void> {
  const { crm, sample } = kit;
  const withinMs = comparedCallbackMs(kit.settings);
  const sendName = async () => await outcomeOf(await crm.deliver(sample.crmEvent(name)), withinMs);
  // One after another: some receivers combine events of one contact that arrive during their work.
  const byName = await sendName();
  if (byName?.data === undefined) {
    return kit.notExercised(
      `No data was received for ${name}, at once or in a callback within ${withinMs / 1000} s, so there is nothing to compare eventType ${number} with.`,
    );
  }
  const callbackDue = byName.exchange.kind === 'callback';
  const numbered = await sendLegacyNumber(kit, number, name, { callbackDue });
  const byNumber = await outcomeOf(numbered, withinMs);
  if (!byNumber) {
    return kit.notExercised(`eventType ${number} got no answer or callback that can be compared with that of ${name}.`);
  }
  if ((await sendName())?.data !== byName.data) {
    return kit.notExercised(`${name} is not answered alike from one time to the next.`);
  }
  const isAtOnce = byNumber.exchange === numbered;
  conclude(
    byNumber.exchange,
    byNumber.data === byName.data
      ? undefined
      : {
          expected: `eventType ${number} to be answered like ${name} (${byName.data})`,
          received: byNumber.data ?? (isAtOnce ? 'an answer without data' : 'a callback without data'),
          hint: 'Until October 2026 eventType was a number; both forms are in use.',
          part: isAtOnce ? dataPart(numbered) : { body: [] },
        },
  );
}

/** `undefined`: the event was refused, or its callback has not arrived or cannot be read. */
async function outcomeOf(delivery: CrmObservation, withinMs: number): Promise<Outcome | undefined> {
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
