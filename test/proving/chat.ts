import { single } from './hooks.ts';
import type { Journal } from './journal.ts';
import { send } from './outgoing.ts';
import { verify, type Verify } from './signature.ts';
import { json, pause, type Answer, type Handler, type Incoming } from './wire.ts';

/** Sentences that make the AI of the proving endpoint show a behaviour. */
export const sentences = {
  answer: 'Is there an appointment free on Thursday?',
  handover: 'I want to talk to a person.',
  end: 'Thank you, that was all.',
  skill: 'Please tell your colleagues that my heating has failed.',
  async: 'Please look it up and write to me later.',
} as const;

export interface OfferedSkill {
  id: number;
  key: string;
  kind: string;
}

/** A chat event as far as a handler reads it. */
export interface ChatEvent {
  id: string;
  type: string;
  createdAt: string;
  protocol: string;
  data: {
    projectId: number;
    channel: string;
    contact: Record<string, unknown>;
    message: { id: number; text: string; receivedAt: string };
    history: { role: string; text: string; at: string }[];
    replyUrl: string;
    skills: OfferedSkill[];
    autoReply: { state: string; pausedUntil?: string };
  };
}

/** The answer of the AI. */
export type Thought = Record<string, unknown>;

export interface ChatReply {
  url: string;
  apiKey: string;
  thought: Thought;
  event: ChatEvent;
}

/** Everything that an own AI decides about chat events. */
export interface ChatSeams {
  verify: Verify;
  /** Whether the signature of this request is verified. */
  isVerified(request: Incoming): boolean;
  /** Records an event before its signature is verified, and once it is accepted. */
  arrived(journal: Journal, body: Buffer): void;
  taken(journal: Journal, event: ChatEvent): void;
  refusal(header: string | undefined): Answer;
  ping(): Answer;
  otherType(type: string): Answer;
  /** Inspects the verified event before the AI does; may throw or refuse it. */
  read(event: ChatEvent, request: Incoming): Answer | undefined;
  /** Whether an event with this id was handled before; remembers it. */
  isReplay(id: string): boolean;
  /** Milliseconds of the AI before the endpoint answers. */
  workMs(event: ChatEvent): number;
  think(event: ChatEvent): Thought | undefined;
  later(event: ChatEvent): boolean;
  now(thought: Thought, event: ChatEvent): Answer;
  quiet(event: ChatEvent): Answer;
  accepted(thought: Thought | undefined): Answer;
  /** Milliseconds from the 202 to the reply. */
  replyAfterMs: number;
  /** The address of a reply, determined when it is sent. */
  replyUrlOf(event: ChatEvent): string;
  reply(reply: ChatReply): Promise<void>;
}

export function think({ data: { message, skills, autoReply } }: ChatEvent): Thought | undefined {
  if (autoReply.state !== 'on') return undefined;
  switch (message.text) {
    case sentences.handover:
      return { text: 'A colleague will take over.', action: 'handover', note: 'Wants to talk to a person.' };
    case sentences.end:
      return { text: 'Good bye.', action: 'end' };
    case sentences.skill: {
      const alert = skills.find(({ kind }) => kind === 'alert');
      return { text: 'I tell them.', action: 'none', ...(alert && { executeSkills: [alert.key] }) };
    }
    case sentences.async:
      return { text: `About message ${message.id}: the technician comes on Friday.`, action: 'none' };
    default:
      return { text: 'Yes, at ten o’clock.', action: 'none' };
  }
}

/** Sends a reply once, whatever the answer. */
export async function replyOnce({ url, apiKey, thought }: ChatReply): Promise<void> {
  await postReply(url, thought, { 'x-api-key': apiKey });
}

/** Posts one reply and returns the status. */
export function postReply(url: string, thought: Thought, headers: Record<string, string>): Promise<number> {
  return send({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(thought),
  });
}

/** A correct own AI: answers at once, later on request, and stays quiet while the team handles the conversation. */
export function correctChat(): ChatSeams {
  const taken = new Set<string>();
  return {
    verify,
    isVerified: () => true,
    arrived: () => undefined,
    taken: () => undefined,
    refusal: () => ({ status: 401 }),
    ping: () => ({ status: 200 }),
    otherType: () => ({ status: 204 }),
    read: () => undefined,
    isReplay: (id) => taken.size === taken.add(id).size,
    workMs: () => 0,
    think,
    later: ({ data: { message } }) => message.text === sentences.async,
    now: (thought) => json(200, thought),
    quiet: () => ({ status: 204 }),
    accepted: () => ({ status: 202 }),
    replyAfterMs: 20,
    replyUrlOf: ({ data }) => data.replyUrl,
    reply: replyOnce,
  };
}

export function chatHandler(seams: ChatSeams, secret: string, apiKey: string, journal: Journal): Handler {
  const replyLater = async (event: ChatEvent, thought: Thought) => {
    await pause(seams.replyAfterMs);
    await seams.reply({ url: seams.replyUrlOf(event), apiKey, thought, event });
  };
  return async (request) => {
    const header = single(request.headers['x-svc-signature']);
    seams.arrived(journal, request.body);
    if (seams.isVerified(request) && !seams.verify(header, request.body, secret)) return seams.refusal(header);
    const event = JSON.parse(request.body.toString('utf8')) as ChatEvent;
    if (event.type === 'ping') return seams.ping();
    if (event.type !== 'message.received') return seams.otherType(event.type);
    const objection = seams.read(event, request);
    if (objection !== undefined) return objection;
    if (seams.isReplay(event.id)) return seams.quiet(event);
    seams.taken(journal, event);
    const ms = seams.workMs(event);
    if (ms > 0) await pause(ms);
    const thought = seams.think(event);
    if (thought === undefined) return seams.quiet(event);
    if (!seams.later(event)) return seams.now(thought, event);
    void replyLater(event, thought);
    return seams.accepted(thought);
  };
}
