import { fullName } from '../../service/full-name.ts';
import { pressAndAwait } from '../../service/call-quiet.ts';
import type { PhoneCall } from '../../service/phone-call.ts';
import type { SpokenAnswer } from '../../service/outbound.ts';
import { limits } from '../../specs/limits.ts';
import type { CallLanguage } from '../../specs/generated/types.ts';
import { conversationAsTold } from './conversation-state.ts';
import { withOverrides } from './override.ts';
import type { SendContext, SendResult } from './send-context.ts';
import type { CallerAct } from './send-options.ts';
import { serviceEffects } from './service-effects.ts';

/** What a caller says when nothing else is given. */
const someSentence = 'Hello, are you open on Thursday?';

/** Holds one call: says and presses in turn, hears the answers, hangs up. */
export async function sendCall(context: SendContext, acts: readonly CallerAct[]): Promise<SendResult> {
  const { service, config } = context;
  const { inbox } = service;
  const told = toldStart(context);
  const { project, onlyTold } = conversationAsTold(inbox, told);
  const agent = inbox.agents.list().find(({ voiceUrl }) => voiceUrl !== '');
  const contact = inbox.conversations.contactOf(project);
  const call = await inbox.phone.call({
    from: typeof told.from === 'string' ? told.from : (contact.phone ?? ''),
    contact,
    ...(agent && { agent }),
    ...(typeof told.to === 'string' && { to: told.to }),
    ...(isLanguage(told.language) && { language: told.language }),
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
    notes: onlyTold.map(
      (name) => `${name} is nothing that a call of the service can have: what follows is told without it.`,
    ),
    sentences: [
      ...(isConnected
        ? []
        : [`The AI was not reached: ${String(broke?.data['reason'])}. The caller can leave a message.`]),
      ...notAnswered.map((text) => `“${text}” got no answer that is closed; the caller waits in vain.`),
      ...(isConnected && broke ? [`The AI has left the call: ${String(broke.data['reason'])}.`] : []),
      ...(left > 0 ? [`The call was over before the rest was said (${left} left).`] : []),
      ...(isConnected && !endedByAi ? ['The caller hangs up, and the AI gets session.ended.'] : []),
      ...serviceEffects(service.events.kept.filter(({ data }) => data['kind'] !== 'greeting')),
    ],
  };
}

async function hold(
  context: SendContext,
  call: PhoneCall,
  acts: readonly CallerAct[],
): Promise<{ notAnswered: string[]; left: number }> {
  const notAnswered: string[] = [];
  for (const [at, act] of acts.entries()) {
    if (call.state !== 'with-ai') return { notAnswered, left: acts.length - at };
    if ('press' in act) {
      await pressAndAwait(context.service.events, call, act.press);
    } else {
      const { outcome } = await call.say(act.say);
      if (unanswered.includes(outcome)) notAnswered.push(act.say);
    }
  }
  return { notAnswered, left: 0 };
}

const unanswered: readonly SpokenAnswer['outcome'][] = ['nothing', 'not-closed'];

interface Told {
  from?: unknown;
  to?: unknown;
  language?: unknown;
  contact?: unknown;
  skills?: unknown;
  projectId?: unknown;
}

/** What session.started will say, as far as the service acts by it. */
function toldStart({ service: { inbox }, config, body, overrides }: SendContext): Told {
  const [agent] = inbox.agents.list();
  const [contact] = inbox.workspace.contacts.values();
  const from = config.stimuli.knownCaller ?? contact?.phone;
  const usual = {
    ...(from !== null && { from }),
    contact: { id: contact?.id, name: (contact && fullName(contact)) ?? from },
    skills: agent?.skills.map(({ hoursLimited: _, ...skill }) => skill) ?? [],
  };
  const { value } = withOverrides(body ?? usual, overrides);
  const told = value as Told & { projectId?: unknown };
  return told;
}

function isLanguage(value: unknown): value is CallLanguage {
  return value === 'de-DE' || value === 'en-US';
}
