import { speak } from '../proving/phone.ts';
import { phone } from '../proving/phone-behaviour.ts';
import type { Variant } from './variant.ts';

const surfaces = ['own-ai-phone'] as const;

/** Correct ways to recognise calls and callers. */
export const phoneMemoryVariants: readonly Variant[] = [
  {
    name: 'phone-call-sid-is-a-key',
    what: 'Stores each new call by its callSid, and closes a second new call with the same one.',
    surfaces,
    build: phone((right) => {
      const known = new Set<string>();
      return {
        started(frame, call) {
          const isKnown = known.size === known.add(frame.callSid).size;
          if (isKnown && frame.resumed === undefined) call.socket.close(1011);
          else right.started(frame, call);
        },
      };
    }),
  },
  {
    name: 'phone-one-connection-per-call',
    what: 'Refuses a second connection with the same call id: the interface does not show whether a resumed call keeps its id.',
    surfaces,
    advised: ['own-ai-phone/goes-on-after-takeover-with-the-same-id'],
    build: () => {
      const known = new Set<string>();
      return {
        phone: {
          admit({ headers }) {
            const id = String(headers['x-svc-call-id']);
            return known.size === known.add(id).size ? { status: 409 } : undefined;
          },
        },
      };
    },
  },
  {
    name: 'phone-session-by-call-id',
    what: 'Stores the session by the call id, counts its sentences across connections, and speaks on the latest one.',
    surfaces,
    build: phone((right) => {
      const sentences = new Map<string, number>();
      return {
        think(text, call) {
          const count = (sentences.get(call.callId) ?? 0) + 1;
          sentences.set(call.callId, count);
          return count === 1 ? right.think(text, call) : [...speak(`Sentence ${count}.`), ...right.think(text, call)];
        },
      };
    }),
  },
  {
    name: 'phone-remembers-its-contacts',
    what: 'Remembers across calls under which name each contact was introduced, and says it.',
    surfaces,
    build: phone((right) => {
      const names = new Map<number, string[]>();
      return {
        think(text, call) {
          const [, name] = /^My name is (\w+)\./.exec(text) ?? [];
          const id = call.started?.contact.id;
          if (name === undefined || id === undefined) return right.think(text, call);
          const known = [...(names.get(id) ?? []), name];
          names.set(id, known);
          return speak(`Your name is ${name}. I know you as ${[...new Set(known)].join(' and ')}.`);
        },
      };
    }),
  },
];
