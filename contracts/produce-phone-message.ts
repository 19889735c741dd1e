import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import {
  plainStart,
  type PhoneCue,
  type PhoneInteraction,
  type PhoneSentence,
} from '../generators/contracts/own-ai-phone.ts';
import { interpretFrame } from '../harness/wire/frame-meaning.ts';
import type { Call } from '../harness/wire/call.ts';
import type { HoldOptions, PhoneDriver } from '../harness/wire/phone-driver.ts';
import { skillResults, type RequestedSkillResult } from '../harness/wire/skill-results.ts';
import { frameType } from '../specs/frame-type.ts';
import { expectedOf, framesAfter, judgeMessage, type PhoneMessageOutcome } from './judge-phone-message.ts';
import type { JsonFields } from '../specs/json-value.ts';

export interface PhoneMessageOptions {
  /** The caller's sentences, as in `stimuli.phone` of a config. Without a sentence its state cannot be reached. */
  readonly sentences: Partial<Readonly<Record<PhoneSentence, string>>>;
  /** Label of the call in the evidence. */
  readonly label: string;
  /** Id of the call; a new one for every call to a real endpoint. */
  readonly callId: string;
}

/** Milliseconds in which an AI may begin to speak on its own. */
const firstWordsMs = 1_500;
/** Milliseconds of quiet after an answer, by the end of which the skill or action that belongs to it has arrived. */
const settleMs = 300;
/** Milliseconds beyond the usual for an answer, once a full wait has produced nothing but an ignored frame. */
const afterIgnoredMs = 500;
/** AIs for which a full wait has produced nothing but an ignored frame. */
const sendsIgnoredFrames = new WeakSet<PhoneDriver>();
/** Results of plain sentences, by the beginning of the call. */
const plainAnswers = new WeakMap<PhoneDriver, Map<string, Promise<boolean>>>();

/**
 * Holds one signed call that produces a message of the phone contract, and returns the AI's frame for Pact to judge. If
 * there is none, a call with a plain sentence shows whether the message is the reason. Throws the errors of
 * {@link PhoneDriver.hold} (interface: Own-AI phone frames).
 */
export async function producePhoneMessage(
  phone: PhoneDriver,
  interaction: PhoneInteraction,
  options: PhoneMessageOptions,
): Promise<PhoneMessageOutcome> {
  const { cue, requirement } = interaction;
  const request = interaction.kind === 'synchronous' ? (exampleOf(interaction.request) as JsonFields) : undefined;
  const { sentences } = options;
  const missing = neededSentences(cue, request).find((name) => sentences[name] === undefined);
  if (missing !== undefined) {
    return notObserved(`the config has no stimuli.phone.${missing}, a sentence for which the AI ${shows[missing]}`);
  }
  const held = await holdOne(phone, interaction, request, options);
  if (held.outcome !== 'silent' || requirement === answering || cue.mayBeSilent) return held;
  if (await answersPlainly(phone, request, options)) return held;
  return notObserved(
    `the AI does not answer a plain sentence either, which ${answering} reports; received ${held.reason}`,
  );
}

const answering = 'own-ai-phone/answers-a-prompt';

async function holdOne(
  phone: PhoneDriver,
  interaction: PhoneInteraction,
  request: JsonFields | undefined,
  { sentences, label, callId }: PhoneMessageOptions,
): Promise<PhoneMessageOutcome> {
  const { cue } = interaction;
  const says = (name: PhoneSentence) => sentences[name] ?? '';
  const results = request?.['type'] === 'skill.result' ? request : undefined;
  return await phone.hold(
    {
      label,
      ...startOptions(cue, request, callId),
      resultsOf: (named) =>
        skillResults(named, phone.skills).map(({ key, ...given }) => ({
          key,
          ...(results ? skillOutcome(results) : given),
        })),
    },
    async (call) => {
      if (cue.says === 'none') {
        const begins = await call.firstPiece(0, firstWordsMs);
        return begins
          ? judgeMessage(call.observation, 0, interaction)
          : notObserved('the AI waits for the caller to speak');
      }
      const trouble = request && (await produceSituation(call, request, says));
      if (trouble !== undefined) return notObserved(trouble);
      const prompt = call.speak(says(cue.says));
      if (!(await waitForAnswer(phone, call, prompt))) {
        const judged = judgeMessage(call.observation, prompt, interaction);
        // A failure to answer that a full wait has shown for another message is not counted against this one.
        return judged.outcome === 'silent' && !cue.mayBeSilent ? notObserved(`received ${judged.reason}`) : judged;
      }
      // Many AIs announce an action before they take it.
      if (!framesAfter(call.observation, prompt).some((frame) => frameType(frame) === expectedOf(interaction)['type']))
        await call.settle(settleMs);
      return judgeMessage(call.observation, prompt, interaction);
    },
  );
}

