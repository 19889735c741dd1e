import { ContactMarks } from '../../harness/checks/contact-marks.ts';
import { parseJson } from '../../harness/checks/json.ts';
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
    ...valid.answered,
    ...callbackBoxes.flatMap(({ event, box }) =>
      box.arrivals.map(({ request }) => ({ event: JSON.stringify(event), answer: textOf(request.body) })),
    ),
  ];
  const marks = new ContactMarks(session.sample);
  for (const { event } of pairs) marks.add(valueOf(event));
  const foreign = pairs.flatMap(({ event, answer }, at) => (marks.foreignIn(answer, event) === undefined ? [] : [at]));
  const [first] = foreign;
  if (first === undefined) return emptyOutcome;
  const found: Found = {
    id: 'answer/of-another-contact',
    summary: `The answer to event ${first + 1} of this diagnosis contains the id, phone number or name of another contact, which the event does not contain; so do ${foreign.length} of ${pairs.length} answers.`,
  };
  if (foreign.length >= enough) return { ...emptyOutcome, found };
  return { ...emptyOutcome, suspects: [{ ...found, why: 'It was observed once.' }] };
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body).toString('utf8');
}

function valueOf(text: string): unknown {
  const parsed = parseJson(Buffer.from(text));
  return 'value' in parsed ? parsed.value : undefined;
}
