import { fullName } from '../../service/full-name.ts';
import { pressKey } from '../../service/press-key.ts';
import type { PhoneCall } from '../../service/phone-call.ts';
import type { SpokenAnswer } from '../../service/outbound.ts';
import { limits } from '../../specs/limits.ts';
import type { CallLanguage } from '../../specs/generated/types.ts';
import { prepareConversation } from './conversation-state.ts';
import { withOverrides } from './override.ts';
import type { SendContext, SendResult } from './send-context.ts';
import type { CallerInput } from './send-options.ts';
import { serviceEffects } from './service-effects.ts';

/** The caller's default sentence. */
const someSentence = 'Hello, are you open on Thursday?';

/** Holds one call: speaks and presses keys in order, waits for the answers, hangs up. */
export async function sendCall(context: SendContext, acts: readonly CallerInput[]): Promise<SendResult> {
  const { service, config } = context;
  const { inbox } = service;
  const fields = sessionData(context);
  const { project, unsupported } = prepareConversation(inbox, fields);
  const agent = inbox.agents.list().find(({ voiceUrl }) => voiceUrl !== '');
  const contact = inbox.conversations.contactOf(project);
  const call = await inbox.phone.call({
    from: typeof fields.from === 'string' ? fields.from : (contact.phone ?? ''),
    contact,
    ...(agent && { agent }),
    ...(typeof fields.to === 'string' && { to: fields.to }),
    ...(isLanguage(fields.language) && { language: fields.language }),
  });
  const isConnected = call.state === 'with-ai';
  const wanted = acts.length > 0 ? acts : [{ say: config.stimuli.phone?.answer ?? someSentence }];
  const { notAnswered, left } = isConnected ? await hold(context, call, wanted) : { notAnswered: [], left: 0 };
  const endedByAi = call.state !== 'with-ai';
  await call.hangUp();
  const broke = service.events.kept.find(({ type, data }) => type === 'call' && typeof data['reason'] === 'string');
  return {
    isUsable: isConnected && notAnswered.length === 0 && broke === undefined,
    limitMs: limits.phoneSetupMs,
    notes: unsupported.map(
      (name) => `${name} has a value that the service cannot have in a call; the effects below ignore it.`,
    ),
    sentences: [
      ...(isConnected
        ? []
        : [`The AI was not reached: ${String(broke?.data['reason'])}. The caller can leave a message.`]),
      ...notAnswered.map((text) => `“${text}” got no complete answer; the caller keeps waiting.`),
      ...(isConnected && broke ? [`The AI left the call: ${String(broke.data['reason'])}.`] : []),
      ...(left > 0 ? [`The call ended before everything was said (${left} left).`] : []),
      ...(isConnected && !endedByAi ? ['The caller hangs up, and the AI gets session.ended.'] : []),
      ...serviceEffects(service.events.kept.filter(({ data }) => data['kind'] !== 'greeting')),
    ],
  };
}

async function hold(
  context: SendContext,
  call: PhoneCall,
  acts: readonly CallerInput[],
): Promise<{ notAnswered: string[]; left: number }> {
  const notAnswered: string[] = [];
  for (const [at, act] of acts.entries()) {
    if (call.state !== 'with-ai') return { notAnswered, left: acts.length - at };
    if ('press' in act) {
      await pressKey(context.service.events, call, act.press);
    } else {
      const { outcome } = await call.say(act.say);
      if (unanswered.includes(outcome)) notAnswered.push(act.say);
    }
  }
  return { notAnswered, left: 0 };
}

const unanswered: readonly SpokenAnswer['outcome'][] = ['nothing', 'not-closed'];

interface SessionData {
  from?: unknown;
  to?: unknown;
  language?: unknown;
  contact?: unknown;
  skills?: unknown;
  projectId?: unknown;
  agentId?: unknown;
  workspaceId?: unknown;
}

/** The fields of session.started that influence the service. */
function sessionData({ service: { inbox }, config, body, overrides }: SendContext): SessionData {
  const [agent] = inbox.agents.list();
  const [contact] = inbox.workspace.contacts.values();
  const from = config.stimuli.knownCaller ?? contact?.phone;
  const usual = {
    ...(from !== null && { from }),
    contact: { id: contact?.id, name: (contact && fullName(contact)) ?? from },
    skills: agent?.skills.map(({ hoursLimited: _, ...skill }) => skill) ?? [],
  };
  const { value } = withOverrides(body ?? usual, overrides);
  return value as SessionData;
}

function isLanguage(value: unknown): value is CallLanguage {
  return value === 'de-DE' || value === 'en-US';
}
