import { phone, reshaping, thinking } from '../proving/phone-behaviour.ts';
import { setUp } from '../proving/endpoint.ts';
import { callerSentences, soon, speak } from '../proving/phone.ts';
import type { AiFrame, PhoneCall, Step } from '../proving/phone-call.ts';
import type { Mutant } from './mutant.ts';

/** Sends this before each plain answer. */
function company(...frames: AiFrame[]): Mutant['build'] {
  return thinking((steps, text) =>
    text === callerSentences.answer ? [...frames.map((frame) => soon(frame, 1)), ...steps] : steps,
  );
}

/** Puts a piece into each plain answer, before the one that closes it. */
function piece(frame: Record<string, unknown>): Mutant['build'] {
  return thinking((steps, text) =>
    text === callerSentences.answer
      ? [...steps.slice(0, -1), soon({ type: 'text', ...frame }), ...steps.slice(-1)]
      : steps,
  );
}

/** Adds fields to the action of the AI for one of the stimuli, or changes them. */
function doing(what: 'action' | 'skill', fields: Record<string, unknown>): Mutant['build'] {
  return reshaping((frame) => (frame.type === what ? { ...frame, ...fields } : frame));
}

/** Requests other skills in place of one, if an alert and a forward are offered. */
function asking(frameFor: (call: PhoneCall) => Record<string, unknown>): Mutant['build'] {
  return thinking((steps, text, call): Step[] =>
    text === callerSentences.skill && keysOf(call, 'alert').length > 0 && keysOf(call, 'forward').length > 1
      ? [...speak('I see to it.'), soon({ type: 'skill', ...frameFor(call) })]
      : steps,
  );
}

/** The same with a frame for each skill. */
function requestingOneByOne(keysFor: (call: PhoneCall) => string[]): Mutant['build'] {
  return thinking((steps, text, call): Step[] =>
    text === callerSentences.skill && keysOf(call, 'alert').length > 0 && keysOf(call, 'forward').length > 1
      ? [...speak('I see to it.'), ...keysFor(call).map((key) => soon({ type: 'skill', key }, 0))]
      : steps,
  );
}

function keysOf({ started }: PhoneCall, kind: string): string[] {
  return (started?.skills ?? []).filter((skill) => skill.kind === kind).map(({ key }) => key);
}

const many = 'We have been here for many years, and there is much to tell about it. ';

