import type { Call } from './call.ts';
import { fullGreetingMs, quietMs, overdueFactor, shortGreetingMs, type CallBehaviour } from './call-behaviour.ts';

/** The parts of the driver that the observation of the first calls uses. */
export interface FirstCalls {
  begin: (options: { label: string; greetingMs: number }) => Promise<Call>;
  /** Ends a call and keeps it for the end of the run. */
  end: (call: Call) => Promise<void>;
  sentence: string;
  /** Milliseconds for the answer to a second sentence. */
  timeoutMs: number;
}

/**
 * Conducts a call with a full greeting and observes whether the AI speaks meanwhile, and which sentence it answers; then
 * one in which the first sentence comes early. An AI that is not ready by then gets the full greeting in every call.
 */
export async function learnBehaviour({ begin, end, sentence, timeoutMs }: FirstCalls): Promise<CallBehaviour> {
  const slow = await begin({ label: 'the first call, with a full greeting', greetingMs: fullGreetingMs });
  const greets = slow.heardSince(0) !== '';
  if (greets) await slow.settle(quietMs);
  const calm = await slow.answerStart(slow.speak(sentence));
  const second = calm.outcome === 'nothing' ? slow.speak(sentence) : undefined;
  const lost = second !== undefined && (await slow.firstPiece(second, timeoutMs));
  if (lost) await slow.answerStart(second);
  await end(slow);
  if (greets || calm.firstPieceMs === null) {
    const { observation } = slow;
    const isSilent = calm.outcome === 'nothing' && observation.end?.by !== 'ai';
    return {
      greets,
      greetingMs: fullGreetingMs,
      ...(lost ? { lostFirst: observation } : isSilent && { silent: observation }),
    };
  }
  const quick = await begin({ label: 'a call in which the caller speaks early', greetingMs: shortGreetingMs });
  const heard = await quick.firstPiece(quick.speak(sentence), overdueFactor * calm.firstPieceMs + fullGreetingMs);
  await end(quick);
  return { greets, greetingMs: heard ? shortGreetingMs : fullGreetingMs };
}
