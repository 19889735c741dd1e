import { callerSentences, soon, speak, think } from '../proving/phone.ts';
import { isText, phone, reshaping, thinking } from '../proving/phone-behaviour.ts';
import type { Journal } from '../proving/journal.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { closesAt, started } from '../mutants/phone-faults.ts';
import { pause } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

const surfaces = ['own-ai-phone'] as const;

/** Milliseconds of a sentence that are too long to be quick: calls at once slow each other down. */
const thinkingMs = 500;

/** Correct ways to act and to use skills. */
const acting: readonly Variant[] = [
  {
    name: 'phone-action-without-text',
    what: 'Hands over and ends without text.',
    surfaces,
    build: reshaping(({ text, ...frame }) => (frame.type === 'action' ? frame : { ...frame, text })),
  },
  {
    name: 'phone-stores-calls',
    what: 'Stores every accepted call where its state shows it; a signed one without an id, too, before it fails with 500.',
    surfaces,
    build: phone((right) => {
      let journal: Journal | undefined;
      return {
        arrived: (shown) => void (journal = shown),
        callIdOf: (request) => right.callIdOf(request) ?? '',
        accepted: (shown, callId) => shown.add(`call ${callId}`),
        admit(request) {
          if (right.callIdOf(request) !== undefined) return undefined;
          journal?.add(`call ${String(request.headers['x-svc-signature'])}`);
          return { status: 500 };
        },
      };
    }),
  },
  {
    name: 'phone-ends-and-closes',
    what: 'Closes the connection itself right after an action.',
    surfaces,
    build: phone(() => ({
      write(frame, { socket }) {
        if (typeof frame === 'object' && 'action' in frame) setImmediate(() => socket.close(1000));
        return [frame];
      },
    })),
  },
  {
    name: 'phone-skill-by-id',
    what: 'Requests five skills by id, one of them a forward, with a note and a suppressed announcement.',
    surfaces,
    build: skills(({ started }) => {
      const offered = started?.skills ?? [];
      const one = offered.filter(({ kind }) => kind === 'forward').slice(0, 1);
      const named = [...offered.filter(({ kind }) => kind === 'alert').slice(0, 4), ...one];
      return { executeSkills: named.map(({ id }) => id), note: 'n'.repeat(500), announcement: '' };
    }),
  },
  {
    name: 'phone-skill-by-key',
    what: 'Requests one skill with key, before it says anything.',
    surfaces,
    build: thinking((steps, text, { started }) => {
      const alert = started?.skills.find(({ kind }) => kind === 'alert');
      return text === callerSentences.skill && alert
        ? [soon({ type: 'skill', key: alert.key }), ...speak('I have informed them.')]
        : steps;
    }),
  },
  {
    name: 'phone-skills-one-by-one',
    what: 'Asks for four alerts and then a forward in one answer, a frame each.',
    surfaces,
    build: thinking((steps, text, { started }) => {
      const offered = started?.skills ?? [];
      const alerts = offered.filter(({ kind }) => kind === 'alert').slice(0, 4);
      const forward = offered.filter(({ kind }) => kind === 'forward').slice(0, 1);
      return text === callerSentences.skill
        ? [...speak('I see to it.'), ...[...alerts, ...forward].map(({ key }) => soon({ type: 'skill', key }, 0))]
        : steps;
    }),
  },
  {
    name: 'phone-tries-again-when-refused',
    what: 'Asks for the same skill once more, and then for a forward, when it is refused.',
    surfaces,
    build: phone((right) => {
      const tries = new WeakMap<PhoneCall, number>();
      return {
        prompt(text, call) {
          tries.set(call, 0);
          right.prompt(text, call);
        },
        skillResult({ key, ok }, call) {
          const count = tries.get(call) ?? 0;
          tries.set(call, count + 1);
          const forward = call.started?.skills.find(({ kind }) => kind === 'forward');
          if (ok || count > 1) return;
          call.send({ type: 'skill', key: count === 0 || !forward ? key : forward.key });
        },
      };
    }),
  },
  {
    name: 'phone-skill-without-a-word',
    what: 'Requests a skill and says nothing until its result arrives, then reports the outcome.',
    surfaces,
    build: phone(() => ({
      think: (text, call) => think(text, call).filter(({ frame }) => text !== callerSentences.skill || !isText(frame)),
      skillResult: ({ ok, reason = 'something' }, call) =>
        call.play(speak(ok ? 'They know.' : `That did not work because of ${reason}.`)),
    })),
  },
  {
    name: 'phone-hands-over-when-refused',
    what: 'Hands the call over when a skill is refused.',
    surfaces,
    build: phone(() => ({
      skillResult({ ok }, call) {
        if (!ok) call.send({ type: 'action', action: 'handover', text: 'I get a colleague.' });
      },
    })),
  },
  {
    name: 'phone-speaks-about-the-result',
    what: 'Says in a few pieces whether a skill was carried out.',
    surfaces,
    build: phone(() => ({
      skillResult({ ok }, call) {
        call.play(speak(ok ? 'They know about it now.' : 'I could not reach them. What else can I do?'));
      },
    })),
  },
  {
    name: 'phone-without-skills',
    what: 'Never requests a skill and never sends an action.',
    surfaces,
    build: thinking((_, text) =>
      text === callerSentences.long ? think(text, {} as PhoneCall) : speak('I note it down.'),
    ),
  },
];

