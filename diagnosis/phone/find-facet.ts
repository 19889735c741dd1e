import type { CallEnd } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { brokeOff, codeWords } from './call-end.ts';
import type { CallFacet } from './call-facets.ts';
import type { Found } from '../outcome.ts';
import type { PhoneCalls } from './phone-calls.ts';
import { smallestSet } from './smallest-set.ts';

/** How a call went in which some facets were tried. */
type Trial =
  | { how: 'goes-on' }
  /** The AI ended the call as it may, before all was tried; `at` facets had been by then. */
  | { how: 'over'; at: number }
  | { how: 'deaf' }
  | { how: 'closes'; end: CallEnd; at?: CallFacet | undefined }
  | { how: 'not-taken'; status: string };

/** Milliseconds after a step in which the AI has reacted to it. */
const stepMs = 60;
/** Milliseconds without a word after which what the AI had to say by itself is said. */
const settleMs = 150;
/** Milliseconds of the greeting of a call that is tried first; one that fails is tried again with a full one. */
const shortGreetingMs = 120;

/**
 * Tries all of them in one call. `undefined` when the call goes on as a plain one does; otherwise what the smallest part
 * of them is that breaks it, seen twice, with a plain call in between that goes on.
 */
export async function findFacet(
  calls: PhoneCalls,
  facets: readonly CallFacet[],
  seen: string[],
): Promise<Found | 'unclear' | undefined> {
  if (facets.length === 0) return undefined;
  const quick = await tryFacets(calls, facets, shortGreetingMs);
  const whole = quick.how === 'goes-on' || quick.how === 'over' ? quick : await tryFacets(calls, facets);
  if (whole.how === 'goes-on') return undefined;
  if (whole.how === 'over') {
    const { at } = whole;
    if (at === 0 || facets.length === 1) return undefined;
    return (
      (await findFacet(calls, facets.slice(0, Math.min(at, facets.length - 1)), seen)) ??
      (await findFacet(calls, facets.slice(Math.min(at + 1, facets.length)), seen))
    );
  }
  const breaks = (trial: Trial) => trial.how === whole.how;
  const suspected = whole.how === 'closes' && whole.at ? [whole.at] : facets;
  const isEnough = suspected === facets || breaks(await tryFacets(calls, suspected));
  const all = isEnough ? suspected : facets;
  const needed = await smallestSet(all, async (part) => breaks(await tryFacets(calls, part)));
  const plain = await tryFacets(calls, []);
  const again = await tryFacets(calls, needed, undefined, calls.connection.patienceMs);
  const words = needed.map(({ when }) => when).join(', and ');
  seen.push(
    `${reaction(again)} ${needed[0]?.step || needed[0]?.sentence ? 'when' : 'in a call'} ${words}; a plain call ${plain.how === 'goes-on' ? 'goes on' : 'does not go on either'}.`,
  );
  if (plain.how !== 'goes-on' || !breaks(again)) return 'unclear';
  return { id: causeOf(needed), text: told(needed, again, words) };
}

/** Which cause it is that these together break a call. */
function causeOf(needed: readonly CallFacet[]): Found['id'] {
  const [first] = needed;
  if (needed.length === 1 && first) return first.cause;
  return needed.every(({ cause }) => cause === 'phone/key-not-taken')
    ? 'phone/keys-in-a-row-not-taken'
    : needed.every(({ cause }) => cause === first?.cause) && first
      ? first.cause
      : 'phone/frames-together-not-taken';
}

function told([first]: readonly CallFacet[], trial: Trial, words: string): string {
  const isStep = first?.step !== undefined || first?.sentence !== undefined;
  const doing = {
    closes: trial.how === 'closes' ? `closes the connection ${codeWords(trial.end)}` : '',
    deaf: 'says nothing more',
    'not-taken': trial.how === 'not-taken' ? `answers ${trial.status} to the upgrade` : '',
  }[trial.how as 'closes' | 'deaf' | 'not-taken'];
  return `Your endpoint ${doing} ${isStep ? 'when' : 'in a call'} ${words}.`;
}

function reaction(trial: Trial): string {
  switch (trial.how) {
    case 'goes-on':
      return 'The call went on';
    case 'over':
      return 'The AI ended the call by an action';
    case 'deaf':
      return 'A plain sentence is not answered any more';
    case 'closes':
      return `The AI closes the connection ${codeWords(trial.end)}`;
    case 'not-taken':
      return `The upgrade is answered ${trial.status}`;
  }
}

/** One call in which all of this happens, and a plain sentence after it. */
async function tryFacets(
  calls: PhoneCalls,
  facets: readonly CallFacet[],
  greetingMs = calls.greetingMs,
  firstPieceMs = calls.usualMs,
): Promise<Trial> {
  const label =
    facets.length === 0 ? 'a plain call' : `a call, ${facets.map(({ when }) => when).join(', ')}`.slice(0, 160);
  const revision = facets.findLast((facet) => facet.revision !== undefined)?.revision;
  const { phone, ids } = calls.connection.session;
  const callId = ids.text();
  const call = await calls.begin({
    label,
    greetingMs,
    firstPieceMs,
    started: (typical) =>
      facets.reduce((frame, { started }) => started?.(frame) ?? frame, { ...typical, callId } as Record<
        string,
        unknown
      >),
    ...(revision !== undefined && { upgrade: phone.upgrade(callId, revision) }),
  });
  const { observation } = call;
  const down = async (tried: number, at?: CallFacet): Promise<Trial> => {
    await call.end();
    const end = brokeOff(observation);
    return end ? { how: 'closes', end, at } : { how: 'over', at: tried };
  };
  if (!isConnected(observation.answer)) {
    const { answer } = observation;
    return { how: 'not-taken', status: answer.outcome === 'answered' ? String(answer.status) : answer.outcome };
  }
  const odd = facets.filter(({ sentence }) => sentence);
  try {
    if (!call.isUp) return await down(facets.length);
    await call.settle(settleMs);
    for (const [tried, facet] of facets.entries()) {
      facet.step?.(call);
      if (facet.step) await call.pass(stepMs);
      if (!call.isUp) return await down(tried, facet);
    }
    if (facets.some(({ step }) => step)) await call.settle(settleMs);
    if (odd.length > 0 && call.isUp) {
      const said = call.speak(odd.reduce((text, { sentence }) => sentence?.(text) ?? text, calls.sentence));
      if (await call.firstPiece(said, calls.usualMs)) await call.waitForAnswerEnd(said);
    }
    if (!call.isUp) return await down(facets.length);
    const frame = facets.reduce((made, { prompt }) => prompt?.(made) ?? made, {
      type: 'prompt',
      text: calls.sentence,
    } as Record<string, unknown>);
    const answer = await call.answer(call.send(frame));
    if (answer.outcome === 'nothing') calls.assertTime();
    if (!call.isUp) await call.end();
    const end = brokeOff(observation);
    if (end) return { how: 'closes', end };
    return answer.outcome === 'nothing' ? { how: 'deaf' } : { how: 'goes-on' };
  } finally {
    await calls.end(call);
  }
}
