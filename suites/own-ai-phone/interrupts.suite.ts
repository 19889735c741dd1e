import { describe } from 'vitest';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import { timelinessOf } from '../../harness/wire/timeliness.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import {
  greetsByItself,
  greetsReason,
  interrupted,
  interruptedAgain,
  interruptions,
  isLong,
  isUnderWay,
  longAnswer,
  promptedInAnswer,
  type Interruption,
} from './slow-calls.ts';
import { assertCertain, timeOf } from './late-speech.ts';
import { interruptGraceMs, isPartOf, speechIn, completeAtOnceReason } from './speech.ts';
import { requirePlainCall } from './talk.ts';

/** Pieces after the grace that no longer count as one last word. */
const piecesOfAnOldAnswer = 2;
/** Multiple of the usual gap between pieces that counts as a pause, and the shortest pause in milliseconds. */
const gapsOfAPause = 3;
const shortestPauseMs = 150;
/** Minimum length that identifies the rest of an old answer. */
const fewestRestCharacters = 40;

describe.concurrent('own-ai-phone interrupts', () => {
  check('own-ai-phone/stops-at-interrupt', 'an interrupted answer is not spoken on', async (kit) => {
    const heard = await toJudge(kit, (kit) => interrupted(kit, 'at its first piece'));
    conclude(heard.observation, spokenOn(heard));
  });

  check(
    'own-ai-phone/stops-at-interrupt',
    'an answer that is interrupted while it is spoken is not spoken on',
    async (kit) => {
      const heard = await toJudge(kit, (kit) => interrupted(kit, 'while it is spoken'));
      const { wholeMs, firstPieceMs } = await longAnswer(kit);
      const restMs = (wholeMs ?? 0) - (firstPieceMs ?? 0) - interruptions['while it is spoken'];
      if (restMs < 2 * interruptGraceMs)
        kit.notExercised('The rest of the answer is too short to notice that it is spoken.');
      conclude(heard.observation, spokenOn(heard));
    },
  );

  check('own-ai-phone/stops-at-interrupt', 'the second interrupt of a call is obeyed as well', async (kit) => {
    const heard = await toJudge(kit, interruptedAgain);
    if (heard.heard === '') kit.notExercised('The AI did not answer the long sentence a second time.');
    conclude(heard.observation, spokenOn(heard));
  });

  check(
    'own-ai-phone/answers-after-interrupt',
    'the sentence after an interrupt is answered on its own',
    async (kit) => {
      const heard = await toJudge(kit, (kit) => interrupted(kit, 'at its first piece'));
      const { observation } = heard;
      expect(observation).toStayUp();
      expect(observation).toBeAnswered();
      expect(observation).toBeClosed();
      conclude(observation, answeredWithTheOld(heard));
    },
  );

  check('own-ai-phone/takes-a-prompt-during-an-answer', 'a sentence during an answer is answered', async (kit) => {
    await requirePlainCall(kit);
    if (kit.settings.config.stimuli.phone?.long === undefined) kit.notExercised(completeAtOnceReason);
    const [whole, call] = await Promise.all([longAnswer(kit), promptedInAnswer(kit)]);
    if (!isUnderWay(call, whole)) kit.notExercised(completeAtOnceReason);
    expect(call.observation).toStayUp();
    expect(call.observation).toBeAnswered();
  });
});

interface JudgedInterruption extends Interruption {
  /** The same answer without an interrupt. */
  old: string;
  /** Milliseconds of silence after which speech is a new answer. */
  pauseMs: number;
}

/** The interrupted call and the same answer heard to its end; not exercised when there was nothing to interrupt. */
async function toJudge<Call extends Interruption>(
  kit: CheckKit,
  hold: (kit: CheckKit) => Promise<Call>,
): Promise<Call & JudgedInterruption> {
  if (kit.settings.config.stimuli.phone?.long === undefined) kit.notExercised(completeAtOnceReason);
  await requirePlainCall(kit);
  const [whole, call] = await Promise.all([longAnswer(kit), hold(kit)]);
  if (!isUnderWay(call, whole) || !isLong(whole)) kit.notExercised(completeAtOnceReason);
  if (await greetsByItself(kit)) kit.notExercised(greetsReason);
  return { ...call, old: whole.text, pauseMs: Math.max(shortestPauseMs, pausesOf(whole)) };
}

