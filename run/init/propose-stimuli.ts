import { randomInt } from 'node:crypto';
import { Connection, OutOfTime } from '../../diagnosis/connection.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { outboundAnswer } from '../../harness/wire/harness-outbound.ts';
import { readChatAnswer, type ChatAnswerReading } from '../../service/read-chat-answer.ts';
import type { ChatStimuli } from '../../specs/generated/types.ts';
import { largestSeed } from '../run-input.ts';

/** Milliseconds for all messages. */
const proposingMs = 60_000;

/** Sentences that most assistants react to, by the behaviour that they should show. */
const candidates = {
  answer: 'What can you do?',
  handover: 'I want to speak to a person.',
  end: 'Thank you, that is all. Goodbye.',
} as const satisfies ChatStimuli;

/** Sentences and what the assistant did about them. */
export interface ProposedStimuli {
  stimuli: ChatStimuli;
  /** One sentence for each message. */
  seen: readonly string[];
}

/** Sends a few messages to the chat, and proposes those that show a behaviour as stimuli. */
export async function proposeStimuli(config: ResolvedConfig): Promise<ProposedStimuli> {
  const stimuli: ChatStimuli = {};
  const seen: string[] = [];
  await using connection = await Connection.open('own-ai-chat', config, {
    seed: randomInt(largestSeed),
    withinMs: proposingMs,
  });
  const { sample } = connection.session;
  try {
    for (const text of Object.values(candidates)) {
      const event = sample.messageReceived();
      const data = { ...event.data, message: { ...event.data.message, text } };
      const { delivery } = connection.case({ event: { ...event, data } });
      const { answer } = await connection.ask(delivery, { label: `“${text}”` });
      const reading = readChatAnswer(outboundAnswer(answer));
      const shown = behaviourOf(reading);
      seen.push(`“${text}”: ${describe(reading)}`);
      if (shown !== undefined && stimuli[shown] === undefined) stimuli[shown] = text;
    }
  } catch (error) {
    if (!(error instanceof HarnessFault) && !(error instanceof OutOfTime)) throw error;
    seen.push(error.message);
  }
  return { stimuli, seen: seen.map((line) => connection.redact(line)) };
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