/** Faults in frames of any kind. */
const anyFrame: readonly Mutant[] = [
  {
    name: 'phone-word-to-keep-alive',
    breaks: 'own-ai-phone/frame-is-json',
    what: 'The word ping is sent as a frame to keep the connection alive.',
    build: company('ping'),
  },
  {
    name: 'phone-frames-in-lines',
    breaks: 'own-ai-phone/frame-is-json',
    what: 'Two objects are sent in one frame, one per line.',
    build: company('{"type":"text","text":"Well, "}\n{"type":"text","text":"let me see. "}'),
  },
  {
    name: 'phone-frame-is-a-list',
    breaks: 'own-ai-phone/frame-is-json',
    what: 'Frames are sent together in a list.',
    build: company('[{"type":"text","text":"Well, "}]'),
  },
  {
    name: 'phone-heartbeat',
    breaks: 'own-ai-phone/frame-type-is-known',
    what: 'A frame of a custom type is sent before answers.',
    build: company({ type: 'heartbeat' }),
  },
  {
    name: 'phone-frame-without-a-type',
    breaks: 'own-ai-phone/frame-has-a-documented-field',
    what: "An event of the model's provider, which has no type, is forwarded to the service.",
    build: company({ event: 'response.created' }),
  },
  {
    name: 'phone-frame-in-a-message',
    breaks: 'own-ai-phone/frame-has-a-documented-field',
    what: 'A sentence before answers is in message, as the chat of the same AI names it.',
    build: company({ message: 'Well, let me see.' }),
  },
  {
    name: 'phone-frame-in-data',
    breaks: 'own-ai-phone/frame-has-a-documented-field',
    what: 'A frame of more than 4,096 bytes is wrapped in data.',
    build: company({ data: { text: 'Well. '.repeat(1_000), last: false } }),
  },
  {
    name: 'phone-fields-capitalised',
    breaks: 'own-ai-phone/frame-has-a-documented-field',
    what: 'A frame is written with the names of the fields of its class.',
    build: company({ Text: 'Well, ', Last: false }),
  },
  {
    name: 'phone-note-without-a-frame',
    breaks: 'own-ai-phone/frame-type-is-known',
    what: 'A note is sent in a separate frame without a type.',
    build: company({ note: 'The caller asks about Thursday.' }),
  },
  {
    name: 'phone-type-capitalised',
    breaks: 'own-ai-phone/frame-type-is-known',
    what: 'The name of the class is written as the type of some frames.',
    build: company({ type: 'Text', text: 'Well, ' }),
  },
  {
    name: 'phone-binary-frames',
    breaks: 'own-ai-phone/frame-is-text',
    what: 'Frames are handed to the library as bytes, so they are binary.',
    build: phone(() => ({ transmit: (socket, data) => socket.send(Buffer.from(data)) })),
  },
  {
    name: 'phone-frame-of-70000-bytes',
    breaks: 'own-ai-phone/frame-within-64-kb',
    what: 'The frame that ends a call carries a trace of 70,000 bytes.',
    mayAlso: [{ id: 'own-ai-phone/frame-within-64000-bytes', why: 'what is over 64 KB is also over 64,000 bytes' }],
    build: reshaping((frame) => (frame.action === 'end' ? { ...frame, trace: 't'.repeat(70_000) } : frame)),
  },
  {
    name: 'phone-frame-of-65000-bytes',
    breaks: 'own-ai-phone/frame-within-64000-bytes',
    what: 'The frame that ends a call carries a trace of 65,000 bytes.',
    build: reshaping((frame) => (frame.action === 'end' ? { ...frame, trace: 't'.repeat(65_000) } : frame)),
  },
];

/** Faults in text frames. */
const textFrame: readonly Mutant[] = [
  {
    name: 'phone-text-as-number',
    breaks: 'own-ai-phone/text-is-a-string',
    what: 'A piece that is a number is sent as one.',
    build: piece({ text: 10, last: false }),
  },
  {
    name: 'phone-text-as-object',
    breaks: 'own-ai-phone/text-is-a-string',
    what: 'A piece contains its words by language.',
    build: piece({ text: { 'de-DE': 'Ja. ' } }),
  },
  {
    name: 'phone-token-as-list',
    breaks: 'own-ai-phone/text-is-a-string',
    what: 'A piece contains a list of tokens.',
    build: piece({ token: ['Yes', ', '] }),
  },
  {
    name: 'phone-text-under-content',
    breaks: 'own-ai-phone/text-is-there',
    what: 'The words of a piece are in content, as the model returns them.',
    build: piece({ content: 'Yes, ' }),
  },
  {
    name: 'phone-closing-piece-without-text',
    breaks: 'own-ai-phone/text-is-there',
    what: 'The closing piece has last, but lacks text.',
    build: thinking((steps, text) =>
      text === callerSentences.answer
        ? [
            ...steps.slice(0, -1),
            soon({ ...(steps.at(-1)?.frame as object), last: false }),
            soon({ type: 'text', last: true }),
          ]
        : steps,
    ),
  },
  {
    name: 'phone-last-as-string',
    breaks: 'own-ai-phone/last-is-a-boolean',
    what: 'last is the string true in the closing piece, which closes nothing.',
    stopsTheRest: 'No answer ends.',
    build: reshaping((frame) => (typeof frame.last === 'boolean' ? { ...frame, last: String(frame.last) } : frame)),
  },
  {
    name: 'phone-last-as-string-when-false',
    breaks: 'own-ai-phone/last-is-a-boolean',
    what: 'last is the string false in pieces that do not close the answer.',
    build: piece({ text: 'let me see, ', last: 'false' }),
  },
  {
    name: 'phone-last-as-number',
    breaks: 'own-ai-phone/last-is-a-boolean',
    what: 'last is 0 in pieces that do not close the answer.',
    build: piece({ text: 'let me see, ', last: 0 }),
  },
  {
    name: 'phone-text-of-5000',
    breaks: 'own-ai-phone/text-within-4000-characters',
    what: 'The whole answer of the model is sent in one piece of 5000 characters.',
    build: thinking((steps, text) =>
      text === callerSentences.answer
        ? [soon({ type: 'text', text: many.repeat(80).slice(0, 5_000), last: true })]
        : steps,
    ),
  },
];

