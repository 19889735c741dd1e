import { WebSocket } from 'ws';
import type { Call } from '../harness/wire/call.ts';
import type { CallObservation } from '../harness/wire/observation.ts';
import { Session } from '../harness/checks/session.ts';
import { runDefaults } from '../harness/config/settings.ts';
import { limits } from '../specs/limits.ts';
import { toHaveClosedItsAnswers, toStayUp } from '../suites/matchers/call-matchers.ts';

/** Results of one process that held many concurrent calls. */
export interface HeldCalls {
  calls: number;
  /** Calls that received only their own answers, each of them closed, and that ended cleanly. */
  right: number;
  /** Peak memory of the process, and its memory before the first call. */
  rssBytes: number;
  idleRssBytes: number;
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

let rssBytes = process.memoryUsage.rss();
const watch = setInterval(() => (rssBytes = Math.max(rssBytes, process.memoryUsage.rss())), 20);

async function ours(): Promise<{ idle: number; right: number }> {
  await using session = await Session.open({
    ...runDefaults,
    config: {
      phone: { url, secret: 'whsec_bench', timeoutSeconds: 10 },
      skills: [],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0 },
    },
    seed: 1,
    runs: 1,
    callbackWaitMs: limits.crmCallbackWithinMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    propertyMs: runDefaults.thoroughPropertyMs,
    only: [],
  });
  await session.phone.hold({ label: 'the first one' }, (call) => call.ask('Hello?'));
  const idle = process.memoryUsage.rss();
  const talk = async (call: Call, at: number): Promise<CallObservation> => {
    await isUp();
    for (let sentence = 0; sentence < sentences; sentence++) await call.ask(marker(at, sentence));
    return call.observation;
  };
  const held = await session.phone.holdSeveral(calls, (dial) =>
    Promise.all(Array.from({ length: calls }, async (_, at) => talk(await dial({ label: `call ${at}` }), at))),
  );
  const isRight = (call: CallObservation, at: number) =>
    call.answers.length === sentences &&
    call.answers.every(({ outcome, text }, sentence) => outcome === 'closed' && text === marker(at, sentence)) &&
    toHaveClosedItsAnswers(call) === undefined &&
    toStayUp(call) === undefined &&
    call.end?.clean === true;
  return { idle, right: held.filter(isRight).length };
}

/** The same dialogue with the WebSocket library alone. */
async function bare(): Promise<{ idle: number; right: number }> {
  const idle = process.memoryUsage.rss();
  const talk = async (at: number): Promise<boolean> => {
    const socket = new WebSocket(url, { perMessageDeflate: false });
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    await isUp();
    let right = 0;
    for (let sentence = 0; sentence < sentences; sentence++) {
      const heard = new Promise<Buffer>((resolve) => socket.once('message', resolve));
      socket.send(JSON.stringify({ type: 'prompt', text: marker(at, sentence) }));
      const { text } = JSON.parse((await heard).toString('utf8')) as { text: string };
      if (text === marker(at, sentence)) right++;
    }
    socket.close();
    await new Promise((resolve) => socket.once('close', resolve));
    return right === sentences;
  };
  const all = await Promise.all(Array.from({ length: calls }, (_, at) => talk(at)));
  return { idle, right: all.filter(Boolean).length };
}

const from = performance.now();
const { idle, right } = await (how === 'ours' ? ours() : bare());
clearInterval(watch);
process.send?.({ calls, right, rssBytes, idleRssBytes: idle, tookMs: performance.now() - from } satisfies HeldCalls);
process.disconnect?.();
