import type { CauseId } from '../../diagnosis/causes.ts';
import { mutants } from '../mutants/every-mutant.ts';
import { closesAt, deafAt, sentence, started, unanswered } from '../mutants/phone-faults.ts';
import type { Seams } from '../proving/endpoint.ts';
import { phone, reshaping, thinking } from '../proving/phone-behaviour.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { callerSentences, soon } from '../proving/phone.ts';
import { pause } from '../proving/wire.ts';

/** An own AI on the phone that has one cause of failure. */
export interface PhoneEndpoint {
  name: string;
  cause: CauseId;
  build: () => Seams;
  /** The cause cannot be established with certainty from outside: it must be the first suspect. */
  onlySuspected?: true;
  /** The requirement that fails because of it. */
  requirement?: string | undefined;
  /** The cause is searched for only if that requirement failed. */
  onlyAsked?: true;
}

const fromMutants: Readonly<Record<string, CauseId>> = {
  'phone-never-answers': 'phone/never-answers',
  'phone-answers-are-empty': 'phone/answers-are-empty',
  'phone-first-sentence-lost': 'phone/first-sentence-lost',
  'phone-second-sentence-unanswered': 'phone/stops-answering',
  'phone-no-last': 'phone/answers-not-closed',
  'phone-closes-after-the-first-answer': 'phone/closes-after-answer',
  'phone-closes-when-idle': 'phone/closes-when-quiet',
  'phone-key-closes': 'phone/key-not-handled',
  'phone-star-and-hash-are-no-numbers': 'phone/key-not-handled',
  'phone-two-keys-in-a-row': 'phone/keys-in-a-row-not-handled',
  'phone-sentence-in-an-answer-dropped': 'phone/sentence-in-answer-dropped',
  'phone-sentence-in-an-answer-closes': 'phone/sentence-in-answer-dropped',
  'phone-german-unanswered': 'phone/language-not-handled',
  'phone-empty-tools-refused': 'phone/no-skills-not-handled',
  'phone-names-in-latin-1': 'phone/caller-name-not-handled',
  'phone-quote-in-a-name': 'phone/caller-name-not-handled',
  'phone-name-of-over-a-hundred': 'phone/caller-name-not-handled',
  'phone-ids-of-32-bits': 'phone/large-id-not-handled',
  'phone-revision-header-compared': 'phone/later-protocol-not-handled',
  'phone-revision-compared': 'phone/later-protocol-not-handled',
  'phone-strict-session': 'phone/unknown-field-not-handled',
  'phone-strict-contact': 'phone/unknown-field-not-handled',
  'phone-strict-prompt': 'phone/unknown-field-not-handled',
  'phone-language-enumerated': 'phone/unknown-value-not-handled',
  'phone-skill-kinds-enumerated': 'phone/unknown-value-not-handled',
  'phone-resumed-enumerated': 'phone/unknown-value-not-handled',
  'phone-reasons-enumerated': 'phone/unknown-value-not-handled',
  'phone-digits-enumerated': 'phone/unknown-value-not-handled',
  'phone-resumed-call-closed': 'phone/resumed-call-not-handled',
  'phone-resumed-after-not-expected': 'phone/resumed-call-not-handled',
  'phone-strict-frames': 'phone/unknown-frame-not-handled',
  'phone-unknown-frame-ends-the-loop': 'phone/unknown-frame-not-handled',
  'phone-greets': 'phone/speaks-first',
  'phone-ends-at-no-answer': 'phone/skill-result-not-handled',
  'phone-ends-at-outside-hours': 'phone/skill-result-not-handled',
  'phone-reason-always-read': 'phone/skill-result-not-handled',
  'phone-sentence-with-a-quotation-mark': 'phone/sentence-not-handled',
  'phone-sentence-with-an-astral-character': 'phone/sentence-not-handled',
  'phone-sentence-with-white-space': 'phone/sentence-not-handled',
  'phone-sentence-with-a-line-break': 'phone/sentence-not-handled',
  'phone-talks-on': 'phone/talks-on-at-interrupt',
  'phone-speaks-every-second-piece-on': 'phone/talks-on-at-interrupt',
  'phone-pauses-at-an-interrupt': 'phone/talks-on-at-interrupt',
  'phone-stays-interrupted': 'phone/deaf-after-interrupt',
  'phone-interrupt-takes-the-next-answer': 'phone/answer-cut-after-interrupt',
  'phone-old-answer-comes-first': 'phone/old-answer-after-interrupt',
  'phone-interrupt-closes': 'phone/closes-at-interrupt',
  'phone-interrupt-without-an-answer-closes': 'phone/idle-interrupt-not-handled',
  'phone-key-after-an-interrupt': 'phone/frames-together-not-handled',
  'phone-talks-on-after-the-end': 'phone/talks-after-end',
  'phone-says-good-bye-to-nobody': 'phone/talks-after-end',
  'phone-latest-call-in-a-global': 'phone/answers-to-another-call',
  'phone-broadcasts': 'phone/answers-to-all-calls',
  'phone-call-found-by-contact': 'phone/calls-kept-by-contact',
  'phone-sentence-in-a-global': 'phone/words-of-another-call',
  'phone-crash-at-a-connection-test': 'phone/gone-after-connection-test',
  'phone-frame-of-70000-bytes': 'phone/frame-too-large',
  'phone-last-as-string': 'phone/last-not-boolean',
  'phone-action-transfer': 'phone/action-unknown',
  'phone-skill-of-nothing': 'phone/skill-frame-empty',
  'phone-heartbeat': 'phone/frame-type-unknown',
  'phone-word-to-keep-alive': 'phone/frames-not-json',
};

