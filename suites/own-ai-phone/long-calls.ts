import type { CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { once } from '../once.ts';
import { askUntilHeard, plainCall, requireAnswers, waitForTurn } from './talk.ts';

/** Sentences of the call from which the rules about answers are judged. */
export const sentences = 10;
/**
 * Milliseconds of speech from which callers interrupt most answers of that call: ten take half a minute. The first half
 * of the sentences is then said in another call too, whose answers are all heard to their end.
 */
const longSpeechMs = 1_000;

/**
 * Calls of plain sentences, each answered before the next: one of many sentences, and before it one with half of them if
 * long answers are interrupted in that one. If anything is amiss then, all answers are heard to their end in another
 * call, so that no rule about interrupts decides.
 */
export async function longCalls(kit: CheckKit): Promise<CallObservation[]> {
  await requireAnswers(kit);
  return await once(kit.session, 'phone long calls', async () => {
    if (!speaksLong(await plainCall(kit))) return [await holdLongCall(kit, sentences)];
    const calls = await Promise.all([
      holdLongCall(kit, sentences / 2),
      holdLongCall(kit, sentences, (at) => at > 0 && at < sentences - 1),
    ]);
    const [, { answers, end }] = calls;
    const isFine = answers.length === sentences && answers.at(-1)?.outcome === 'closed' && end?.by !== 'ai';
    return isFine ? calls : [await holdLongCall(kit, sentences)];
  });
}

function speaksLong({ answers }: CallObservation): boolean {
  return answers.some(({ firstPieceMs, wholeMs }) => (wholeMs ?? 0) - (firstPieceMs ?? 0) >= longSpeechMs);
}

/** A call of so many sentences, in which the caller interrupts these answers once they have begun. */
function holdLongCall(
  kit: CheckKit,
  count: number,
  interrupts: (at: number) => boolean = () => false,
): Promise<CallObservation> {
  return kit.phone.hold({ label: `a call of ${count} sentences` }, async (call) => {
    for (let at = 0; at < count && call.isUp; at++) {
      const hear = (said: number) => (interrupts(at) ? call.answerStart(said) : call.answer(said));
      const { outcome } = await askUntilHeard(kit, call, hear);
      if (outcome === 'nothing') break;
      if (interrupts(at)) await waitForTurn(call);
    }
    return call.observation;
  });
}
