import { it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnoseDialogue } from '../../diagnosis/phone/diagnose-dialogue.ts';
import { setUp, startEndpoint } from '../proving/endpoint.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { correctPhone } from '../proving/phone.ts';

/** Milliseconds of silence after which the endpoint closes a call: longer than any other probe is quiet. */
const idleMs = 4_000;
/** Milliseconds for the diagnosis: of a thorough one, a third of them is the longest silence. */
const withinMs = { thorough: 24_000, usual: 60_000 } as const;

it.concurrent.for(['thorough', 'usual'] as const)(
  'closes a quiet call: a %s diagnosis reports it',
  { timeout: 90_000 },
  async (kind, { expect }) => {
    const right = correctPhone();
    const idle = new WeakMap<PhoneCall, NodeJS.Timeout>();
    const watch = (call: PhoneCall) => {
      clearTimeout(idle.get(call));
      idle.set(
        call,
        setTimeout(() => call.socket.close(1000, 'idle'), idleMs),
      );
    };
    await using running = await startEndpoint({
      phone: {
        connected: watch,
        hear(frame, call) {
          right.hear(frame, call);
          watch(call);
        },
        closed: (call) => clearTimeout(idle.get(call)),
      },
    });
    const config = {
      phone: { url: running.voice, secret: setUp.agentSecret, timeoutSeconds: 2 },
      skills: setUp.skills,
      stimuli: setUp.stimuli,
      service: { host: '127.0.0.1', port: 0, apiKey: setUp.apiKey },
    };
    await using connection = await Connection.open('own-ai-phone', config, {
      seed: 1,
      withinMs: withinMs[kind],
      isThorough: kind === 'thorough',
    });
    const { found, seen } = await diagnoseDialogue(connection);
    expect(found?.id, seen.join('\n')).toBe('phone/closes-when-quiet');
  },
);
