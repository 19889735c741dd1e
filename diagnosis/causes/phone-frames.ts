import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes in the frames that an AI sends. */
export const phoneFrameCauses = {
  'phone/frames-not-json': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though the log shows answers.',
    summary: 'The endpoint sends plain text where a JSON object is expected.',
    detection: 'The frames that come after a prompt are no JSON object.',
    remediation: 'Send each piece as a JSON object with type, text and last, written by a JSON library.',
  },
  'phone/frames-double-encoded': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though the log shows answers.',
    summary: 'Frames are encoded as JSON twice, so that each is a text and no object.',
    detection: 'The frames that come are JSON texts, and what stands in them is a JSON object.',
    remediation: 'Encode each frame once: a library that takes an object encodes it itself.',
  },
  'phone/several-objects-in-a-frame': {
    ...onThePhone,
    symptom: 'The caller hears nothing or only parts, though the log shows answers.',
    summary: 'Several objects are sent in one frame, as a list or line by line.',
    detection: 'A frame that comes is a list, or parses only line by line.',
    remediation: 'Send each object in a WebSocket frame of its own.',
  },
  'phone/sends-audio': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though the log shows that speech was sent.',
    summary: 'The endpoint sends binary data, as if the service took audio.',
    detection: 'Binary frames come that are no JSON.',
    remediation: 'Send the words as text frames; the service speaks them with the voice that is set for the assistant.',
  },
  'phone/binary-frames': {
    ...onThePhone,
    symptom: 'Everything seems right, and the interface does not say that it is read.',
    summary: 'JSON is sent in binary frames.',
    detection: 'The frames that come are JSON and binary.',
    remediation: 'Hand a string and not bytes to the WebSocket library, so that frames are text.',
  },
  'phone/frame-too-large': {
    ...onThePhone,
    section: 'Limits',
    symptom: 'The call breaks off when the AI says much.',
    summary: 'A frame is over the size at which the service ends the connection.',
    detection: 'A frame of more bytes than the limit comes.',
    remediation: 'Send long answers in pieces, and omit of frames what the service does not read.',
  },
  'phone/frame-type-unknown': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though the log shows answers.',
    summary: 'The frames of the endpoint have a type that the service does not know.',
    detection: 'Frames come after a prompt whose type is none of text, action and skill.',
    remediation: 'Write "type": "text" in pieces of speech, in lower case; action and skill are the others.',
  },
  'phone/words-under-another-member': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though the log shows answers.',
    summary: 'Text frames have their words under another name than text.',
    detection: 'Text frames come without text or token, and another field has words.',
    remediation: 'Put the words into text; token is taken as well, and no other name.',
  },
  'phone/text-not-a-string': {
    ...onThePhone,
    symptom: 'The caller hears nothing or only parts.',
    summary: 'The text of text frames is not a string.',
    detection: 'Text frames come whose text is a number, a list or an object.',
    remediation: 'Write text as a JSON string, one piece at a time.',
  },
  'phone/answers-are-empty': {
    ...onThePhone,
    symptom: 'The caller hears nothing, though each prompt is answered.',
    summary: 'Answers are closed without a word in them.',
    detection: 'Pieces with last true come, and no piece has words.',
    remediation:
      "Look at which field of the model's answer the words are read from; each provider names it differently.",
  },
  'phone/last-not-boolean': {
    ...onThePhone,
    symptom: 'The first answer is heard, and the call hangs after it.',
    summary: 'The field last is a text or a number, which closes nothing.',
    detection: 'Text frames come whose last is neither true nor false.',
    remediation: 'Write last as the JSON value true or false, without quotation marks.',
  },
  'phone/last-under-another-member': {
    ...onThePhone,
    symptom: 'The first answer is heard, and the call hangs after it.',
    summary: 'The last piece of an answer is marked under another name than last.',
    detection: 'No piece has last true, and the final piece of each answer has another field that is true.',
    remediation: 'Write "last": true in the final piece of each answer.',
  },
  'phone/answers-not-closed': {
    ...onThePhone,
    symptom: 'The first answer is heard, and the call hangs after it.',
    summary: 'No piece of an answer has last true.',
    detection: 'Answers of two calls are heard until nothing more comes, and no piece closes them.',
    remediation:
      'Send last true with the final piece, or an empty piece with last true when the stream of the model has ended.',
  },
  'phone/speaks-first': {
    ...onThePhone,
    symptom: 'The caller is greeted twice.',
    summary: 'The endpoint speaks before the first sentence, though the service greets.',
    detection: 'Speech comes after session.started before any prompt.',
    remediation: 'Say nothing until the first prompt; only a call with resumed may be spoken to at once.',
  },
  'phone/action-unknown': {
    ...onThePhone,
    symptom: 'The AI says that it hands over or ends, and nothing happens.',
    summary: 'The endpoint sends an action that the service does not know.',
    detection: 'An action frame comes whose action is neither end nor handover.',
    remediation: 'Send action end or handover; for anything else use a skill that is offered.',
  },
  'phone/skill-frame-empty': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'The AI says that it uses a skill, and nothing happens.',
    summary: 'A skill frame names no skill.',
    detection: 'A skill frame comes without keys in executeSkills and without key.',
    remediation: 'Name the skill in executeSkills, as a list of keys or ids, or one in key.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;