/** Faults in actions. */
const actionFrame: readonly Mutant[] = [
  {
    name: 'phone-action-transfer',
    breaks: 'own-ai-phone/action-is-known',
    what: 'The action transfer is sent before the handover.',
    build: thinking((steps, text) =>
      text === callerSentences.handover
        ? [soon({ type: 'action', action: 'transfer', text: 'I pass you on.' }), ...steps]
        : steps,
    ),
  },
  {
    name: 'phone-action-none',
    breaks: 'own-ai-phone/action-is-known',
    what: 'The action none of the chat is sent with each answer.',
    build: thinking((steps, text) =>
      text === callerSentences.answer ? [...steps, soon({ type: 'action', action: 'none' })] : steps,
    ),
  },
  {
    name: 'phone-text-of-an-action-as-object',
    breaks: 'own-ai-phone/members-have-their-types',
    what: 'The field text of an action is an object with the words by language.',
    build: doing('action', { text: { en: 'Good bye.' } }),
  },
  {
    name: 'phone-note-of-600',
    breaks: 'own-ai-phone/note-within-500-characters',
    what: 'The note of an action has 600 characters.',
    build: doing('action', { note: many.repeat(10).slice(0, 600) }),
  },
  {
    name: 'phone-skill-note-of-501',
    breaks: 'own-ai-phone/note-within-500-characters',
    what: 'The note of a skill has 501 characters.',
    build: doing('skill', { note: many.repeat(10).slice(0, 501) }),
  },
  {
    name: 'phone-note-as-list',
    breaks: 'own-ai-phone/members-have-their-types',
    what: 'The note of an action is a list of lines.',
    build: doing('action', { note: ['Wants to talk', 'to a person.'] }),
  },
  {
    name: 'phone-nulls-written-out',
    breaks: 'own-ai-phone/no-null-members',
    what: 'Fields without a value are written as null.',
    build: reshaping((frame) => ({ note: null, ...frame })),
  },
];

