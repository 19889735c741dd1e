import type { Seams } from './endpoint.ts';
import type { PhoneCall, Step } from './phone-call.ts';
import type { Journal } from './journal.ts';
import { correctPhone, type PhoneSeams } from './phone.ts';

/** The correct phone except for these seams, which may call the correct ones. */
export function phone(seams: (right: PhoneSeams) => Partial<PhoneSeams>): () => Seams {
  return () => ({ phone: seams(correctPhone()) });
}

/** The correct phone except for these seams, which may write to the state of the endpoint. */
export function storing(
  seams: (right: PhoneSeams, journal: () => Journal | undefined) => Partial<PhoneSeams>,
): () => Seams {
  return phone((right) => {
    let journal: Journal | undefined;
    return {
      ...seams(right, () => journal),
      accepted: (shown) => {
        journal = shown;
      },
    };
  });
}

/** Changes the reaction of the AI to a sentence. */
export function thinking(change: (steps: Step[], text: string, call: PhoneCall) => Step[]): () => Seams {
  return phone((right) => ({ think: (text, call) => change(right.think(text, call), text, call) }));
}

/** Changes each frame of the AI; frames that are not JSON stay unchanged. */
export function reshaping(change: (frame: Record<string, unknown>) => Record<string, unknown>): () => Seams {
  return phone(() => ({
    write: (frame) => [typeof frame === 'object' && !Buffer.isBuffer(frame) ? change(frame) : frame],
  }));
}

/** Whether a frame closes an answer. */
export function isClosing(frame: unknown): boolean {
  return typeof frame === 'object' && frame !== null && 'last' in frame && frame.last === true;
}

/** The same pieces, none of which closes the answer. */
export function withoutClosing(steps: readonly Step[]): Step[] {
  return steps.map(({ afterMs, frame }) => ({
    afterMs,
    frame: isClosing(frame) ? { ...(frame as Record<string, unknown>), last: false } : frame,
  }));
}

/** Whether a frame is speech. */
export function isText(frame: unknown): frame is Record<string, unknown> {
  return typeof frame === 'object' && frame !== null && 'type' in frame && frame.type === 'text';
}
