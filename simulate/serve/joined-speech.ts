import { speechOf } from '../../reports/text/describe-frame.ts';
import type { ServiceEvent } from '../../service/service-events.ts';

/**
 * Turns the frames of calls into what people read: the pieces of one answer become one event, and a sentence of the
 * caller, which is also an event of the customer, is not repeated.
 */
export class JoinedSpeech {
  readonly #open = new Map<unknown, ServiceEvent[]>();

  /** The events to show now, in order. An answer is shown when it is closed, or when the call continues otherwise. */
  next(event: ServiceEvent): ServiceEvent[] {
    const { type, data } = event;
    if (type !== 'call') return [event];
    const { callId } = data;
    const pieces = this.#open.get(callId) ?? [];
    const speech = speechIn(event);
    if (speech && !speech.last) {
      this.#open.set(callId, [...pieces, event]);
      return [];
    }
    this.#open.delete(callId);
    if (speech) return merged([...pieces, event]);
    return [...merged(pieces), ...(isPrompt(event) ? [] : [event])];
  }

  /** The answers that are not closed, as far as they have come. */
  flush(): ServiceEvent[] {
    const answers = [...this.#open.values()].flatMap(merged);
    this.#open.clear();
    return answers;
  }
}

/** One event for all pieces of an answer; the time is that of its first one. */
function merged(events: readonly ServiceEvent[]): ServiceEvent[] {
  const [first] = events;
  if (!first || events.length === 1) return [...events];
  const said = events.flatMap((event) => speechIn(event) ?? []);
  const frame = JSON.stringify({ type: 'text', text: said.map(({ text }) => text).join(''), last: said.at(-1)?.last });
  return [{ ...first, data: { ...first.data, frame, pieces: events.length } }];
}

function speechIn({ data: { from, frame } }: ServiceEvent): ReturnType<typeof speechOf> {
  if (from !== 'ai' || typeof frame !== 'string') return undefined;
  return speechOf({ n: 0, from, atMs: 0, text: frame, bytes: 0 });
}

function isPrompt({ data: { from, frame } }: ServiceEvent): boolean {
  if (from !== 'service' || typeof frame !== 'string') return false;
  // A long frame is cut in the event, so it need not be JSON.
  return frame.startsWith('{"type":"prompt"');
}