/** Waits for an answer. `false`: an ignored frame arrived, and the wait was shortened for such an AI. */
async function waitForAnswer(phone: PhoneDriver, call: Call, prompt: number): Promise<boolean> {
  const isIgnored = () =>
    call.observation.frames
      .slice(prompt + 1)
      .some((frame) => frame.from === 'ai' && interpretFrame(frame).kind === 'ignored');
  if (sendsIgnoredFrames.has(phone)) {
    const begins = await call.firstPiece(prompt, phone.usualFirstPieceMs + afterIgnoredMs);
    if (!begins && call.isUp && isIgnored()) return false;
  }
  const { outcome } = await call.answer(prompt);
  if (outcome === 'nothing' && isIgnored()) sendsIgnoredFrames.add(phone);
  return true;
}

/** Whether a plain sentence is answered in a call that begins like that of the message, as far as that is typical. */
async function answersPlainly(
  phone: PhoneDriver,
  request: JsonFields | undefined,
  { sentences, callId }: PhoneMessageOptions,
): Promise<boolean> {
  const beginsAs = request?.['type'] === 'session.started' ? plainStart : undefined;
  const known = plainAnswers.get(phone) ?? new Map<string, Promise<boolean>>();
  plainAnswers.set(phone, known);
  const key = beginsAs === undefined ? 'typical' : 'example';
  const label = 'a plain sentence, to compare with';
  const started = { ...(beginsAs ? { startedAs: { ...beginsAs, callId } } : { started: { callId } }) };
  const asked =
    known.get(key) ??
    phone.hold({ label, ...started }, async (call) => {
      const { outcome, pieces } = await call.ask(sentences.answer ?? '');
      return outcome === 'closed' ? pieces > 0 : outcome !== 'nothing' && outcome !== 'call-ended';
    });
  known.set(key, asked);
  return await asked;
}

const shows: Readonly<Record<PhoneSentence, string>> = {
  answer: 'answers',
  handover: 'hands the call over',
  end: 'ends the call',
  skill: 'uses a skill',
  long: 'answers at length',
};

function neededSentences({ says }: PhoneCue, request: JsonFields | undefined): PhoneSentence[] {
  const needed: PhoneSentence[] = says === 'none' ? [] : [says];
  return request?.['type'] === 'skill.result' ? ['skill', ...needed] : needed;
}

/** The beginning of the call: as in the message, but with a separate call id. */
function startOptions({ says }: PhoneCue, request: JsonFields | undefined, callId: string): Partial<HoldOptions> {
  if (request?.['type'] === 'session.started') return { startedAs: { ...request, callId } };
  return { started: { callId, ...(says === 'none' && { resumed: 'handover_failed' }) } };
}

function skillOutcome({ ok, reason }: JsonFields): Pick<RequestedSkillResult, 'ok' | 'reason'> {
  return { ok, ...(reason !== undefined && { reason }) } as Pick<RequestedSkillResult, 'ok' | 'reason'>;
}

/** Produces the situation of the message before the caller says the sentence. Returns the reason if that fails. */
async function produceSituation(
  call: Call,
  { type, digit }: JsonFields,
  says: (name: PhoneSentence) => string,
): Promise<string | undefined> {
  if (type === 'dtmf') call.press(digit as string);
  if (type === 'interrupt') {
    await call.answerStart(call.speak(says('answer')));
    if (!call.isUp) return 'the AI ended the call before it could be interrupted';
    call.interrupt();
  }
  if (type === 'skill.result') {
    const prompt = call.speak(says('skill'));
    await call.answer(prompt);
    await call.settle(settleMs);
    if (!framesAfter(call.observation, prompt).some((frame) => frameType(frame) === 'skill'))
      return `the AI answered “${says('skill')}” without a skill frame`;
    if (!call.isUp) return 'the call was over with the skill: put through, handed over or ended';
  }
  return undefined;
}

function notObserved(reason: string): PhoneMessageOutcome {
  return { outcome: 'not-there', reason };
}
