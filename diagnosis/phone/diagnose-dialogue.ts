import { OutOfTime, type Connection } from '../connection.ts';
import { formatMs } from '../format-ms.ts';
import type { Failing, Found, ProbeOutcome, Probe, Suspect } from '../outcome.ts';
import { brokenCalls, connectionTest } from './broken-calls.ts';
import { frameAspects, sentenceAspects, sessionAspects, type CallAspect } from './call-aspects.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import { eventAspects } from './event-aspects.ts';
import { findAspect } from './find-aspect.ts';
import { frameFaults } from './frame-faults.ts';
import { interruptedCalls } from './interrupted-calls.ts';
import { PhoneCalls } from './phone-calls.ts';
import { manySentences, plainDialogue, restorePoint, type PlainDialogue } from './plain-dialogue.ts';
import { describeOwnEnd, QuietCall } from './quiet-call.ts';
import { partsFor, type DialoguePart } from './dialogue-parts.ts';
import { severalCalls } from './several-calls.ts';

/** Milliseconds after which an answer counts as not closed if a check has already waited for its end. */
const quickNextPieceMs = 1_500;
/** Milliseconds of silence if silence is not under test. */
const shortSilenceMs = 150;
/** Milliseconds of silence if a check observed a closed call, or if there is time for it: longer than the usual minute of a proxy if `--within` allows it. */
const longSilenceMs = 65_000;
/** Milliseconds after which proxies usually close idle connections. */
const usualIdleMs = 60_000;

/**
 * Finds faults in the dialogue of calls: silence, ignored frames, answers that are not closed, calls that break off, and
 * their triggers. For a failed requirement it tests only the related parts.
 */
export const diagnoseDialogue: Probe = async (connection, failing) => {
  const parts = partsFor(failing?.requirement);
  await using calls = new PhoneCalls(
    connection,
    failing ? { nextPieceMs: Math.min(quickNextPieceMs, connection.timeoutMs) } : {},
  );
  const seen: string[] = [];
  const plain = await plainDialogue(calls, seen, plainOptions(connection, failing));
  const outcome = (found: Found | undefined): ProbeOutcome => {
    const main = found ?? plain.lesser.find(({ id }) => isCause(id, failing));
    const others = plain.lesser.filter((one) => one !== main);
    const { passed, notObserved } = plain;
    return { found: main, suspects: [...plain.suspects, ...others.map(asSuspect)], passed, notObserved, seen };
  };
  if (plain.found) return { ...outcome(plain.found), ends: true };
  if (plain.suspects.length > 0 || plain.text === '') return outcome(undefined);
  let quiet: QuietCall | undefined;
  for (const part of parts) {
    try {
      const suspects = plain.suspects.length;
      const restore = restorePoint(plain, seen);
      let found = await tryPart(calls, part, plain, seen, failing);
      if (quiet && (found ?? plain.suspects.length > suspects)) {
        // An AI that handles two calls at once may not handle a third that has not ended yet.
        await quiet.end();
        quiet = undefined;
        restore();
        found = await tryPart(calls, part, plain, seen, failing);
      }
      if (found) return outcome(found);
      if (
        part === 'several' &&
        failing === undefined &&
        !connection.isThorough &&
        !plain.notObserved.includes(oneCallOnly)
      ) {
        quiet = await QuietCall.begin(calls);
      }
    } catch (error) {
      // Earlier findings are reported; without any, the timeout is the result.
      if (error instanceof OutOfTime && outcome(undefined).found) return outcome(undefined);
      throw error;
    }
  }
  const silence = await quiet?.judge(seen);
  if (silence?.found) return outcome(silence.found);
  plain.passed.push(...(silence?.passed ?? []));
  if (failing === undefined) {
    if (silence) plain.notObserved.push(...silence.notObserved);
    else if (plain.ownEndMs !== undefined) plain.notObserved.push(describeOwnEnd(plain.ownEndMs));
    const { quietMs } = silence ?? plain;
    if (quietMs !== undefined) plain.notObserved.push(...longerSilence(Math.max(quietMs, plain.quietMs ?? 0)));
  }
  // Waiting for calls to close would lose the results.
  if (connection.remainingMs <= 0) return outcome(undefined);
  const closing = await notClosing(calls, seen);
  if (closing) plain.lesser.push(closing);
  return outcome(undefined);
};

/** What the silence of this many milliseconds leaves unknown. */
function longerSilence(quietMs: number): string[] {
  if (quietMs >= usualIdleMs) return [];
  return [
    `Whether a call is closed when nothing is said for longer than ${formatMs(quietMs)} was not tested: many proxies close idle connections after a minute. diagnose --thorough --within 300 tests 65 s.`,
  ];
}

const oneCallOnly =
  'While a call was active, a second one was not accepted, so it is unknown whether concurrent calls are kept apart. The interface does not state how many calls an AI must accept at once; a caller who is not put through leaves a message.';

/** Requirements that show only after many sentences. */
const needingMany = new Set(
  ['answers-later-prompts', 'closes-each-answer', 'first-piece-within-timeout'].map((slug) => `own-ai-phone/${slug}`),
);

