import { exampleOf } from '../generators/contracts/matchers-from-schema.ts';
import type { PhoneCue, PhoneInteraction, PhoneSentence } from '../generators/contracts/own-ai-phone.ts';
import type { Call } from '../harness/call.ts';
import { isJsonObject } from '../harness/json.ts';
import type { HoldOptions, PhoneDriver } from '../harness/own-ai-phone.ts';
import { skillResults, type SkillResult } from '../harness/skill-results.ts';
import { shortJson } from '../specs/explain-violations.ts';
import { frameType } from '../specs/frame-type.ts';
import type { JsonValue, SchemaName } from '../specs/schemas.ts';
import { holdsTo } from '../specs/validators.ts';

type Frame = Readonly<Record<string, JsonValue>>;

export interface PhoneMessageOptions {
  /** What the caller says, as in `stimuli.phone` of a config. Without a sentence its state cannot be brought about. */
  readonly sentences: Partial<Readonly<Record<PhoneSentence, string>>>;
  /** Says in the evidence what the call is for. */
  readonly label: string;
  /** Id of the call; a new one for every call to a real endpoint. */
  readonly callId: string;
}

/** What a call has shown about one message of the contract. */
export type PhoneMessageOutcome =
  /** The AI's frame as the service reads it: `type` where it had none, `token` as `text` where the message is about text. */
  | { readonly outcome: 'frame'; readonly frame: Frame }
  /** The AI behaved in a permitted way that does not show the message. */
  | { readonly outcome: 'not-there'; readonly reason: string }
  /** Nothing came where something has to. */
  | { readonly outcome: 'silent'; readonly reason: string };

/** Milliseconds in which an AI begins to speak by itself, or does not. */
const firstWordsMs = 1_500;
/** Milliseconds of quiet after an answer in which the skill or action that belongs to it has come. */
const settleMs = 300;

/**
 * Holds one signed call in which a message of the phone contract comes about, and gives the AI's frame for Pact to
 * judge. Throws what {@link PhoneDriver.hold} throws (interface: Own-AI phone frames).
 */
export async function holdPhoneMessage(
  phone: PhoneDriver,
  interaction: PhoneInteraction,
  { sentences, label, callId }: PhoneMessageOptions,
): Promise<PhoneMessageOutcome> {
  const { cue } = interaction;
  const isAnswered = interaction.kind === 'synchronous';
  const request = isAnswered ? (exampleOf(interaction.request) as Frame) : undefined;
  const expected = exampleOf(isAnswered ? (interaction.responses[0] ?? null) : interaction.content) as Frame;
  const missing = neededSentences(cue, request).find((name) => sentences[name] === undefined);
  if (missing !== undefined) {
    return notThere(
      `it is not known what to say so that the AI ${shows[missing]}; the config has no stimuli.phone.${missing}`,
    );
  }
  const says = (name: PhoneSentence) => sentences[name] ?? '';
  const results = request?.['type'] === 'skill.result' ? request : undefined;
  return await phone.hold(
    {
      label,
      ...beginning(cue, request, callId),
      resultsOf: (named) =>
        skillResults(named, phone.skills).map(({ key, ...given }) => ({
          key,
          ...(results ? outcomeIn(results) : given),
        })),
    },
    async (call) => {
      if (cue.says === 'none') {
        const begins = await call.firstPiece(0, firstWordsMs);
        return begins ? judge(call, 0, cue, expected) : notThere('the AI waits for the caller to speak');
      }
      const trouble = request && (await happen(call, request, says));
      if (trouble !== undefined) return notThere(trouble);
      const prompt = call.speak(says(cue.says));
      await call.answer(prompt);
      // Many an AI says what it is about to do, and then does it.
      if (!framesAfter(call, prompt).some((frame) => frameType(frame) === expected['type']))
        await call.settle(settleMs);
      return judge(call, prompt, cue, expected);
    },
  );
}

const shows: Readonly<Record<PhoneSentence, string>> = {
  answer: 'answers',
  handover: 'hands the call over',
  end: 'ends the call',
  skill: 'uses a skill',
  long: 'answers at length',
};

function neededSentences({ says }: PhoneCue, request: Frame | undefined): PhoneSentence[] {
  const needed: PhoneSentence[] = says === 'none' ? [] : [says];
  return request?.['type'] === 'skill.result' ? ['skill', ...needed] : needed;
}

/** How the call begins: as the message says, but as a call of its own. */
function beginning({ says }: PhoneCue, request: Frame | undefined, callId: string): Partial<HoldOptions> {
  if (request?.['type'] === 'session.started') return { startedAs: { ...request, callId } };
  return { started: { callId, ...(says === 'none' && { resumed: 'handover_failed' }) } };
}

function outcomeIn({ ok, reason }: Frame): Pick<SkillResult, 'ok' | 'reason'> {
  return { ok, ...(reason !== undefined && { reason }) } as Pick<SkillResult, 'ok' | 'reason'>;
}

