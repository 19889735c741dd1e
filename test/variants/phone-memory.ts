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