function plainOptions(
  connection: Connection,
  { requirement }: Partial<Failing> = {},
): { count?: number; quietForMs?: number } {
  const isAboutSilence = requirement === 'own-ai-phone/keeps-the-call-open';
  if (isAboutSilence || (requirement === undefined && connection.isThorough)) {
    return { quietForMs: Math.min(longSilenceMs, connection.remainingMs / 3) };
  }
  if (requirement === undefined || partsFor(requirement).length === 0) {
    return needingMany.has(requirement ?? '') ? { count: manySentences } : {};
  }
  // A check has tested plain calls already: one sentence suffices here.
  return { count: 1, quietForMs: shortSilenceMs };
}

async function tryPart(
  calls: PhoneCalls,
  part: DialoguePart,
  plain: PlainDialogue,
  seen: string[],
  failing: Failing | undefined,
): Promise<Found | undefined> {
  switch (part) {
    case 'session':
      return await tryAspects(
        calls,
        sessionAspects,
        'Calls of every documented kind are answered, and unknown fields and values are ignored.',
        plain,
        seen,
      );
    case 'frames':
      return await tryAspects(
        calls,
        frameAspects,
        'Keys, skill results, idle interrupts and unknown frames are handled.',
        plain,
        seen,
      );
    case 'sentences':
      return await tryAspects(calls, sentenceAspects, 'Unusual sentences are handled.', plain, seen);
    case 'event':
      return await tryAspects(calls, eventAspects(failing?.event, calls.session()), '', plain, seen);
    case 'stimuli':
      return await stimuli(calls, plain, seen);
    case 'interrupt': {
      const found = await interruptedCalls(calls, plain.text, seen);
      if (found === 'not-long')
        seen.push(
          'No answer was long enough to be interrupted; set stimuli.phone.long to a sentence with a longer answer.',
        );
      else if (found) return found;
      else plain.passed.push('An interrupted answer stops, and the next sentence is answered.');
      return undefined;
    }
    case 'several': {
      const found = await severalCalls(calls, seen);
      if (found === undefined) plain.passed.push('Concurrent calls are kept apart.');
      if (found !== 'one-only') return found;
      plain.notObserved.push(oneCallOnly);
      return undefined;
    }
    case 'test': {
      const found = await connectionTest(calls, seen);
      if (!found) plain.passed.push('A connection that is opened and closed does no harm.');
      return found;
    }
    case 'broken':
      return await brokenCalls(calls, seen);
  }
}

async function tryAspects(
  calls: PhoneCalls,
  groups: readonly (readonly CallAspect[])[],
  passed: string,
  plain: PlainDialogue,
  seen: string[],
): Promise<Found | undefined> {
  let unclear = false;
  for (const aspects of groups) {
    const found = await findAspect(calls, aspects, seen);
    if (found === 'unclear') unclear = true;
    else if (found) return found;
  }
  if (unclear) {
    const why = 'One of several differences broke a call, but not when it was tried again.';
    plain.suspects.push({ id: 'phone/frames-together-not-handled', why });
  } else if (passed !== '') plain.passed.push(passed);
  return undefined;
}

/** Tests the sentences of the config that trigger actions. */
async function stimuli(calls: PhoneCalls, plain: PlainDialogue, seen: string[]): Promise<Found | undefined> {
  const { handover, end, skill } = calls.connection.config.stimuli.phone ?? {};
  for (const [name, sentence] of Object.entries({ handover, end, skill })) {
    if (sentence === undefined) continue;
    const once = async () => {
      const call = await calls.begin({ label: `the sentence "${name}"` });
      await calls.ask(call, sentence);
      await call.settle(250);
      await calls.end(call);
      await call.end();
      return unexpectedEnd(call.observation);
    };
    const broke = await once();
    const [fault] = frameFaults(calls.connected).filter(({ id }) => !plain.lesser.some((known) => known.id === id));
    if (fault) {
      seen.push(`At the sentence "${name}": ${fault.summary ?? fault.id}`);
      if (fault.does === 'ends') return fault;
      plain.lesser.push(fault);
    }
    const again = broke && (await once());
    if (!again) continue;
    seen.push(`At the sentence "${name}" two calls were closed ${describeClose(again)}, without a preceding action.`);
    return {
      id: 'phone/hangs-up-without-action',
      summary: `Your endpoint closes the connection ${describeClose(again)} at the sentence "${name}", without an action.`,
    };
  }
  return undefined;
}

/** Reports calls whose close frame was not answered. */
async function notClosing(calls: PhoneCalls, seen: string[]): Promise<Found | undefined> {
  await calls.allDown();
  const ended = calls.connected.filter(({ end }) => end?.by === 'service');
  const unclean = ended.filter(({ end }) => end?.clean === false && end.detail === undefined);
  if (unclean.length < 2) return undefined;
  const text = `Your endpoint did not answer the close frame of ${unclean.length} of ${ended.length} calls, so their connections had to be terminated.`;
  seen.push(text);
  return { id: 'phone/closing-not-answered', summary: text };
}

/** Behaviour that the interface does not forbid is a cause only for a failed requirement about it. */
function isCause(id: Found['id'], failing: Failing | undefined): boolean {
  return id !== 'phone/binary-frames' || failing?.requirement === 'own-ai-phone/frame-is-text';
}

function asSuspect(found: Found): Suspect {
  return {
    ...found,
    why:
      found.id === 'phone/binary-frames' ? 'The interface does not state that they are read.' : 'It was also observed.',
  };
}
