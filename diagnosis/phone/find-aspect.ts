import type { CallEnd } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import type { CallAspect } from './call-aspects.ts';
import type { Found } from '../outcome.ts';
import type { PhoneCalls } from './phone-calls.ts';
import { smallestSet } from './smallest-set.ts';

/** Result of a call with some aspects. */
type Trial =
  | { how: 'goes-on' }
  /** The AI validly ended the call after `at` aspects. */
  | { how: 'over'; at: number }
  | { how: 'deaf' }
  | { how: 'closes'; end: CallEnd; at?: CallAspect | undefined }
  | { how: 'not-taken'; status: string };

/** Milliseconds for the AI to react to a step. */
const stepMs = 60;
/** Milliseconds of silence after which unprompted speech has ended. */
const settleMs = 150;
/** Milliseconds of the greeting in a first attempt; a failed one is repeated with a full greeting. */
const shortGreetingMs = 120;

/**
 * Tries all of them in one call. `undefined` if the call continues like a plain one; otherwise the smallest subset that
 * breaks it, confirmed with a plain call in between.
 */
export async function findAspect(
  calls: PhoneCalls,
  aspects: readonly CallAspect[],
  seen: string[],
): Promise<Found | 'unclear' | undefined> {
  if (aspects.length === 0) return undefined;
  const quick = await tryAspects(calls, aspects, shortGreetingMs);
  const whole = quick.how === 'goes-on' || quick.how === 'over' ? quick : await tryAspects(calls, aspects);
  if (whole.how === 'goes-on') return undefined;
  if (whole.how === 'over') {
    const { at } = whole;
    if (at === 0 || aspects.length === 1) return undefined;
    return (
      (await findAspect(calls, aspects.slice(0, Math.min(at, aspects.length - 1)), seen)) ??
      (await findAspect(calls, aspects.slice(Math.min(at + 1, aspects.length)), seen))
    );
  }
  const breaks = (trial: Trial) => trial.how === whole.how;
  const suspected = whole.how === 'closes' && whole.at ? [whole.at] : aspects;
  const isEnough = suspected === aspects || breaks(await tryAspects(calls, suspected));
  const all = isEnough ? suspected : aspects;
  const needed = await smallestSet(all, async (part) => breaks(await tryAspects(calls, part)));
  const plain = await tryAspects(calls, []);
  const again = await tryAspects(calls, needed, undefined, calls.connection.timeoutMs);
  const words = needed.map(({ when }) => when).join(', and ');
  seen.push(
    `${reaction(again)} ${needed[0]?.step || needed[0]?.sentence ? 'when' : 'in a call'} ${words}; a plain call ${plain.how === 'goes-on' ? 'continues' : 'fails as well'}.`,
  );
  if (plain.how !== 'goes-on' || !breaks(again)) return 'unclear';
  return { id: causeOf(needed), summary: describeTrial(needed, again, words) };
}

/** The cause for which these aspects break a call. */
function causeOf(needed: readonly CallAspect[]): Found['id'] {
  const [first] = needed;
  if (needed.length === 1 && first) return first.cause;
  return needed.every(({ cause }) => cause === 'phone/key-not-handled')
    ? 'phone/keys-in-a-row-not-handled'
    : needed.every(({ cause }) => cause === first?.cause) && first
      ? first.cause
      : 'phone/frames-together-not-handled';
}

function describeTrial([first]: readonly CallAspect[], trial: Trial, words: string): string {
  const isStep = first?.step !== undefined || first?.sentence !== undefined;
  const doing = {
    closes: trial.how === 'closes' ? `closes the connection ${describeClose(trial.end)}` : '',
    deaf: 'stops answering',
    'not-taken': trial.how === 'not-taken' ? `answers ${trial.status} to the upgrade` : '',
  }[trial.how as 'closes' | 'deaf' | 'not-taken'];
  return `Your endpoint ${doing} ${isStep ? 'when' : 'in a call'} ${words}.`;
}

function reaction(trial: Trial): string {
  switch (trial.how) {
    case 'goes-on':
      return 'The call continued';
    case 'over':
      return 'The AI ended the call by an action';
    case 'deaf':
      return 'A plain sentence is no longer answered';
    case 'closes':
      return `The AI closes the connection ${describeClose(trial.end)}`;
    case 'not-taken':
      return `The upgrade is answered ${trial.status}`;
  }
}

/** One call with all these aspects, and a plain sentence at the end. */
async function tryAspects(
  calls: PhoneCalls,
  aspects: readonly CallAspect[],
  greetingMs = calls.greetingMs,
  firstPieceMs = calls.usualMs,
): Promise<Trial> {
  const label =
    aspects.length === 0 ? 'a plain call' : `a call, ${aspects.map(({ when }) => when).join(', ')}`.slice(0, 160);
  const revision = aspects.findLast((aspect) => aspect.revision !== undefined)?.revision;
  const { phone, ids } = calls.connection.session;
  const callId = ids.text();
  const call = await calls.begin({
    label,
    greetingMs,
    firstPieceMs,
    started: (typical) =>
      aspects.reduce((frame, { started }) => started?.(frame) ?? frame, { ...typical, callId } as Record<
        string,
        unknown
      >),
    ...(revision !== undefined && { upgrade: phone.upgrade(callId, revision) }),
  });
  const { observation } = call;
  const down = async (tried: number, at?: CallAspect): Promise<Trial> => {
    await call.end();
    const end = unexpectedEnd(observation);
    return end ? { how: 'closes', end, at } : { how: 'over', at: tried };
  };
  if (!isConnected(observation.answer)) {
    const { answer } = observation;
    return { how: 'not-taken', status: answer.outcome === 'answered' ? String(answer.status) : answer.outcome };
  }
  const odd = aspects.filter(({ sentence }) => sentence);
  try {
    if (!call.isUp) return await down(aspects.length);
    await call.settle(settleMs);
    for (const [tried, aspect] of aspects.entries()) {
      aspect.step?.(call);
      if (aspect.step) await call.pass(stepMs);
      if (!call.isUp) return await down(tried, aspect);
    }
    if (aspects.some(({ step }) => step)) await call.settle(settleMs);
    if (odd.length > 0 && call.isUp) {
      const said = call.speak(odd.reduce((text, { sentence }) => sentence?.(text) ?? text, calls.sentence));
      if (await call.firstPiece(said, calls.usualMs)) await call.waitForAnswerEnd(said);
    }
    if (!call.isUp) return await down(aspects.length);
    const frame = aspects.reduce((made, { prompt }) => prompt?.(made) ?? made, {
      type: 'prompt',
      text: calls.sentence,
    } as Record<string, unknown>);
    const answer = await call.answer(call.send(frame));
    if (answer.outcome === 'nothing') calls.assertTime();
    if (!call.isUp) await call.end();
    const end = unexpectedEnd(observation);
    if (end) return { how: 'closes', end };
    return answer.outcome === 'nothing' ? { how: 'deaf' } : { how: 'goes-on' };
  } finally {
    await calls.end(call);
  }
}
