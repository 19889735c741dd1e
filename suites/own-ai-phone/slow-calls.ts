import type { CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import { once } from '../once.ts';
import { holdUntilCertain, stoppedSpeech, type StoppedSpeech } from './late-speech.ts';
import { askUntilHeard, isDown, isSilent, plainCall, requireAnswer } from './talk.ts';
import { interruptGraceMs, isPartOf, overrunListenMs, settleMs, speechIn } from './speech.ts';

/** Milliseconds of a greeting after which an AI that greets by itself has begun. */
const longGreetingMs = 1_500;
/** Milliseconds of silence of the caller after an answer. */
const silenceMs = 1_500;
/** Milliseconds of a silence that is longer than a usual limit for one read from a connection, 5 s. */
export const longSilenceMs = 5_500;
/** Milliseconds by which the silence of a thorough run is longer than the next usual limit, 30 s, for which it also watches. */
const beyondWatchMs = 1_500;

/** Milliseconds between the utterances of one answer. */
const utterancePauseMs = 300;

/** Pieces of an answer that can be interrupted. */
const fewestPieces = 3;

/** Whether an answer was still under way: no piece has closed it, or not all of its utterances had been heard. */
export function isUnderWay({ underWay, heard }: Pick<Interruption, 'underWay' | 'heard'>, whole: CallAnswer): boolean {
  return underWay || (heard !== '' && heard.length < whole.text.length && whole.text.startsWith(heard));
}

/** A call with a frame during an answer at which the AI had to stop, and the progress of the answer at that time. */
export interface Interruption extends StoppedSpeech {
  /** Index of the sentence after it; the number of frames when none followed. */
  next: number;
  /** No piece had closed the answer. */
  underWay: boolean;
  /** Speech of the answer until the frame. */
  heard: string;
}

/** Holds a call whose speech is compared with that of the others here: the AI may speak the name of its caller. */
function holdToCompare<T>({ phone, sample }: CheckKit, label: string, talk: (call: Call) => Promise<T>): Promise<T> {
  return phone.hold({ label, started: sample.callerToCompare() }, talk);
}

/** The uninterrupted answer to the configured long sentence, or else to a plain one. */
export function longAnswer(kit: CheckKit): Promise<CallAnswer> {
  return once(kit.session, 'phone long answer', () =>
    holdToCompare(kit, 'a long answer, heard to its end', async (call) => {
      const answer = await call.ask(longSentence(kit));
      // The answer may be several utterances, each of them closed.
      await call.settle(utterancePauseMs);
      const { frames } = call.observation;
      const pieces = frames.filter((frame, at) => at > answer.toFrame && speechIn(frame) !== '');
      const last = pieces.at(-1);
      if (answer.outcome !== 'closed' || !last || pieces.length === answer.pieces) return answer;
      const wholeMs = last.atMs - (frames[answer.toFrame]?.atMs ?? 0);
      return { ...answer, text: pieces.map(speechIn).join(''), pieces: pieces.length, wholeMs };
    }),
  );
}

/** Whether an answer is long enough to notice an AI that does not stop. */
export function isLong({ firstPieceMs, wholeMs, pieces }: CallAnswer): boolean {
  return pieces >= fewestPieces && (wholeMs ?? 0) - (firstPieceMs ?? 0) >= 2 * interruptGraceMs;
}

/** A call in which the service's greeting takes long, so that an AI that greets by itself is heard, and the caller too. */
export function longGreeting(kit: CheckKit): Promise<CallObservation> {
  const { session, phone, sample } = kit;
  return once(session, 'phone long greeting', async () => {
    const isAnswered = !(await isSilent(kit));
    const options = { label: 'a call with a long greeting', greetingMs: longGreetingMs, needsNoAnswer: true };
    return await phone.hold(options, async (call) => {
      const said = call.speak(sample.callerSentence);
      if (call.isUp && isAnswered) await call.answer(said);
      await call.pass(silenceMs);
      return call.observation;
    });
  });
}

/** A call in which the caller is silent for longer than a usual limit, after an answer: in a thorough run, for half a minute. */
export function quietCall(kit: CheckKit): Promise<CallObservation> {
  return once(kit.session, 'phone quiet call', async () => {
    const isAnswered = !(await isSilent(kit));
    return await kit.phone.hold({ label: 'a call with a long silence', needsNoAnswer: true }, async (call) => {
      const said = call.speak(kit.sample.callerSentence);
      if (call.isUp && isAnswered) await call.answer(said);
      await call.pass(Math.max(longSilenceMs, kit.settings.retryWatchMs + beyondWatchMs));
      return call.observation;
    });
  });
}

/** Reason why speech cannot be assigned to a sentence. */
export const greetsReason =
  'The AI speaks by itself at the beginning of calls, so its greeting cannot be distinguished from its answers.';

/** Whether the AI speaks before a late first sentence of a call. */
export async function greetsByItself(kit: CheckKit): Promise<boolean> {
  const { frames } = await longGreeting(kit);
  const prompt = frames.findIndex(({ from }, at) => from === 'service' && at > 0);
  return frames.slice(0, prompt < 0 ? frames.length : prompt).some((frame) => speechIn(frame) !== '');
}

/** When a long answer is interrupted: at its first piece, or this many milliseconds after it. */
export const interruptions = { 'at its first piece': 0, 'while it is spoken': 700 } as const;
type InterruptionTime = keyof typeof interruptions;
export const interruptionTimes = Object.keys(interruptions) as readonly InterruptionTime[];

/** A call whose long answer is interrupted, and a plain sentence after it. */
export function interrupted(kit: CheckKit, when: InterruptionTime): Promise<Interruption & { plain: string }> {
  const { session, sample } = kit;
  const hold = () =>
    holdToCompare(kit, `an answer that is interrupted ${when}`, async (call) => {
      const { toFrame } = await call.ask(sample.callerSentence);
      await call.settle(settleMs);
      const plain = call.heardSince(toFrame);
      const interruption = await interruptLongAnswer(kit, call, interruptions[when]);
      await askUntilHeard(kit, call);
      // The answer may continue after a closing piece, and the old one with it.
      await call.settle(settleMs);
      return { ...interruption, observation: call.observation, plain };
    });
  return once(session, `phone call interrupted ${when}`, () => holdUntilCertain(kit, hold));
}

/** A call whose long answer is interrupted twice; observed after the second interrupt. */
export function interruptedAgain(kit: CheckKit): Promise<Interruption> {
  const hold = () =>
    holdToCompare(kit, 'an answer that is interrupted after another one', async (call) => {
      const asked = call.speak(longSentence(kit));
      await call.firstPiece(asked);
      call.interrupt();
      await call.pass(interruptGraceMs);
      // The caller has not heard a word of the second answer yet.
      return await interruptLongAnswer(kit, call, 0, '');
    });
  return once(kit.session, 'phone call interrupted again', () => holdUntilCertain(kit, hold));
}

/** Says the long sentence, interrupts its answer some milliseconds after the first piece, and listens. */
async function interruptLongAnswer(kit: CheckKit, call: Call, afterMs: number, spoken?: string): Promise<Interruption> {
  const asked = call.speak(longSentence(kit));
  await call.firstPiece(asked);
  if (afterMs > 0) await call.pass(afterMs);
  const underWay = call.isAnswering;
  const heard = call.heardSince(asked);
  const at = call.interrupt(spoken);
  await call.pass(interruptGraceMs + overrunListenMs);
  return { ...stoppedSpeech(call, at), next: call.length, underWay, heard };
}

/** A call that ends at the first piece of its long answer, the connection staying open for a while. */
export function endedInAnswer(kit: CheckKit): Promise<Interruption> {
  const hold = () =>
    holdToCompare(kit, 'a call that ends during an answer', async (call) => {
      const asked = call.speak(longSentence(kit));
      await call.firstPiece(asked);
      const underWay = call.isAnswering;
      const heard = call.heardSince(asked);
      const at = call.length;
      await call.end({ listenMs: interruptGraceMs + overrunListenMs });
      return { ...stoppedSpeech(call, at), next: call.length, underWay, heard };
    });
  return once(kit.session, 'phone ended in an answer', () => holdUntilCertain(kit, hold));
}

/** A call with a sentence during its long answer, and the progress of that answer when the sentence was said. */
export function promptedInAnswer(kit: CheckKit): Promise<Pick<Interruption, 'observation' | 'underWay' | 'heard'>> {
  const { session, sample } = kit;
  return once(session, 'phone prompted in an answer', async () => {
    const whole = await longAnswer(kit);
    return await holdToCompare(kit, 'a sentence during an answer', async (call) => {
      const first = call.speak(longSentence(kit));
      await call.firstPiece(first);
      const progress = { underWay: call.isAnswering, heard: call.heardSince(first) };
      if (!isUnderWay(progress, whole)) return { observation: call.observation, ...progress };
      const second = call.speak(sample.callerSentence);
      await call.answer(second);
      // The received speech may be the rest of the old answer, in one utterance or several; then the new one is still to
      // come. An answer that starts again is not a rest.
      for (let heard = call.heardSince(second), length = 0; length < heard.length; heard = call.heardSince(second)) {
        if (!call.isUp || !isPartOf(whole.text, heard) || whole.text.startsWith(heard.trim())) break;
        length = heard.length;
        await call.answer(second, { after: call.length - 1 });
      }
      await isDown(call);
      return { observation: call.observation, ...progress };
    });
  });
}

/** A call with an answered sentence that the service closes. */
export function closedByService(kit: CheckKit): Promise<CallObservation> {
  return once(kit.session, 'phone closed by the service', async () => {
    await plainCall(kit);
    return await kit.phone.hold({ label: 'a call that the service closes', needsNoAnswer: true }, async (call) => {
      await requireAnswer(kit, call);
      await call.end();
      return call.observation;
    });
  });
}

/** The configured long sentence, or else a plain one. */
export function longSentence({ sample, settings }: CheckKit): string {
  return settings.config.stimuli.phone?.long ?? sample.callerSentence;
}
