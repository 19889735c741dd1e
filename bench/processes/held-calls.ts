import { once } from 'node:events';
import { WebSocket } from 'ws';
import { Session } from '../../harness/checks/session.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { toHaveClosedItsAnswers, toStayUp } from '../../suites/matchers/call-matchers.ts';
import { runSettings, secret } from '../run-settings.ts';

/** Results of one process that held many concurrent calls. */
export interface HeldCalls {
  /** Calls that received only their own answers, each of them closed, and that ended cleanly. */
  correct: number;
  /** Peak memory of the process in megabytes. */
  megabytes: number;
  /** Milliseconds from the first connection until the last call has ended and is judged. */
  tookMs: number;
}

const sentences = 3;
const [, , how, count = '0', url = ''] = process.argv;
const calls = Number(count);
const marker = (call: number, sentence: number) => `marker ${call}-${sentence}`;
/** All calls are connected before the first one speaks. */
const allUp = Promise.withResolvers<void>();
let up = 0;
const isUp = async () => {
  if (++up === calls) allUp.resolve();
  await allUp.promise;
};

async function ours(): Promise<{ correct: number; from: number }> {
  await using session = await Session.open(runSettings({ phone: { url, secret, timeoutSeconds: 10 } }, 1));
  await session.phone.hold({ label: 'the first one' }, (call) => call.ask('Hello?'));
  const from = performance.now();
  const talk = async (call: Call, at: number): Promise<Call> => {
    await isUp();
    for (let sentence = 0; sentence < sentences; sentence++) await call.ask(marker(at, sentence));
    return call;
  };
  const held = await session.phone.holdSeveral(calls, (dial) =>
    Promise.all(Array.from({ length: calls }, async (_, at) => talk(await dial({ label: `call ${at}` }), at))),
  );
  const isCorrect = (call: CallObservation, at: number) =>
    call.answers.length === sentences &&
    call.answers.every(({ outcome, text }, sentence) => outcome === 'closed' && text === marker(at, sentence)) &&
    toHaveClosedItsAnswers(call) === undefined &&
    toStayUp(call) === undefined &&
    call.end?.clean === true;
  // A run does not wait until so many connections are down.
  await Promise.all(held.map((call) => call.end()));
  return { correct: held.filter(({ observation }, at) => isCorrect(observation, at)).length, from };
}

/** The same dialogue with the WebSocket library alone. */
async function bare(): Promise<{ correct: number; from: number }> {
  const from = performance.now();
  const talk = async (at: number): Promise<boolean> => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await once(socket, 'open');
    await isUp();
    let correct = 0;
    for (let sentence = 0; sentence < sentences; sentence++) {
      const heard = once(socket, 'message') as Promise<[Buffer]>;
      socket.send(JSON.stringify({ type: 'prompt', text: marker(at, sentence) }));
      const [data] = await heard;
      const { text } = JSON.parse(data.toString('utf8')) as { text: string };
      if (text === marker(at, sentence)) correct++;
    }
    socket.close();
    await once(socket, 'close');
    return correct === sentences;
  };
  const all = await Promise.all(Array.from({ length: calls }, (_, at) => talk(at)));
  return { correct: all.filter(Boolean).length, from };
}

const { correct, from } = await (how === 'ours' ? ours() : bare());
const tookMs = performance.now() - from;
process.send?.({ correct, megabytes: process.resourceUsage().maxRSS / 1000, tookMs } satisfies HeldCalls);
process.disconnect?.();
