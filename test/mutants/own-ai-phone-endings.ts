import type { Socket } from 'node:net';
import { phone } from '../proving/phone-behaviour.ts';
import { callerSentences, speak, think, type PhoneSeams } from '../proving/phone.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';
import { isThinking } from './phone-faults.ts';

const processGone = 'The process has ended.';
const dialogues = {
  id: 'own-ai-phone/holds-any-dialogue',
  why: 'generated dialogues end in many ways too, and the calls after them are refused',
} as const;

/** The process ends when `watch` returns true: its calls drop, and it accepts no more connections. */
function crashing(watch: (crash: () => void) => Partial<PhoneSeams>): Mutant['build'] {
  return phone(() => {
    let isGone = false;
    const sockets = new Set<Socket>();
    return {
      ...watch(() => {
        isGone = true;
        for (const socket of sockets) socket.destroy();
      }),
      admit: ({ socket }) => {
        sockets.add(socket);
        return isGone ? 'drop' : undefined;
      },
    };
  });
}

/** The process ends when a call matching this condition breaks off. */
function crashingAtTheEnd(isMeant: (call: PhoneCall) => boolean): Mutant['build'] {
  return crashing((crash) => ({
    closed: (call) => {
      if (isMeant(call)) crash();
    },
  }));
}

/** Faults in ending calls, and in the effect of an ending on other calls. */
export const phoneEndingMutants: readonly Mutant[] = [
  {
    name: 'phone-talks-on-after-the-end',
    breaks: 'own-ai-phone/stops-at-session-ended',
    what: 'At session.ended the running answer is spoken to its end, until the connection is closed.',
    mayAlso: [dialogues],
    build: phone(() => ({ ended: () => undefined })),
  },
  {
    name: 'phone-says-good-bye-to-nobody',
    breaks: 'own-ai-phone/stops-at-session-ended',
    what: 'At session.ended the AI prepares a goodbye and begins it 600 ms later, if the connection is still open.',
    mayAlso: [dialogues],
    build: phone(() => ({
      ended: (call) => {
        call.silence();
        call.play(speak('Thank you for your call, and good bye.', { firstAfterMs: 600, everyMs: 50, pieces: 30 }));
      },
    })),
  },
  {
    name: 'phone-closing-not-answered',
    breaks: 'own-ai-phone/closes-with-the-service',
    what: 'After a call with one answered sentence, the close frame is never answered, and the connection stays open.',
    build: phone((right) => ({
      ended(call) {
        // All other calls close correctly, so that the run stays short.
        if (call.prompts === 1 && !call.isTalking) call.socket.close = () => undefined;
        right.ended(call);
      },
    })),
  },
  {
    name: 'phone-crash-at-a-reset',
    breaks: 'own-ai-phone/survives-a-broken-call',
    what: 'The error of a connection that is reset in a call is not handled, and the process ends.',
    stopsTheRest: processGone,
    build: crashing((crash) => ({ connected: ({ request }) => void request.socket.once('error', crash) })),
  },
  {
    name: 'phone-crash-when-the-caller-goes-in-an-answer',
    breaks: 'own-ai-phone/survives-a-broken-call',
    what: 'Sending to a caller who hung up in the middle of an answer throws, and the process ends.',
    stopsTheRest: processGone,
    build: crashingAtTheEnd(({ isTalking, isOver }) => isTalking && !isOver),
  },
  {
    name: 'phone-crash-when-the-caller-goes-before-the-answer',
    breaks: 'own-ai-phone/survives-a-broken-call',
    what: 'The AI thinks for a moment, and a caller who is gone by then ends the process.',
    stopsTheRest: processGone,
    build: crashing((crash) => ({
      think: (text, call) => think(text, call).map((step, at) => (at === 0 ? { ...step, afterMs: 150 } : step)),
      closed: (call) => {
        if (isThinking(call) && !call.isOver) crash();
      },
    })),
  },
  {
    name: 'phone-crash-at-session-ended-before-the-answer',
    breaks: 'own-ai-phone/survives-a-broken-call',
    what: 'Cancelling an answer that has not begun, at session.ended, throws and ends the process.',
    stopsTheRest: processGone,
    build: crashing((crash) => ({
      ended: (call) => {
        if (isThinking(call)) crash();
        call.silence();
      },
    })),
  },
  {
    name: 'phone-crash-without-session-ended',
    breaks: 'own-ai-phone/survives-a-broken-call',
    what: 'A call that ends without session.ended is closed twice, and the process ends.',
    stopsTheRest: processGone,
    build: crashingAtTheEnd(({ started, isOver }) => started !== undefined && !isOver),
  },
  {
    name: 'phone-crash-at-a-connection-test',
    breaks: 'own-ai-phone/takes-a-connection-test',
    what: 'The end of a call writes a record of its session, and a connection without a session ends the process.',
    stopsTheRest: processGone,
    build: crashingAtTheEnd(({ started }) => started === undefined),
  },
  {
    name: 'phone-latest-call-in-a-global',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'The socket is kept in a global variable, so every answer goes to the latest call.',
    stopsTheRest: 'A sentence in one call is lost while another call begins.',
    build: phone(() => {
      let latest: PhoneCall | undefined;
      return { connected: (call) => (latest = call), transmit: (_, data) => latest?.socket.send(data) };
    }),
  },
  {
    name: 'phone-broadcasts',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'Every answer is sent to all calls.',
    stopsTheRest: 'Every call hears what is said in the others.',
    build: phone(() => {
      const calls = new Set<PhoneCall>();
      return {
        connected: (call) => void calls.add(call),
        closed: (call) => void calls.delete(call),
        transmit: (_, data) => calls.forEach(({ socket }) => socket.send(data)),
      };
    }),
  },
  {
    name: 'phone-call-found-by-contact',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'Calls are stored by the id of the contact, so the later of two calls of one contact gets all answers.',
    mayAlso: (
      ['holds-any-dialogue', 'accepts-any-call', 'accepts-extreme-call-values', 'ignores-unknown-members'] as const
    ).map((slug) => ({
      id: `own-ai-phone/${slug}` as const,
      why: 'the check may hold several calls of one contact at once',
    })),
    build: phone((right) => {
      const latest = new Map<number, PhoneCall>();
      const calls = new WeakMap<object, PhoneCall>();
      return {
        connected: (call) => void calls.set(call.socket, call),
        started(frame, call) {
          latest.set(frame.contact.id, call);
          right.started(frame, call);
        },
        transmit: (socket, data) => {
          const id = calls.get(socket)?.started?.contact.id;
          ((id !== undefined && latest.get(id)?.socket) || socket).send(data);
        },
      };
    }),
  },
  {
    name: 'phone-dialogue-in-a-global',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'The dialogue is kept in one list for all calls, so an answer quotes what another caller said.',
    build: phone((right) => {
      const said: string[] = [];
      return {
        think(text, call) {
          const earlier = said.slice(-3).join(' ');
          said.push(text);
          const steps = right.think(text, call);
          const quote = { type: 'text', text: `You said before: ${earlier.slice(0, 400)} `, last: false };
          return text.length > 200 || steps.length === 1 ? steps : [{ afterMs: 5, frame: quote }, ...steps];
        },
      };
    }),
  },
  {
    name: 'phone-contact-in-a-global',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'The contact of session.started is kept in one variable, so the AI addresses callers by the name of the latest.',
    build: phone((right) => {
      let name = '';
      return {
        started(frame, call) {
          name = frame.contact.name ?? '';
          right.started(frame, call);
        },
        think(text, call) {
          const steps = right.think(text, call);
          const greeting = { type: 'text', text: `Dear ${name.slice(0, 100)}, `, last: false };
          const isShort = steps.length > 1 && text !== callerSentences.long;
          return isShort ? [{ afterMs: 5, frame: greeting }, ...steps] : steps;
        },
      };
    }),
  },
  {
    name: 'phone-sentence-in-a-global',
    breaks: 'own-ai-phone/keeps-calls-apart',
    what: 'The sentence is stored in a global variable, so with two at once both callers get the answer to the later one.',
    stopsTheRest: 'Any two sentences at about the same time are mixed up.',
    build: phone((right) => {
      let latest = '';
      return {
        prompt(text, call) {
          latest = text;
          setTimeout(() => right.prompt(latest, call), 30);
        },
      };
    }),
  },
];