/** Lets happen what the message is about, before the caller says the sentence. Tells what kept it from happening. */
async function happen(
  call: Call,
  { type, digit }: Frame,
  says: (name: PhoneSentence) => string,
): Promise<string | undefined> {
  if (type === 'dtmf') call.press(digit as string);
  if (type === 'interrupt') {
    await call.beginsToAnswer(call.speak(says('answer')));
    if (!call.isUp) return 'the AI ended the call before it could be interrupted';
    call.interrupt();
  }
  if (type === 'skill.result') {
    const prompt = call.speak(says('skill'));
    await call.answer(prompt);
    await call.settle(settleMs);
    if (!framesAfter(call, prompt).some((frame) => frameType(frame) === 'skill'))
      return `the AI answered “${says('skill')}” without a skill frame`;
    if (!call.isUp) return 'the call was over with the skill: put through, handed over or ended';
  }
  return undefined;
}

/** The frame that the message is about, or why there is none. */
function judge(call: Call, after: number, cue: PhoneCue, expected: Frame): PhoneMessageOutcome {
  const answers = framesAfter(call, after);
  const picked = pick(answers, cue, expected);
  if (picked === undefined) {
    if (answers.length > 0) return notThere(`no frame of the AI ${wanted[cue.pick]}`);
    // Ended, handed over or put through before the sentence: nobody is left to answer it.
    if (framesAfter(call, 0).some((frame) => frameType(frame) !== 'text')) return notThere('the AI had ended the call');
    const reason = 'the AI answered with nothing that the service understands';
    return cue.mayBeSilent ? notThere(reason) : { outcome: 'silent', reason };
  }
  const frame = asServiceReads(picked, expected);
  const other = showsOther(frame, expected);
  return other === undefined ? { outcome: 'frame', frame } : notThere(other);
}

/** What the AI has sent after a frame, as far as the service reads it. */
function framesAfter({ observation }: Call, index: number): Frame[] {
  return observation.frames
    .slice(index + 1)
    .flatMap(({ from, value }) => (from === 'ai' && isFrame(value) ? [value] : []));
}

const wanted: Readonly<Record<PhoneCue['pick'], string>> = {
  first: 'answers',
  piece: 'leaves the answer open by last: false',
  closing: 'is speech',
  token: 'speaks in token',
};

function pick(frames: readonly Frame[], cue: PhoneCue, expected: Frame): Frame | undefined {
  const texts = frames.filter((frame) => frameType(frame) === 'text');
  switch (cue.pick) {
    case 'first':
      return frames.find((frame) => frameType(frame) === expected['type']) ?? frames[0];
    case 'piece':
      return texts.find(({ last, text }) => last !== undefined && last !== null && last !== true && text !== undefined);
    case 'token':
      return texts.find(({ token }) => token !== undefined && token !== null);
    case 'closing':
      return texts.find(({ last }) => last === true) ?? texts.at(-1);
  }
}

function isFrame(value: unknown): value is Frame {
  return isJsonObject(value) && frameType(value) !== undefined;
}

function asServiceReads(frame: Frame, expected: Frame): Frame {
  const type = frameType(frame) as string;
  const { token, text = token, ...rest } = frame;
  return 'text' in expected && text !== undefined ? { ...rest, type, text } : { ...frame, type };
}

const schemaOf = { text: 'textFrame', action: 'actionFrame', skill: 'skillFrame' } as const satisfies Record<
  string,
  SchemaName
>;

/** What a permitted frame shows instead of what is expected. `undefined`: it is the one to judge. */
function showsOther(frame: Frame, expected: Frame): string | undefined {
  const type = frame['type'] as keyof typeof schemaOf;
  if (type !== expected['type']) return `the AI answered with a frame of the type ${type}`;
  const absent = Object.keys(expected).find((name) => name !== 'last' && (frame[name] ?? null) === null);
  if (absent !== undefined) return `the AI's frame has no ${absent}`;
  if (!holdsTo(schemaOf[type], frame)) return undefined;
  const differing = Object.entries(expected).find(
    ([name, value]) => name !== 'last' && isOther(name, frame[name], value),
  );
  return differing && `the AI's frame has ${differing[0]} ${shortJson(frame[differing[0]])}`;
}

/** Another action, another kind of name for a skill, or speech in the piece that closes: permitted, but not what the message is about. */
function isOther(name: string, value: JsonValue | undefined, expected: JsonValue): boolean {
  if (name === 'action' || expected === '') return value !== expected;
  if (Array.isArray(expected)) {
    return !Array.isArray(value) || value.length === 0 || value.some((one) => typeof one !== typeof expected[0]);
  }
  return typeof value !== typeof expected;
}

function notThere(reason: string): PhoneMessageOutcome {
  return { outcome: 'not-there', reason };
}
