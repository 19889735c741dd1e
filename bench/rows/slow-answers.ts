import { openExample } from '../check-run.ts';
import { chainAndVitest, waitsOfChat, waitsOfSpeech } from '../forced-waits.ts';
import type { Row } from '../row.ts';

const speechMs = 2_000;
const chatMs = 1_000;
const baseline = 'longest forced chain, empty Vitest';

export const rows: readonly Row[] = [
  {
    name: 'slow-answers-phone',
    what: `check of the phone of an AI that takes ${speechMs / 1000} s to speak an answer`,
    unit: 's',
    better: 'less',
    goal: 30,
    rounds: 1,
    run: async (compare) => {
      await using example = await openExample({ speechMs });
      await compare(
        async () => (await example.check('--surface', 'own-ai-phone')).seconds,
        [{ name: baseline, measure: chainAndVitest(waitsOfSpeech(speechMs)) }],
      );
    },
  },
  {
    name: 'slow-answers-chat',
    what: `check of the chat of an AI that takes ${chatMs / 1000} s for an answer`,
    unit: 's',
    better: 'less',
    goal: 20,
    rounds: 1,
    run: async (compare) => {
      await using example = await openExample({ chatMs });
      await compare(
        async () => (await example.check('--surface', 'own-ai-chat')).seconds,
        [{ name: baseline, measure: chainAndVitest(waitsOfChat(chatMs)) }],
      );
    },
  },
];
