import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { longGreeting, quietCall } from './slow-calls.ts';
import { speechIn } from './speech.ts';
import { requireAnswers } from './talk.ts';

describe.concurrent('own-ai-phone greetings', () => {
  check(
    'own-ai-phone/leaves-the-greeting-to-the-service',
    'the AI does not speak before the first sentence of the caller',
    async (kit) => {
      const call = await longGreeting(kit);
      const [started, prompt = call.frames.length] = call.frames.flatMap(({ from }, at) =>
        from === 'service' ? [at] : [],
      );
      const spoken = call.frames.findIndex((frame, at) => at < prompt && speechIn(frame) !== '');
      const frame = call.frames[spoken];
      if (!frame) await requireAnswers(kit);
      conclude(
        call,
        frame && {
          expected: 'silence until the first prompt, since the service greets',
          received: `${quoted(speechIn(frame))} ${Math.round(frame.atMs - (call.frames[started ?? 0]?.atMs ?? 0))} ms after session.started`,
          frame: spoken,
          hint: 'Wait for the first prompt; only a call that comes back with resumed may be spoken to at once.',
        },
      );
    },
  );

  check('own-ai-phone/keeps-the-call-open', 'a call stays up while the caller says nothing', async (kit) => {
    expect(await longGreeting(kit)).toStayUp();
  });

  check('own-ai-phone/keeps-the-call-open', 'a call stays up through a silence of more than 5 s', async (kit) => {
    expect(await quietCall(kit)).toStayUp();
  });
});
