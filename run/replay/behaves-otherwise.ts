import { isJsonObject } from '../../specs/json-object.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import type { EvidenceRecord } from '../../harness/checks/evidence.ts';
import { parseJsonText } from '../../harness/checks/json.ts';
import type { CheckResult, Exchange, Stimuli } from '../../specs/generated/types.ts';

/** What a replay compares. */
export interface RepeatedSurface {
  /** The exchanges that the check judged in the report. */
  judged: readonly Exchange[];
  /** All checks of the surface, repeated. */
  now: readonly FinishedCheck[];
  /** The checks of the report. */
  recorded: readonly CheckResult[];
  stimuli: Stimuli;
}

/**
 * Whether a check that failed has nothing to judge any more because the endpoint now behaves in another way that the
 * interface permits: the delivery that decided it was sent again with the same text, and no check of the surface fails or
 * is blocked that was not so in the report. The requirement decides, not the recorded answer. Never so for calls and
 * after stimuli: an unchanged AI may answer a sentence differently each time.
 */
export function behavesOtherwise({ judged, now, recorded, stimuli }: RepeatedSurface): boolean {
  const delivery = judged.findLast(({ kind }) => kind === 'http');
  const content = delivery && contentOf(delivery);
  const isUncertain = judged.some((exchange) => exchange.kind === 'call' || isStimulus(exchange, stimuli));
  if (content === undefined || isUncertain) return false;
  const before = new Map(recorded.map(({ id, verdict }) => [id, verdict]));
  const isNew = ({ id, level, verdict }: FinishedCheck) =>
    level !== 'advice' && (verdict === 'fail' || verdict === 'blocked') && before.get(id) !== verdict;
  const isSame = (record: EvidenceRecord) => record.label === delivery?.label && contentOf(record) === content;
  const isSent = now.some(({ evidence }) => evidence.some(isSame));
  return isSent && now.some(({ verdict }) => verdict === 'pass') && !now.some(isNew);
}

/** Whether this delivery was sent again, but only with other words, as after a change of `stimuli`. */
export function differsInMessage(delivery: Exchange | undefined, now: readonly FinishedCheck[]): boolean {
  if (delivery?.kind !== 'http') return false;
  const content = contentOf(delivery);
  const again = now.flatMap(({ evidence }) => evidence.filter(({ label }) => label === delivery.label)).map(contentOf);
  return content !== undefined && again.length > 0 && again.every((one) => one !== undefined && one !== content);
}

/** Type and text of an event, which do not differ from run to run; `undefined` where the record is not complete. */
function contentOf({ request }: EvidenceRecord): string | undefined {
  const event = parseJsonText(request.body);
  if (!isJsonObject(event)) return undefined;
  const { type, eventType, data } = event;
  const message = isJsonObject(data) && isJsonObject(data.message) ? data.message : {};
  return JSON.stringify([type, eventType, message.text]);
}

/** Whether the endpoint decides if the behaviour that this event asks for occurs. */
function isStimulus({ request }: Exchange, { knownCaller, chat, phone }: Stimuli): boolean {
  const sentences = [chat, phone].flatMap((given) => Object.values<string>({ ...given }));
  const values = knownCaller === undefined ? sentences : [knownCaller, ...sentences];
  return values.some((value) => request.body.includes(JSON.stringify(value)));
}
