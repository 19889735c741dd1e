import { fullName } from '../../service/full-name.ts';
import type { ChatOutcome } from '../../service/own-ai-chat.ts';
import { timestamp } from '../../service/clock.ts';
import { limits } from '../../specs/limits.ts';
import type { ChatAnswer } from '../../specs/generated/types.ts';
import { prepareConversation, type ConversationFields } from './conversation-state.ts';
import { withOverrides } from './override.ts';
import { nextEvent, formatSeconds, usualWaitSeconds, type SendContext, type SendResult } from './send-context.ts';
import { serviceEffects } from './service-effects.ts';
import { isJsonContainer } from '../../specs/json-object.ts';
import { isId, assignIds, type EventIds } from './assign-ids.ts';

/** The customer's default message. */
const someText = 'Hello, do you have an appointment free on Thursday?';

/** Sends a ping: any 2xx passes (interface: API v1, POST /v1/agents/{id}/test). */
export async function sendPing({ service: { inbox }, body, overrides }: SendContext): Promise<SendResult> {
  const [agent] = inbox.agents.list();
  if (!agent) throw new RangeError('expected an assistant, received none');
  assignIds(inbox.workspace, { agent }, withOverrides(body ?? {}, overrides).value as EventIds);
  const { ok, error } = await inbox.chat.ping(agent);
  return {
    isUsable: ok,
    limitMs: agent.timeoutSeconds * 1000,
    sentences: ok
      ? ['The connection test of the chat passes (any 2xx status does).']
      : [`The connection test fails: ${error}.`],
  };
}

/**
 * Sends a customer's message to the own AI. Puts the conversation into the state that the event describes first, so that
 * the service reacts as in that state.
 */
export async function sendMessage(context: SendContext, text: string | undefined): Promise<SendResult> {
  const { service, config } = context;
  const { inbox } = service;
  const data = eventData(context, text ?? config.stimuli.chat?.answer ?? someText);
  const { project, unsupported } = prepareConversation(inbox, data);
  const { state } = inbox.conversations.autoReply(project);
  const said = fieldOf(data.message, 'text');
  const messageId = fieldOf(data.message, 'id');
  const message = {
    id: isId(messageId) ? messageId : inbox.ids.integer(),
    text: typeof said === 'string' ? said : someText,
    receivedAt: timestamp(inbox.clock.now()),
  };
  inbox.conversations.addTurn(project, 'customer', message.text, { messageId: message.id });
  // A reply may come before the answer.
  const before = service.events.kept.at(-1)?.seq ?? 0;
  const outcome = await inbox.chat.deliver(project, message);
  const first = outcomeSentences(outcome, state !== 'on');
  if (outcome.outcome === 'later') {
    const reply = await awaitReply(context, before);
    const sentences = [...first, ...reply.sentences];
    return { sentences, isUsable: reply.isUsable, ...common(context, unsupported, data) };
  }
  const sentences = [...first, ...serviceEffects(service.events.kept)];
  const isRefused = outcome.outcome === 'answered' && 'refused' in outcome.result;
  return { sentences, isUsable: outcome.outcome === 'answered' && !isRefused, ...common(context, unsupported, data) };
}

function common(
  { config }: SendContext,
  unsupported: readonly string[],
  data: EventData,
): Omit<SendResult, 'isUsable' | 'sentences'> {
  const limit = config.chat?.timeoutSeconds ?? limits.ownAiTimeoutSecondsDefault;
  return {
    limitMs: limit * 1000,
    notes: [
      ...unsupported.map(
        (name) =>
          `data.${name} has a value that the service cannot have in a conversation; the effects below ignore it.`,
      ),
      ...(data.replyUrl === undefined
        ? []
        : ['data.replyUrl is another address: this command does not receive a reply.']),
    ],
  };
}

interface EventData extends ConversationFields {
  message?: unknown;
  replyUrl?: unknown;
}

