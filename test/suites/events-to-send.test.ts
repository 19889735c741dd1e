import { expect, it } from 'vitest';
import type { RunSettings } from '../../harness/config/settings.ts';
import type { MessageReceived } from '../../specs/generated/types.ts';
import { moderateEvents } from '../../suites/events-to-send.ts';

it('has messages of strings that languages treat as false or null, while auto-reply is on', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const { edges } = moderateEvents<MessageReceived>('messageReceived', { seed, runs: 0 } as RunSettings);
    const answered = edges.filter(({ data }) => data.autoReply.state === 'on').map(({ data }) => data.message.text);
    expect(answered).toEqual(expect.arrayContaining(['0', 'null', ' ']));
  }
});
