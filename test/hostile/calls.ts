import type { PhoneCall } from '../proving/phone-call.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

/** Frames of one burst, and milliseconds between bursts: ten thousand frames a second. */
const burst = 100;
const everyMs = 10;

/** Speaks without a pause from the first sentence until the call is over. */
function flood(call: PhoneCall, frame: (count: number) => string): void {
  let count = 0;
  const timer = setInterval(() => {
    if (call.socket.readyState !== call.socket.OPEN) {
      clearInterval(timer);
      return;
    }
    for (let at = 0; at < burst; at++) call.socket.send(frame(count++));
  }, everyMs);
  call.socket.once('close', () => clearInterval(timer));
}

function flooding(
  name: string,
  what: string,
  frame: (count: number) => string,
  blocks: HostileEndpoint['fails'],
): HostileEndpoint {
  return {
    name: `phone-${name}`,
    what,
    surface: 'own-ai-phone',
    fails: [],
    blocks,
    build: () => ({ phone: { prompt: (_, call) => flood(call, frame) } }),
  };
}

const closes = ['own-ai-phone/closes-each-answer'] as const;

export const hostileCalls: readonly HostileEndpoint[] = [
  flooding(
    'ten-thousand-frames',
    'Speaks 10,000 pieces a second that close no answer.',
    (count) => JSON.stringify({ type: 'text', text: `piece ${count} `, last: false }),
    closes,
  ),
  flooding(
    'unknown-frames',
    'Sends 10,000 frames a second of an unknown type.',
    (count) => JSON.stringify({ type: 'mood', mood: count }),
    ['own-ai-phone/answers-a-prompt'],
  ),
  flooding(
    'wide-frames',
    'Sends frames of 1,300 empty objects each, without end.',
    () => `{"type":"text","text":"a","x":[${Array.from({ length: 1_300 }, () => '{}').join(',')}]}`,
    closes,
  ),
  {
    name: 'phone-deep-frame',
    what: 'Answers with a frame that is nested 30,000 levels deep.',
    surface: 'own-ai-phone',
    fails: [],
    blocks: ['own-ai-phone/answers-a-prompt'],
    build: () => ({
      phone: {
        encode: (frame) =>
          frame.type === 'text'
            ? JSON.stringify({ ...frame, x: 0 }).replace('"x":0', `"x":${'['.repeat(30_000)}${']'.repeat(30_000)}`)
            : JSON.stringify(frame),
      },
    }),
  },
];