/** Faults that end the process; they are searched for only after a failed check. */
const ending = [
  'phone-crash-at-a-reset',
  'phone-crash-when-the-caller-goes-in-an-answer',
  'phone-crash-without-session-ended',
];

function mutant(name: string): Pick<PhoneEndpoint, 'build' | 'requirement'> {
  const found = mutants.find((each) => each.name === name);
  if (!found) throw new TypeError(`there is no mutant ${name}`);
  return { build: found.build, requirement: found.breaks };
}

/** Milliseconds: over the set-up limit and the waiting time of these tests, 2 s, but within its timeout. */
const overSetUpMs = 6_500;
const overWaitingMs = 3_000;

const words = 'Yes, on Thursday at ten o’clock.';

/** The AI sends every frame as a string. */
function written(change: (frame: Record<string, unknown>) => string | Buffer): () => Seams {
  return phone(() => ({ write: (frame) => [change(frame as Record<string, unknown>)] }));
}

const own: readonly PhoneEndpoint[] = [
  {
    name: 'origin-required',
    cause: 'phone/origin-wanted',
    build: () => ({ phone: { admit: ({ headers }) => (headers.origin === undefined ? { status: 403 } : undefined) } }),
  },
  {
    name: 'subprotocol-required',
    cause: 'phone/subprotocol-wanted',
    build: () => ({
      phone: {
        admit: ({ headers }) =>
          headers['sec-websocket-protocol']?.includes('voice') === true ? undefined : { status: 400 },
      },
    }),
  },
  {
    name: 'subprotocol-chosen-unasked',
    cause: 'phone/subprotocol-unasked',
    build: () => ({
      phone: {
        admit({ socket, headers }) {
          const write = socket.write.bind(socket);
          socket.write = (chunk: Uint8Array | string) =>
            write(
              typeof chunk === 'string' && chunk.startsWith('HTTP/1.1 101')
                ? chunk.replace('\r\n', '\r\nSec-WebSocket-Protocol: voice\r\n')
                : chunk,
            );
          return headers.host === undefined ? { status: 400 } : undefined;
        },
      },
    }),
  },
  {
    name: 'answers-with-an-unknown-action',
    cause: 'phone/action-unknown',
    build: written(() => JSON.stringify({ type: 'action', action: 'hangup', text: words })),
  },
  {
    name: 'set-up-always-slow',
    cause: 'phone/set-up-too-slow',
    build: () => ({ phone: { admit: () => pause(overSetUpMs).then(() => undefined) } }),
  },
  {
    name: 'set-up-slow-once',
    cause: 'phone/set-up-slow-at-first',
    onlySuspected: true,
    build: () => {
      let isAwake = false;
      return {
        phone: {
          async admit() {
            if (!isAwake) await pause(overSetUpMs);
            isAwake = true;
            return undefined;
          },
        },
      };
    },
  },
  {
    name: 'closes-when-connected',
    cause: 'phone/closed-at-once',
    build: phone(() => ({ connected: ({ socket }) => void setTimeout(() => socket.close(1008, 'who are you'), 20) })),
  },
  {
    name: 'closes-at-any-session',
    cause: 'phone/closed-at-session-started',
    build: closesAt(({ type }) => type === 'session.started'),
  },
  {
    name: 'needs-setup',
    cause: 'phone/other-first-frame',
    build: phone((right) => {
      const begun = new WeakSet<PhoneCall>();
      return {
        hear(frame, call) {
          if (frame.type === 'setup') begun.add(call);
          if (!begun.has(call)) throw new TypeError('setup first');
          right.hear(frame, call);
        },
      };
    }),
  },
  {
    name: 'waits-for-start',
    cause: 'phone/other-first-frame',
    build: phone((right) => {
      const begun = new WeakSet<PhoneCall>();
      return {
        hear(frame, call) {
          if (frame.type === 'start') begun.add(call);
          else if (begun.has(call)) right.hear(frame, call);
        },
      };
    }),
  },
  {
    name: 'no-english',
    cause: 'phone/session-value-not-handled',
    build: closesAt(started(({ language }) => language === 'en-US')),
  },
  {
    name: 'no-tools-with-forwards',
    cause: 'phone/session-value-not-handled',
    build: deafAt(started(({ skills }) => skills.some(({ kind }) => kind === 'forward'))),
  },
  {
    name: 'reads-voice-prompt',
    cause: 'phone/reads-other-field',
    build: phone((right) => ({
      hear(frame, call) {
        if (frame.type !== 'prompt') right.hear(frame, call);
        else if (typeof frame['voicePrompt'] === 'string') right.hear({ ...frame, text: frame['voicePrompt'] }, call);
      },
    })),
  },
  {
    name: 'reads-transcripts',
    cause: 'phone/reads-other-type',
    build: phone((right) => ({
      hear(frame, call) {
        if (frame.type === 'transcript') right.hear({ ...frame, type: 'prompt' }, call);
        else if (frame.type !== 'prompt') right.hear(frame, call);
      },
    })),
  },
  {
    name: 'ready-after-two-seconds',
    cause: 'phone/not-ready-at-once',
    build: phone((right) => {
      const from = new WeakMap<PhoneCall, number>();
      return {
        connected: (call) => void from.set(call, performance.now()),
        prompt(text, call) {
          if (performance.now() - (from.get(call) ?? 0) > 2_000) right.prompt(text, call);
        },
      };
    }),
  },
  {
    name: 'answers-three-sentences',
    cause: 'phone/stops-answering',
    requirement: 'own-ai-phone/answers-later-prompts',
    onlyAsked: true,
    build: unanswered((_, { prompts }) => prompts > 3),
  },
  {
    name: 'closes-at-the-third-sentence',
    cause: 'phone/stops-answering',
    build: phone((right) => ({
      prompt(text, call) {
        if (call.prompts > 2) call.socket.terminate();
        else right.prompt(text, call);
      },
    })),
  },
  {
    name: 'always-late',
    cause: 'phone/first-piece-slow',
    build: thinking((steps) => steps.map((step, at) => (at === 0 ? { ...step, afterMs: overWaitingMs } : step))),
  },
  {
    name: 'beyond-patience',
    cause: 'phone/first-piece-slow',
    build: phone((right) => ({ prompt: (text, call) => void setTimeout(() => right.prompt(text, call), 6_000) })),
  },
  {
    name: 'first-answer-late',
    cause: 'phone/first-piece-slow-at-first',
    build: thinking((steps, _, { prompts }) =>
      steps.map((step, at) => (at === 0 && prompts === 1 ? { ...step, afterMs: overWaitingMs } : step)),
    ),
  },
  {
    name: 'closes-at-any-sentence',
    cause: 'phone/closes-at-a-sentence',
    build: closesAt(({ type }) => type === 'prompt'),
  },
  {
    name: 'error-frame',
    cause: 'phone/answers-with-an-error',
    build: thinking(() => [soon({ type: 'error', error: { message: 'invalid model' } })]),
  },
  { name: 'plain-text', cause: 'phone/frames-not-json', build: thinking(() => [soon(words)]) },
  {
    name: 'encoded-twice',
    cause: 'phone/frames-double-encoded',
    build: written((frame) => JSON.stringify(JSON.stringify(frame))),
  },
  {
    name: 'frames-in-a-list',
    cause: 'phone/several-objects-in-a-frame',
    build: written((frame) => JSON.stringify([frame])),
  },
  {
    name: 'frames-in-lines',
    cause: 'phone/several-objects-in-a-frame',
    build: thinking(() => [
      soon(
        `${JSON.stringify({ type: 'text', text: 'Yes, ' })}\n${JSON.stringify({ type: 'text', text: words, last: true })}`,
      ),
    ]),
  },
  {
    name: 'audio',
    cause: 'phone/sends-audio',
    build: thinking(() => Array.from({ length: 5 }, () => soon(Buffer.alloc(320, 0xd5)))),
  },
  {
    name: 'binary-json',
    cause: 'phone/binary-frames',
    onlySuspected: true,
    build: mutant('phone-binary-frames').build,
  },
  {
    name: 'binary-json-asked-for',
    cause: 'phone/binary-frames',
    requirement: 'own-ai-phone/frame-is-text',
    onlyAsked: true,
    build: mutant('phone-binary-frames').build,
  },
  {
    name: 'type-response',
    cause: 'phone/frame-type-unknown',
    build: reshaping((frame) => ({ ...frame, type: frame['type'] === 'text' ? 'response' : frame['type'] })),
  },
  {
    name: 'words-in-content',
    cause: 'phone/words-under-another-field',
    build: reshaping(({ text, ...frame }) => ({ ...frame, content: text })),
  },
  {
    name: 'text-by-language',
    cause: 'phone/text-not-a-string',
    build: reshaping(({ text, ...frame }) => ({ ...frame, text: { en: text } })),
  },
  {
    name: 'final-for-last',
    cause: 'phone/last-under-another-field',
    build: reshaping(({ last, ...frame }) => ({ ...frame, final: last })),
  },
  {
    name: 'closes-after-four-seconds',
    cause: 'phone/closes-after-a-time',
    build: phone(() => ({ connected: ({ socket }) => void setTimeout(() => socket.close(1001), 2_900) })),
  },
  {
    name: 'hangs-up-by-closing',
    requirement: 'own-ai-phone/keeps-the-call-open',
    cause: 'phone/hangs-up-without-action',
    build: phone((right) => ({
      prompt(text, call) {
        if (text === callerSentences.end) call.socket.close(1000);
        else right.prompt(text, call);
      },
    })),
  },
  {
    name: 'closing-ignored',
    requirement: 'own-ai-phone/closes-with-the-service',
    cause: 'phone/closing-not-answered',
    build: phone((right) => ({
      ended(call) {
        call.socket.close = () => undefined;
        right.ended(call);
      },
    })),
  },
  {
    name: 'one-call-held',
    requirement: 'own-ai-phone/keeps-calls-apart',
    cause: 'phone/second-call-ends-first',
    build: phone(() => {
      let current: PhoneCall | undefined;
      return {
        connected(call) {
          current?.socket.close(1000);
          current = call;
        },
      };
    }),
  },
  {
    name: 'long-sentences-lost',
    requirement: 'own-ai-phone/survives-any-sentence',
    cause: 'phone/sentence-not-handled',
    build: deafAt(sentence((text) => text.length > 200)),
  },
  {
    name: 'history-of-all',
    requirement: 'own-ai-phone/keeps-calls-apart',
    cause: 'phone/words-of-another-call',
    build: mutant('phone-dialogue-in-a-global').build,
  },
];

/** Every phone endpoint with a cause. */
export const phoneEndpoints: readonly PhoneEndpoint[] = [
  ...own,
  ...Object.entries(fromMutants).map(([name, cause]) => ({ name, cause, ...mutant(name) })),
  ...ending.map((name) => ({
    name,
    cause: 'phone/gone-after-broken-call' as const,
    onlyAsked: true as const,
    ...mutant(name),
  })),
];
