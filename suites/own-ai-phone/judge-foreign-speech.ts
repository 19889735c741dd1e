import type { Call } from '../../harness/wire/call.ts';
import type { Finding } from '../../harness/checks/finding.ts';

/** The finding about the words of another caller in the speech of this call. */
export function judgeForeignSpeech(call: Call, others: readonly string[]): Finding | undefined {
  const heard = call.heardSince(0);
  const foreign = others.find((marker) => heard.includes(marker));
  if (foreign === undefined) return undefined;
  return {
    expected: 'only what belongs to this call',
    received: `the word ${foreign}, which belongs to another call`,
    frame: call.observation.frames.findLastIndex(({ from }) => from === 'ai'),
    hint: 'Keep the conversation and the connection of each call in a separate object, found by its call id.',
  };
}
