import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes in the frames that the endpoint sends. */
export const phoneFrameCauses = {
  'phone/frames-not-json': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although the log shows answers.',
    summary: 'The endpoint sends plain text instead of a JSON object.',
    detection: 'The frames that follow a prompt are not JSON objects.',
    remediation: 'Send each piece as a JSON object with type, text and last, written by a JSON library.',
  },
  'phone/frames-double-encoded': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although the log shows answers.',
    summary: 'The endpoint encodes frames as JSON twice, so each is a string instead of an object.',
    detection: 'The received frames are JSON strings that contain a JSON object.',
    remediation: 'Encode each frame once: a library that accepts an object encodes it itself.',
  },
  'phone/several-objects-in-a-frame': {
    ...onThePhone,
    symptom: 'The caller hears nothing or only parts, although the log shows answers.',
    summary: 'The endpoint sends several objects in one frame, as a list or one per line.',
    detection: 'A received frame is a list, or parses only line by line.',
    remediation: 'Send each object in a separate WebSocket frame.',
  },
  'phone/sends-audio': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although the log shows that speech was sent.',
    summary: 'The endpoint sends binary data, as if the service accepted audio.',
    detection: 'The received frames are binary and not JSON.',
    remediation:
      'Send the words as text frames; the service speaks them with the voice that is configured for the assistant.',
  },
  'phone/binary-frames': {
    ...onThePhone,
    symptom: 'Everything seems to work, but the interface does not guarantee that the service reads these frames.',
    summary: 'The endpoint sends JSON in binary frames.',
    detection: 'The received frames are binary and contain JSON.',
    remediation: 'Pass a string instead of bytes to the WebSocket library, so that it sends text frames.',
  },
  'phone/frame-too-large': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The call is cut off when the AI gives a long answer.',
    summary: 'The endpoint sends a frame that exceeds the size at which the service ends the connection.',
    detection: 'A received frame has more bytes than the limit.',
    remediation: 'Send long answers in pieces, and omit fields that the service does not read.',
  },
  'phone/frame-type-unknown': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although the log shows answers.',
    summary: 'The endpoint sends frames of a type that the service does not know.',
    detection: 'The type of the frames that follow a prompt is not text, action or skill.',
    remediation: 'Write "type": "text", in lower case, in pieces of speech; the other types are action and skill.',
  },
  'phone/words-under-another-field': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although the log shows answers.',
    summary: 'The endpoint sends text frames with the words in a field other than text.',
    detection: 'The received text frames have neither text nor token, and another field contains words.',
    remediation: 'Put the words into text; the service also accepts token, but no other name.',
  },
  'phone/text-not-a-string': {
    ...onThePhone,
    symptom: 'The caller hears nothing or only parts.',
    summary: 'The endpoint sends text frames in which text is not a string.',
    detection: 'In the received text frames, text is a number, a list or an object.',
    remediation: 'Write text as a JSON string, one piece at a time.',
  },
  'phone/answers-are-empty': {
    ...onThePhone,
    symptom: 'The caller hears nothing, although each prompt is answered.',
    summary: 'The endpoint ends its answers without sending any words.',
    detection: 'Pieces with last true arrive, but no piece has words.',
    remediation: "Check which field of the model's output your code reads; each provider names it differently.",
  },
  'phone/last-not-boolean': {
    ...onThePhone,
    symptom: 'The caller hears the first answer, and the call hangs after it.',
    summary: 'The endpoint sends last as a string or a number, which does not end the answer.',
    detection: 'In the received text frames, last is neither true nor false.',
    remediation: 'Write last as the JSON value true or false, without quotation marks.',
  },
  'phone/last-under-another-field': {
    ...onThePhone,
    symptom: 'The caller hears the first answer, and the call hangs after it.',
    summary: 'The endpoint marks the last piece of an answer in a field other than last.',
    detection: 'No piece has last true, but the final piece of each answer has another field that is true.',
    remediation: 'Write "last": true in the final piece of each answer.',
  },
  'phone/answers-not-closed': {
    ...onThePhone,
    symptom: 'The caller hears the first answer, and the call hangs after it.',
    summary: 'The endpoint sends no piece with last true, so its answers never end.',
    detection: 'In two calls, the answers are read until nothing more arrives, and no piece has last true.',
    remediation:
      'Send last true with the final piece, or an empty piece with last true when the stream of the model has ended.',
  },
  'phone/speaks-first': {
    ...onThePhone,
    symptom: 'The caller is greeted twice.',
    summary: 'The endpoint speaks before the first sentence, although the service greets the caller.',
    detection: 'Speech arrives after session.started and before any prompt.',
    remediation: 'Send no text until the first prompt; only a call with resumed may begin with speech.',
  },
  'phone/action-unknown': {
    ...onThePhone,
    symptom: 'The AI says that it hands over or ends the call, but nothing happens.',
    summary: 'The endpoint sends an action that the service does not know.',
    detection: 'An action frame arrives whose action is neither end nor handover.',
    remediation: 'Send the action end or handover; for anything else, use an offered skill.',
  },
  'phone/skill-frame-empty': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'The AI says that it uses a skill, but nothing happens.',
    summary: 'The endpoint sends a skill frame that names no skill.',
    detection: 'A skill frame arrives without keys in executeSkills and without key.',
    remediation: 'Name the skill in executeSkills, as a list of keys or ids, or a single skill in key.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;
