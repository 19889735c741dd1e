import { contactOfEvent, ContactMarks } from '../../harness/checks/contact-marks.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Connection } from '../connection.ts';
import { emptyOutcome, type Found, type ProbeOutcome } from '../outcome.ts';

/** Answers with foreign data that are no chance. */
const enough = 2;

/**
 * Finds data of another contact in the answers, callbacks and replies to all events so far, whichever probe has sent them:
 * some endpoints mix contacts up only after several events. Sends nothing.
 */
export function findForeignContact({ valid, callbackBoxes, session }: Connection): ProbeOutcome {
  const pairs = [
    ...valid.answered.map((one) => ({ ...one, kind: 'answer' })),
    ...callbackBoxes.flatMap(({ event, box }) =>
      box.arrivals.map(({ request }) => ({
        event: JSON.stringify(event),
        answer: textOf(request.body),
        kind: 'callback or reply',
      })),
    ),
  ];
  const marks = new ContactMarks(session.sample);
  for (const { event } of pairs) marks.add(valueOf(event));
  const foreign = pairs.flatMap(({ event, answer, kind }) => {
    const value = marks.foreignIn(answer, event);
    return value === undefined ? [] : [{ event, kind, value }];
  });
  const [first] = foreign;
  if (first === undefined) return emptyOutcome;
  const found: Found = {
    id: 'answer/of-another-contact',
    summary: `${foreign.length} of ${pairs.length} answers, callbacks and replies ${foreign.length === 1 ? 'contains' : 'contain'} the id, phone number or name of another contact, which the event does not contain; the first is the ${first.kind} to ${describeEvent(first.event)}.`,
  };
  const seen = [
    `The ${first.kind} to ${describeEvent(first.event)} contains ${JSON.stringify(first.value)}, which belongs to another contact.`,
  ];
  if (foreign.length >= enough) return { ...emptyOutcome, found, seen };
  return { ...emptyOutcome, suspects: [{ ...found, why: 'It was observed once.' }], seen };
}

/** The type of an event, and the contact in it. */
function describeEvent(text: string): string {
  const event = valueOf(text);
  const { type, eventType } = isJsonObject(event) ? event : {};
  const id = contactOfEvent(event)?.id;
  return `the event ${String(type ?? eventType)}${typeof id === 'number' ? ` of contact ${id}` : ''}`;
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

function valueOf(text: string): unknown {
  const parsed = parseJson(Buffer.from(text));
  return 'value' in parsed ? parsed.value : undefined;
}
