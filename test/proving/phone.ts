import type { IncomingMessage } from 'node:http';
import type { ServerOptions, WebSocket } from 'ws';
import type { Journal } from './journal.ts';
import type { PhoneCall, ServiceFrame, SessionStarted, SkillResult, Step, AiFrame } from './phone-call.ts';
import { verify, type Verify } from './signature.ts';
import type { Answer } from './wire.ts';

/** Sentences of the caller that make the AI of the proving endpoint show a behaviour. */
export const callerSentences = {
  answer: 'Do you have time for me on Thursday?',
  handover: 'Please put me through to somebody of your team.',
  end: 'That is all, thank you.',
  skill: 'Tell the workshop that my car has broken down.',
  long: 'Tell me the whole history of your company.',
} as const;

/** Everything that an own AI decides about calls. */
export interface PhoneSeams {
  /** The part of its address after the path. */
  query: string;
  /** How WebSocket connections are accepted. */
  server: ServerOptions;
  verify: Verify;
  /** Whether the signature of this upgrade is verified before the connection is accepted. */
  isVerified(request: IncomingMessage): boolean;
  /** The id that the signature must cover; without one there is no call. */
  callIdOf(request: IncomingMessage): string | undefined;
  /** Records an upgrade before its signature is verified, and once it is accepted. */
  arrived(journal: Journal, callId: string | undefined): void;
  accepted(journal: Journal, callId: string | undefined): void;
  refusal(header: string | undefined): Answer;
  /** Inspects a verified upgrade before it is accepted; may delay or refuse it. */
  admit(request: IncomingMessage): Answer | undefined | Promise<Answer | undefined>;
  connected(call: PhoneCall): void;
  /** Hands each frame of the service to the seam of its type. */
  hear(frame: ServiceFrame, call: PhoneCall): void;
  started(frame: SessionStarted, call: PhoneCall): void;
  prompt(text: string, call: PhoneCall): void;
  /** The AI's reaction to a sentence. */
  think(text: string, call: PhoneCall): Step[];
  dtmf(digit: string, call: PhoneCall): void;
  interrupt(call: PhoneCall, spoken: string): void;
  skillResult(result: SkillResult, call: PhoneCall): void;
  ended(call: PhoneCall): void;
  other(frame: ServiceFrame, call: PhoneCall): void;
  /** Decides how each frame is written: unchanged, changed, with additional frames, or not at all. */
  write(frame: AiFrame, call: PhoneCall): AiFrame[];
  encode(frame: Record<string, unknown>): string;
  transmit(socket: WebSocket, data: string | Buffer): void;
  closed(call: PhoneCall): void;
  /** Handles an exception in a seam. */
  crash(error: unknown, call: PhoneCall): void;
}

/** Milliseconds until the first piece of an answer, and between its pieces. */
export interface Pace {
  firstAfterMs?: number;
  everyMs?: number;
  pieces?: number;
}

/** This text in a few pieces, the last of which closes the answer. */
export function speak(text: string, { firstAfterMs = 5, everyMs = 10, pieces = 4 }: Pace = {}): Step[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / pieces));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) => ({
    afterMs: at === 0 ? firstAfterMs : everyMs,
    frame: {
      type: 'text',
      text: characters.slice(at * size, (at + 1) * size).join(''),
      last: (at + 1) * size >= characters.length,
    },
  }));
}

/** A step that is sent after a short delay. */
export function soon(frame: AiFrame, afterMs = 5): Step {
  return { afterMs, frame };
}

const history = Array.from({ length: 40 }, (_, year) => `In the year ${1980 + year} we built a house. `).join('');

/** First sentence to the caller after a failed takeover. */
const nobodyPickedUp = 'I am sorry, nobody picked up. What else can I do for you?';

export function think(text: string, { started }: PhoneCall): Step[] {
  switch (text) {
    case callerSentences.answer:
      return speak('Yes, on Thursday at ten o’clock.');
    case callerSentences.handover:
      return [soon({ type: 'action', action: 'handover', text: 'I pass you on.', note: 'Wants to talk to a person.' })];
    case callerSentences.end:
      return [soon({ type: 'action', action: 'end', text: 'Good bye.' })];
    case callerSentences.skill: {
      const alert = started?.skills.find(({ kind }) => kind === 'alert');
      return [...speak('I tell them.'), ...(alert ? [soon({ type: 'skill', executeSkills: [alert.key] })] : [])];
    }
    case callerSentences.long:
      return speak(history, { everyMs: 50, pieces: 40 });
    default:
      return speak(`You said: ${[...text].slice(0, 200).join('')}. I have noted it.`);
  }
}

/**
 * A correct own AI on the phone: streams its answers, stops when it is interrupted, and lets the service close the
 * call.
 */
export function correctPhone(): PhoneSeams {
  return {
    query: '',
    server: {},
    verify,
    isVerified: () => true,
    callIdOf: ({ headers }) => headers['x-svc-call-id'] as string | undefined,
    arrived: () => undefined,
    accepted: () => undefined,
    refusal: () => ({ status: 401 }),
    admit: () => undefined,
    connected: () => undefined,
    hear(frame, call) {
      if (call.isOver && frame.type !== 'session.ended') return;
      const { seams } = call;
      switch (frame.type) {
        case 'session.started':
          call.started = frame as unknown as SessionStarted;
          return seams.started(call.started, call);
        case 'prompt':
          call.prompts++;
          return seams.prompt(frame.text as string, call);
        case 'dtmf':
          return seams.dtmf(frame.digit as string, call);
        case 'interrupt':
          return seams.interrupt(call, frame.spokenUntilInterrupt as string);
        case 'skill.result':
          return seams.skillResult(frame as unknown as SkillResult, call);
        case 'session.ended':
          call.isOver = true;
          return seams.ended(call);
        default:
          return seams.other(frame, call);
      }
    },
    started({ resumed }, call) {
      if (resumed === 'handover_failed') call.play(speak(nobodyPickedUp));
    },
    prompt(text, call) {
      call.silence();
      if (call.isAnswerOpen) call.send({ type: 'text', text: '', last: true });
      call.play(call.seams.think(text, call));
    },
    think,
    dtmf: () => undefined,
    interrupt(call) {
      call.silence();
      call.isAnswerOpen = false;
    },
    skillResult: () => undefined,
    ended: (call) => void call.silence(),
    other: () => undefined,
    write: (frame) => [frame],
    encode: (frame) => JSON.stringify(frame),
    transmit: (socket, data) => socket.send(data),
    closed: () => undefined,
    crash: (_, { socket }) => socket.close(1011),
  };
}
