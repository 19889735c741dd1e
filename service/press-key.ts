import type { PhoneCall } from './phone-call.ts';
import type { ServiceEvents } from './service-events.ts';

/**
 * Milliseconds without a frame after which the reaction of the AI to a key press counts as over; reacting is optional.
 */
const quietMs = 1_000;

/** Presses a key and resolves once the AI has stopped reacting to it. */
export async function pressKey(events: ServiceEvents, call: PhoneCall, digit: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = () => {
      off();
      resolve();
    };
    let timer = setTimeout(done, quietMs);
    const off = events.listen(({ type, data }) => {
      if (type !== 'call' || data['callId'] !== call.callId) return;
      clearTimeout(timer);
      timer = setTimeout(done, quietMs);
    });
    call.press(digit);
  });
}
