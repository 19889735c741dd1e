import { randomInt } from 'node:crypto';
import { Connection, OutOfTime } from '../../diagnosis/connection.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { outboundAnswer } from '../../harness/wire/harness-outbound.ts';
import { readChatAnswer, type ChatAnswerReading } from '../../service/read-chat-answer.ts';
import type { ChatStimuli, Config, PhoneStimuli } from '../../specs/generated/types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { largestSeed } from '../run-input.ts';

/** Milliseconds for all messages, or all calls. */
const proposingMs = 60_000;

/** Milliseconds between the first and the last piece of an answer from which the checks interrupt it; two seconds are safer. */
const longSpeechMs = 1_000;

/** Sentences that most assistants react to, by the behaviour that they should show. */
const candidates = {
  answer: 'What can you do?',
  handover: 'I want to speak to a person.',
  end: 'Thank you, that is all. Goodbye.',
} as const satisfies ChatStimuli;

/** The same for calls, and a sentence that makes the AI speak long enough to be interrupted. */
const spokenCandidates = {
  ...candidates,
  long: 'Tell me everything about your services, step by step and in detail.',
} as const satisfies PhoneStimuli;

/** The surfaces whose own AI receives sentences. */
export type TalkingSurface = 'own-ai-chat' | 'own-ai-phone';

/** Sentences and what the own AI did about them. */
export interface ProposedStimuli {
  surface: TalkingSurface;
  stimuli: NonNullable<Config['stimuli']>;
  /** One sentence for each message or call. */
  seen: readonly string[];
}

/** The reaction of the own AI to a sentence. */
interface Reaction<Behaviour> {
  behaviour?: Behaviour;
  /** A sentence. */
  description: string;
}

/** Says a few sentences to the own AI, each in a new message or call, and proposes those that show a behaviour. */
export async function proposeStimuli(surface: TalkingSurface, config: ResolvedConfig): Promise<ProposedStimuli> {
  await using connection = await Connection.open(surface, config, {
    seed: randomInt(largestSeed),
    withinMs: proposingMs,
  });
  const seen: string[] = [];
  const proposed = async <Name extends string>(
    sentences: Readonly<Record<string, string>>,
    say: (text: string, name: string) => Promise<Reaction<Name>>,
  ): Promise<Partial<Record<Name, string>>> => {
    const stimuli: Partial<Record<Name, string>> = {};
    try {
      for (const [name, text] of Object.entries(sentences)) {
        const { behaviour, description } = await say(text, name);
        seen.push(`“${text}”: ${description}`);
        if (behaviour !== undefined) stimuli[behaviour] ??= text;
      }
    } catch (error) {
      if (!(error instanceof HarnessFault) && !(error instanceof OutOfTime)) throw error;
      seen.push(error.message);
    }
    return stimuli;
  };
  const stimuli =
    surface === 'own-ai-chat'
      ? { chat: await proposed<keyof ChatStimuli>(candidates, (text) => send(connection, text)) }
      : { phone: await proposed<keyof PhoneStimuli>(spokenCandidates, (text, name) => speak(connection, text, name)) };
  const isEmpty = Object.values<object>(stimuli).every((found) => Object.keys(found).length === 0);
  return { surface, stimuli: isEmpty ? {} : stimuli, seen: seen.map((line) => connection.redact(line)) };
}

async function send(connection: Connection, text: string): Promise<Reaction<keyof ChatStimuli>> {
  const event = connection.session.sample.messageReceived();
  const data = { ...event.data, message: { ...event.data.message, text } };
  const { delivery } = connection.case({ event: { ...event, data } });
  const { answer } = await connection.ask(delivery, { label: `“${text}”` });
  const reading = readChatAnswer(outboundAnswer(answer));
  const behaviour = behaviourOf(reading);
  return { ...(behaviour !== undefined && { behaviour }), description: describe(reading) };
}

async function speak(connection: Connection, text: string, name: string): Promise<Reaction<keyof PhoneStimuli>> {
  return await connection.hold({ label: `“${text}”` }, async (call) => {
    const answer = await call.answer(call.speak(text));
    const { outcome, byFrame = -1, firstPieceMs, wholeMs } = answer;
    if (outcome === 'skill') return { behaviour: 'skill', description: 'start of a skill.' };
    if (outcome === 'action') {
      const { value } = call.observation.frames[byFrame] ?? {};
      const isHandover = isJsonObject(value) && value.action === 'handover';
      return isHandover
        ? { behaviour: 'handover', description: 'handover to the team.' }
        : { behaviour: 'end', description: 'end of the call.' };
    }
    if (answer.text === '') return { description: 'no speech.' };
    const spokenMs = (wholeMs ?? answer.waitedMs) - (firstPieceMs ?? 0);
    const pieces = answer.pieces === 1 ? 'one piece' : `${answer.pieces} pieces`;
    const description = `text in ${pieces} within ${(spokenMs / 1000).toFixed(1)} s.`;
    const isLong = name === 'long' && answer.pieces > 1 && spokenMs >= longSpeechMs;
    return { behaviour: isLong ? 'long' : 'answer', description };
  });
}

function behaviourOf(reading: ChatAnswerReading): 'answer' | 'handover' | 'end' | 'async' | 'skill' | undefined {
  if (reading.kind === 'failure') return undefined;
  if (reading.kind === 'later') return 'async';
  const { action, text, executeSkills } = reading.answer;
  if (action === 'handover' || action === 'end') return action;
  if (executeSkills && executeSkills.length > 0) return 'skill';
  return typeof text === 'string' && text !== '' ? 'answer' : undefined;
}

function describe(reading: ChatAnswerReading): string {
  if (reading.kind === 'failure') return `${reading.reason}.`;
  const behaviour = behaviourOf(reading);
  const what = {
    answer: 'answer with text',
    handover: 'handover to the team',
    end: 'end of the request',
    async: 'answer later',
    skill: 'start of a skill',
  } as const;
  return behaviour === undefined ? 'answer without text.' : `${what[behaviour]}.`;
}