/** The data of the event that influences the service. */
function eventData({ service: { inbox }, body, overrides }: SendContext, text: string): EventData {
  const [agent] = inbox.agents.list();
  const [contact] = inbox.workspace.contacts.values();
  const usual = {
    channel: 'whatsapp',
    contact: { id: contact?.id, name: contact && fullName(contact), phone: contact?.phone },
    message: { text },
    history: [],
    skills: agent?.skills.map(({ hoursLimited: _, ...skill }) => skill) ?? [],
    autoReply: { state: 'on' },
  };
  const { value } = withOverrides(body === undefined ? { data: usual } : { ...(body as object) }, overrides);
  const { data, agentId, workspaceId } = value as Record<string, unknown>;
  return { ...(isJsonContainer(data) ? data : {}), agentId, workspaceId };
}

function outcomeSentences(outcome: ChatOutcome, teamHasIt: boolean): string[] {
  switch (outcome.outcome) {
    case 'failed':
      return [
        `The service cannot use the answer: ${outcome.reason}.`,
        teamHasIt
          ? 'The team already handles the conversation: no note is written, and no one is notified.'
          : 'The conversation is handed over to the team with a note; the message waits for an answer.',
      ];
    case 'later':
      return ['The service waits; a reply may follow through agent-replies.'];
    case 'dropped':
      return ['The answer is dropped: the assistant no longer has the conversation.'];
    case 'not-sent':
      return [`Nothing is sent: ${outcome.reason}.`];
    case 'answered':
      return 'refused' in outcome.result
        ? [`The message text cannot be delivered (${outcome.result.refused}).`]
        : answerSentences(outcome.answer, teamHasIt);
  }
}

function answerSentences({ text, action, note, executeSkills }: ChatAnswer, teamHasIt: boolean): string[] {
  const noteCharacters = [...(note ?? '')].length;
  const most = limits.ownAiNoteCharacters;
  return [
    ...(text ? [] : ['The answer has no message text, so nothing is sent to the customer.']),
    ...(text && teamHasIt ? ['The team handles the conversation; the message text is still delivered.'] : []),
    ...(noteCharacters > most ? [`The note has ${noteCharacters} characters and is cut to ${most}.`] : []),
    ...(action === 'handover' && teamHasIt
      ? ['There is nothing to hand over: the team already handles the conversation.']
      : []),
    ...(action === 'end' ? ['The request is done; in chat this has no other effect.'] : []),
    ...(executeSkills && executeSkills.length > limits.executeSkillsPerAnswer
      ? [`The answer has more than ${limits.executeSkillsPerAnswer} skills; the rest is refused.`]
      : []),
  ];
}

/** Waits for the reply that a 202 announces. `before`: the latest event when the message was sent. */
async function awaitReply(
  { service, wait, report }: SendContext,
  before: number,
): Promise<{ sentences: string[]; isUsable: boolean }> {
  const answered = service.events.kept.findLast(({ type }) => type === 'delivery')?.data['status'];
  // 204 means that the AI stays quiet; the other statuses announce a reply.
  const seconds = wait ?? (answered === 204 ? 0 : usualWaitSeconds);
  const came = await nextEvent(
    service,
    ({ seq, type, data }) => seq > before && type === 'api-request' && data['operation'] === 'sendAgentReply',
    seconds,
    () =>
      report(
        `Answered with ${String(answered)}: waiting up to ${formatSeconds(seconds)} for a reply (--wait changes it) …`,
      ),
  );
  const effects = serviceEffects(service.events.kept);
  if (!came && seconds === 0) return { sentences: effects, isUsable: true };
  if (!came) {
    return {
      sentences: [...effects, `No reply came within ${formatSeconds(seconds)}; a reply is optional.`],
      isUsable: true,
    };
  }
  const status = Number(came.data['status']);
  const isAccepted = status < 300;
  const hint =
    status === 401 ? ['Set the API key that your endpoint uses with --api-key, or service.apiKey in the config.'] : [];
  return {
    sentences: [`A reply followed: ${came.text}${isAccepted ? '.' : ', so it has no effect.'}`, ...hint, ...effects],
    isUsable: isAccepted,
  };
}

function fieldOf(value: unknown, name: string): unknown {
  return isJsonContainer(value) ? value[name] : undefined;
}
