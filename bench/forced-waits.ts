import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runDefaults } from '../harness/config/settings.ts';
import { overrunListenMs, interruptGraceMs } from '../suites/own-ai-phone/speech.ts';
import { sentences } from '../suites/own-ai-phone/long-calls.ts';
import type { Measure } from './row.ts';

/** One wait of a chain, in milliseconds. */
interface Wait {
  readonly why: string;
  readonly ms: number;
}

/** The long answer of the example: 40 pieces, 50 ms apart. */
const longAnswerMs = 39 * 50;

/** Its chain of waits is the longest of the example's six surfaces. */
export const waitsOfExample: readonly Wait[] = [
  { why: 'the long answer is heard to its end, so that an interruption of it can be recognised', ms: longAnswerMs },
  { why: 'after the interrupt, speech that does not stop is listened to', ms: interruptGraceMs + overrunListenMs },
  { why: 'after the last request of the client, a repetition is watched for', ms: runDefaults.retryWatchMs },
];

/** A call of many sentences, each answered before the next. */
export const waitsOfSpeech = (speechMs: number): readonly Wait[] => [
  { why: `a call of ${sentences} sentences, each heard to its end before the next`, ms: sentences * speechMs },
  { why: 'after the last reply, a second one is watched for', ms: runDefaults.retryWatchMs },
];

/** A chat in which an answer decides what is sent next. */
export const waitsOfChat = (answerMs: number): readonly Wait[] => [
  { why: 'a message, the same one again, and a plain one after it as the control', ms: 3 * answerMs },
  { why: 'after the last reply, a second one is watched for', ms: runDefaults.retryWatchMs },
];

/** The seconds of a chain of waits, and of a run of Vitest with an empty test. */
export function chainAndVitest(waits: readonly Wait[]): Measure {
  const seconds = waits.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  return async () => seconds + (await emptyVitest());
}

async function emptyVitest(): Promise<number> {
  const from = performance.now();
  const file = fileURLToPath(new URL('processes/empty-vitest.ts', import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`expected exit code 0, received ${code}`);
  return (performance.now() - from) / 1000;
}