/** Whether the AI words this answer as before, so that its words identify it. */
function isRepeated({ heard, old }: JudgedInterruption): boolean {
  return heard !== '' && old.startsWith(heard);
}

/**
 * Speech of the old answer after the grace. A new utterance, such as a question to the caller, is not a part of it: what
 * has other words, or comes after a closing piece or a pause. Where the words identify no answer, one last piece is not
 * proof either.
 */
function spokenOn(heard: JudgedInterruption): Finding | undefined {
  const { observation, at: interrupt, next, old, pauseMs } = heard;
  const { frames } = observation;
  const since = frames[interrupt]?.atMs ?? 0;
  let previous = since;
  let over = false;
  const counted: SpokenPiece[] = [];
  for (const [at, frame] of frames.slice(interrupt + 1, next).entries()) {
    const meaning = interpretFrame(frame);
    if (frame.from !== 'ai' || meaning.kind !== 'speech') continue;
    const isOld = isPartOf(old, meaning.text);
    over ||= frame.atMs - previous > pauseMs;
    if (meaning.text !== '' && (!over || isOld)) counted.push({ index: interrupt + 1 + at, text: meaning.text, isOld });
    over ||= meaning.last;
    previous = frame.atMs;
  }
  const notInTime = counted.filter(({ index }) => timelinessOf(timeOf(heard, index)) !== 'in-time');
  const late = notInTime.filter(({ index }) => timelinessOf(timeOf(heard, index)) === 'late');
  const [first] = late;
  if (!first || !isOldAnswer(heard, late)) {
    const indexes = notInTime.map(({ index }) => index);
    if (isOldAnswer(heard, notInTime)) assertCertain(heard, indexes);
    return undefined;
  }
  return {
    expected: `no piece of the old answer more than ${interruptGraceMs} ms after the interrupt`,
    received: `${late.length} ${late.length === 1 ? 'piece' : 'pieces'} up to ${Math.round((frames[late.at(-1)?.index ?? 0]?.atMs ?? 0) - since)} ms after it, the first ${quoted(first.text)}`,
    frame: first.index,
  };
}

interface SpokenPiece {
  index: number;
  text: string;
  /** It is part of the old answer. */
  isOld: boolean;
}

/** Whether these pieces prove that the old answer is spoken on. */
function isOldAnswer(heard: JudgedInterruption, pieces: readonly SpokenPiece[]): boolean {
  const someOld = pieces.some(({ isOld }) => isOld);
  if (isRepeated(heard)) return someOld || isPartOf(heard.old, pieces.map(({ text }) => text).join(''));
  return pieces.length >= piecesOfAnOldAnswer || someOld;
}

/**
 * Whether the old answer continued as the answer to the next sentence; `plain` is the answer to that one when nothing was
 * interrupted.
 */
function answeredWithTheOld(interruption: JudgedInterruption & { plain: string }): Finding | undefined {
  if (!isRepeated(interruption)) return undefined;
  const { observation, next, heard, old, plain } = interruption;
  const distinctive = old.slice(heard.length).trim().slice(0, fewestRestCharacters);
  const answer = speechOf(observation.frames.slice(next + 1));
  if (distinctive.length < fewestRestCharacters || !answer.includes(distinctive) || plain.includes(distinctive))
    return undefined;
  return {
    expected: 'an answer to the new sentence alone',
    received: `the rest of the interrupted answer: ${quoted(answer)}`,
    frame: observation.answers.at(-1)?.byFrame ?? next,
    hint: 'Discard the rest of the old answer at the interrupt; it must not be spoken later.',
  };
}

/** Milliseconds that make a pause in an answer spoken at this pace. */
function pausesOf({ firstPieceMs, wholeMs, pieces }: CallAnswer): number {
  return (gapsOfAPause * ((wholeMs ?? 0) - (firstPieceMs ?? 0))) / Math.max(pieces - 1, 1);
}

function speechOf(frames: CallObservation['frames']): string {
  return frames.map(speechIn).join('');
}