/** Correct ways to connect, to write frames and to end calls. */
const wire: readonly Variant[] = [
  {
    name: 'phone-closes-after-session-ended',
    what: 'Closes the connection itself as soon as the session has ended.',
    surfaces,
    build: phone((right) => ({
      ended(call) {
        right.ended(call);
        call.socket.close(1000);
      },
    })),
  },
  {
    name: 'phone-ends-tcp-after-session-ended',
    what: 'Ends the TCP connection without a closing handshake as soon as the session has ended.',
    surfaces,
    build: phone((right) => ({
      ended(call) {
        right.ended(call);
        call.request.socket.end();
      },
    })),
  },
  ...([400, 403, 404] as const).map((status): Variant => ({
    name: `phone-refuses-with-${status}`,
    what: `Refuses calls with ${status} and a page of HTML.`,
    surfaces,
    build: () => ({
      phone: { refusal: () => ({ status, headers: { 'content-type': 'text/html' }, body: '<h1>No</h1>' }) },
    }),
  })),
  {
    name: 'phone-extra-members',
    what: 'Writes JSON over several lines with escapes, fields in another order and custom fields.',
    surfaces,
    build: phone(() => ({
      encode: (frame) => {
        const fields = Object.entries({ ...frame, meta: { model: 'm-1', tokens: [1, 2] }, text2: '' }).reverse();
        const text = JSON.stringify(Object.fromEntries(fields), null, 2);
        const escaped = text.replace(
          /[\u0080-\uffff]/g,
          (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        return `\n ${escaped}\r\n`;
      },
    })),
  },
  {
    name: 'phone-fragmented',
    what: 'Sends each frame of the protocol in three WebSocket fragments.',
    surfaces,
    build: phone(() => ({
      transmit(socket, data) {
        const bytes = Buffer.from(data);
        const third = Math.ceil(bytes.length / 3);
        const options = { binary: false, compress: false };
        socket.send(bytes.subarray(0, third), { ...options, fin: false });
        socket.send(bytes.subarray(third, 2 * third), { ...options, fin: false });
        socket.send(bytes.subarray(2 * third), { ...options, fin: true });
      },
    })),
  },
  {
    name: 'phone-compressed',
    what: 'Compresses its frames if the client offers that.',
    surfaces,
    build: () => ({ phone: { server: { perMessageDeflate: { threshold: 0 } } } }),
  },
  {
    name: 'phone-pings',
    what: 'Sends a WebSocket ping every 50 ms, and closes if none is answered for 2 s.',
    surfaces,
    build: phone(() => ({
      connected({ socket }) {
        let answeredAt = performance.now();
        const timer = setInterval(() => {
          socket.ping();
          if (performance.now() - answeredAt > 2_000) socket.close(1011);
        }, 50);
        socket.on('pong', () => (answeredAt = performance.now()));
        socket.once('close', () => clearInterval(timer));
      },
    })),
  },
  {
    name: 'phone-one-upgrade-at-a-time',
    what: 'Handles one upgrade at a time, each in 50 ms.',
    surfaces,
    build: () => {
      let before: Promise<unknown> = Promise.resolve();
      return {
        phone: {
          admit() {
            const turn = before.then(() => pause(50)).then(() => undefined);
            before = turn;
            return turn;
          },
        },
      };
    },
  },
  {
    name: 'phone-one-call-at-a-time',
    what: 'Answers the upgrade of a call once the call before has ended.',
    surfaces,
    build: phone((right) => {
      const open = new Map<PhoneCall, { ended: Promise<void>; end: () => void }>();
      return {
        async admit() {
          for (let [one] = open.values(); one; [one] = open.values()) await one.ended;
          return undefined;
        },
        connected(call) {
          const { promise, resolve } = Promise.withResolvers<undefined>();
          open.set(call, { ended: promise, end: () => resolve(undefined) });
          right.connected(call);
        },
        closed(call) {
          open.get(call)?.end();
          open.delete(call);
          right.closed(call);
        },
      };
    }),
  },
  {
    name: 'phone-one-thread',
    what: `Thinks about each sentence for ${thinkingMs} ms, in which it neither reads nor says anything in any call.`,
    surfaces,
    build: phone((right) => {
      const calls = new Set<PhoneCall>();
      let free: Promise<void> = Promise.resolve();
      return {
        admit: () => free.then(() => undefined),
        connected: (call) => void calls.add(call),
        closed: (call) => void calls.delete(call),
        hear(frame, call) {
          const handle = async () => {
            if (frame.type === 'prompt') {
              const unsaid = [...calls].map((one) => ({ one, steps: one.silence() }));
              await pause(thinkingMs);
              for (const { one, steps } of unsaid) one.play(steps);
            }
            right.hear(frame, call);
          };
          free = free.then(handle).catch((error: unknown) => call.seams.crash(error, call));
        },
      };
    }),
  },
  {
    name: 'phone-address-with-a-query',
    what: 'Its address has a query, and calls without it are refused.',
    surfaces,
    build: () => ({
      phone: {
        query: '?tenant=7',
        admit: ({ url }) => (url?.endsWith('/voice?tenant=7') === true ? undefined : { status: 404 }),
      },
    }),
  },
];

/** Correct ways to rely only on points that the interface shows. */
const asShown: readonly Variant[] = [
  {
    name: 'phone-resumed-after-needed',
    what: 'Reads key, ok and reason of resumedAfter in every resumed call: the interface shows resumed with all three.',
    surfaces,
    build: closesAt(
      started(({ resumed, resumedAfter }) => {
        const { key, ok, reason } = resumedAfter ?? {};
        return resumed !== undefined && !(typeof key === 'string' && ok === false && typeof reason === 'string');
      }),
    ),
  },
  {
    name: 'phone-contact-needs-a-name',
    what: 'Reads id and name of the contact in every call: the interface shows both and does not call one optional.',
    surfaces,
    build: closesAt(
      started(
        ({ contact }) => !Number.isInteger(contact.id) || typeof contact.name !== 'string' || contact.name === '',
      ),
    ),
  },
  {
    name: 'phone-frames-without-a-type',
    what: 'Sends speech and actions without type: the interface shows it in the skill frame only.',
    surfaces,
    build: reshaping(({ type, ...frame }) => (type === 'skill' ? { type, ...frame } : frame)),
  },
];

/** Correct but unusual ways to act in calls, and to accept and end them. */
export const phoneCallVariants: readonly Variant[] = [...acting, ...wire, ...asShown];

function skills(frameFor: (call: PhoneCall) => Record<string, unknown>): Variant['build'] {
  return thinking((steps, text, call) =>
    text === callerSentences.skill && call.started?.skills.length !== 0
      ? [...speak('I see to it.'), soon({ type: 'skill', ...frameFor(call) })]
      : steps,
  );
}