/** Faults in skill frames. */
const skillFrame: readonly Mutant[] = [
  {
    name: 'phone-skills-as-string',
    breaks: 'own-ai-phone/members-have-their-types',
    what: 'A single skill is sent as a string in executeSkills.',
    mayAlso: [{ id: 'own-ai-phone/skill-frame-names-a-skill', why: 'what is not a list names nothing that is read' }],
    build: asking((call) => ({ executeSkills: keysOf(call, 'alert')[0] })),
  },
  {
    name: 'phone-announcement-as-boolean',
    breaks: 'own-ai-phone/members-have-their-types',
    what: 'The announcement is suppressed with the value false.',
    build: doing('skill', { announcement: false }),
  },
  {
    name: 'phone-skill-of-nothing',
    breaks: 'own-ai-phone/skill-frame-names-a-skill',
    what: 'The skill is named under tool, so the frame names none.',
    build: asking((call) => ({ tool: keysOf(call, 'alert')[0] })),
  },
  {
    name: 'phone-skill-list-empty',
    breaks: 'own-ai-phone/skill-frame-names-a-skill',
    what: 'A skill frame is sent with an empty list.',
    build: asking(() => ({ executeSkills: [] })),
  },
  {
    name: 'phone-six-skills',
    breaks: 'own-ai-phone/at-most-five-skills',
    what: 'Six skills are requested at once.',
    build: asking((call) => ({
      executeSkills: [...keysOf(call, 'alert').slice(0, 5), ...keysOf(call, 'forward').slice(0, 1)],
    })),
  },
  {
    name: 'phone-two-forwards',
    breaks: 'own-ai-phone/at-most-one-forward',
    what: 'Two forwards are requested at once, in case one of them fails.',
    build: asking((call) => ({ executeSkills: keysOf(call, 'forward').slice(0, 2) })),
  },
  {
    name: 'phone-six-skills-one-by-one',
    breaks: 'own-ai-phone/at-most-five-skills',
    what: 'Six skills are asked for in one answer, each in a frame.',
    build: requestingOneByOne((call) => [...keysOf(call, 'alert').slice(0, 5), ...keysOf(call, 'forward').slice(0, 1)]),
  },
  {
    name: 'phone-two-forwards-one-by-one',
    breaks: 'own-ai-phone/at-most-one-forward',
    what: 'Two forwards are asked for in one answer, each in a frame.',
    build: requestingOneByOne((call) => keysOf(call, 'forward').slice(0, 2)),
  },
  {
    name: 'phone-skill-again-after-the-answer',
    breaks: 'own-ai-phone/names-each-skill-once',
    what: 'The same skill is asked for before and after the words of an answer.',
    build: thinking((steps, text, call) => {
      const [alert] = text === callerSentences.skill ? keysOf(call, 'alert') : [];
      const ask = soon({ type: 'skill', key: alert });
      return alert === undefined ? steps : [ask, ...speak('I see to it.'), ask];
    }),
  },
  {
    name: 'phone-skill-made-up',
    breaks: 'own-ai-phone/names-known-skills',
    what: 'The model invents the key of a skill.',
    build: asking(() => ({ executeSkills: ['towing-service'] })),
  },
  {
    name: 'phone-skill-id-made-up',
    breaks: 'own-ai-phone/names-known-skills',
    what: 'The ids of skills come from another assistant.',
    build: asking(() => ({ executeSkills: [990_001] })),
  },
  {
    name: 'phone-skill-not-offered',
    breaks: 'own-ai-phone/names-only-offered-skills',
    what: 'Skills are read from the configuration, even while they are not offered.',
    build: thinking((steps, text, { started }) => {
      const offered = new Set(started?.skills.map(({ key }) => key));
      const missing = setUp.skills.find(({ key }) => !offered.has(key));
      return text === callerSentences.skill && missing
        ? [...speak('I see to it.'), soon({ type: 'skill', executeSkills: [missing.key] })]
        : steps;
    }),
  },
  {
    name: 'phone-skill-twice',
    breaks: 'own-ai-phone/names-each-skill-once',
    what: 'The same skill is named twice in the list.',
    build: asking((call) => ({
      executeSkills: [...keysOf(call, 'alert').slice(0, 1), ...keysOf(call, 'alert').slice(0, 1)],
    })),
  },
  {
    name: 'phone-skill-by-key-and-id',
    breaks: 'own-ai-phone/names-each-skill-once',
    what: 'The same skill is named by its key and by its id.',
    build: asking(({ started }) => {
      const { key, id } = started?.skills.find(({ kind }) => kind === 'alert') ?? { key: 'urgent', id: 12 };
      return { executeSkills: [key, id] };
    }),
  },
];

/** Faults in the frames that the AI sends. */
export const phoneFrameMutants: readonly Mutant[] = [...anyFrame, ...textFrame, ...actionFrame, ...skillFrame];
