import type { CheckKit } from '../../harness/checks/check.ts';
import { ContactMarks } from '../../harness/checks/contact-marks.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Call } from '../../harness/wire/call.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** The finding about the words of another caller in the speech of this call. */
export function judgeForeignSpeech(call: Call, others: readonly string[]): Finding | undefined {
  const heard = call.heardSince(0);
  const foreign = others.find((marker) => heard.includes(marker));
  return foreign === undefined ? undefined : findingOf(call.observation, `the word ${foreign}`);
}

/** The first call of the run in which data of the contact of another call is spoken, and the finding about it. */
export function findForeignContact({
  phone,
  sample,
}: Pick<CheckKit, 'phone' | 'sample'>): { observation: CallObservation; finding: Finding } | undefined {
  const marks = new ContactMarks(sample);
  for (const call of phone.calls) marks.add({ data: { contact: contactOf(call) } });
  for (const observation of phone.calls) {
    const said = observation.frames.filter(({ from }) => from === 'service').map(({ value }) => value);
    const foreign = marks.foreignIn(speechOf(observation), JSON.stringify(said));
    if (foreign !== undefined) return { observation, finding: findingOf(observation, JSON.stringify(foreign)) };
  }
  return undefined;
}

function findingOf({ frames }: CallObservation, foreign: string): Finding {
  return {
    expected: 'only what belongs to this call',
    received: `${foreign}, which belongs to another call`,
    frame: frames.findLastIndex(({ from }) => from === 'ai'),
    hint: 'Keep the conversation, the contact and the connection of each call in a separate object, found by its call id.',
  };
}

/** The contact of a call, with the number of the caller. */
function contactOf({ frames }: CallObservation): Record<string, unknown> {
  const started = frames.find(({ from }) => from === 'service')?.value;
  if (!isJsonObject(started) || !isJsonObject(started.contact)) return {};
  return { ...started.contact, phone: started.from };
}

function speechOf({ frames }: CallObservation): string {
  return frames
    .map((frame) => {
      const meaning = frame.from === 'ai' ? interpretFrame(frame) : undefined;
      return meaning?.kind === 'speech' || meaning?.kind === 'action' ? meaning.text : '';
    })
    .join('');
}
