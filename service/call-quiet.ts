import type { PhoneCall } from './phone-call.ts';
import type { ServiceEvents } from './service-events.ts';

/** Milliseconds without a frame after which what the AI says to a pressed key counts as over; an answer to it is free. */
const quietMs = 1_000;

/** Presses a key, and resolves once nothing more is said to that. */
export async function pressAndHear(events: ServiceEvents, call: PhoneCall, digit: string): Promise<void> {
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
