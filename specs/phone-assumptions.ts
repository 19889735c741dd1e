import type { Assumption } from './assumption.ts';

/** What the interface leaves open about calls of an own AI. */
export const phoneAssumptions = {
  'phone-frame-types': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The type field of frames other than the skill frame, the only one that is written with it.',
    weDo: 'Sends the name of each frame as its type; a frame of the AI without one is recognised by its fields.',
  },
  'phone-frame-form': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether frames go as text or binary messages of the WebSocket.',
    weDo: 'Sends text; a binary frame of the AI is read as if it were text.',
    advises: ['own-ai-phone/frame-is-text'],
  },
  'phone-websocket-options': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether compression or a subprotocol is offered at the upgrade.',
    weDo: 'Offers neither, sends no WebSocket pings, and answers those of the AI.',
  },
  'phone-frame-size': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What is measured when a frame comes in several WebSocket fragments.',
    weDo: 'Counts the bytes of the whole message.',
  },
  'phone-close-codes': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The codes with which the service closes a connection.',
    weDo: 'Closes with 1000, and with 1009 after a frame over 64 KB; any code of the AI is taken.',
  },
  'phone-first-frame': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether session.started comes at once and before every other frame.',
    weDo: 'Sends it first, as soon as the connection stands.',
  },
  'call-ids': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The forms of callId and callSid.',
    weDo: 'Sends 32 hex digits that cannot be guessed as callId, and CA with 32 hex digits as callSid.',
  },
  'call-numbers': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'How from and to are written, and what from is when the caller hides the number.',
    weDo: 'Sends numbers in international form, as elsewhere, and always one.',
  },
  'call-contact-name': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What stands for the name of a contact that has none.',
    weDo: 'The simulated service sends the number.',
  },
  'call-text-bounds': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Lengths of what a caller says.',
    weDo: 'Sends sentences of 1 to 60 characters.',
  },
  'dtmf-digits': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The values of digit.',
    weDo: 'Sends one of 0 to 9, * and #, as a text.',
  },
  'interrupt-text': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What spokenUntilInterrupt measures: text, characters or time.',
    weDo: 'Sends the text that was heard, empty when it was nothing.',
  },
  'phone-waiting-time': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'How long the service waits for an answer, or for the next piece of one.',
    weDo: 'Takes timeoutSeconds as a recommendation for the first piece and gives up after the longest time that it can be set to.',
  },
  'phone-members-missing': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What a missing or null field of a frame of the AI means.',
    weDo: 'Reads both as not given; a missing last is false.',
    advises: ['own-ai-phone/no-null-members'],
  },
  'phone-two-texts': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Which counts when a text frame has both text and token.',
    weDo: 'Takes text.',
  },
  'resumed-call': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether a resumed call keeps its callId, and whether it comes on a new connection.',
    weDo: 'Opens a new connection with the same callId, and tries one with a new callId before anything is held against the endpoint.',
  },
  'resumed-after': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The key and reason in resumedAfter when a team member took the call over and nobody picked up.',
    weDo: 'Sends the key takeover and the reason no-answer; after a forward, the key of that skill.',
  },
  'skill-result-key': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The key in the result of a skill that was named by id or is not known.',
    weDo: 'Sends the key of the skill, or what the AI named, as a text, when there is none.',
  },
  'skill-result-order': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Order and time of the results of several skills.',
    weDo: 'Sends them at once, alerts first, as they run.',
  },
  'skills-beyond-five': {
    section: 'Skills as tools',
    notShown: 'What becomes of a sixth skill on the phone.',
    weDo: 'Refuses those after the fifth with not-allowed.',
  },
  'forward-on-the-phone': {
    section: 'Skills as tools',
    notShown: 'What the AI sees of a call that is put through.',
    weDo: 'Sends the result, then session.ended, and closes.',
  },
  'phone-test-frames': {
    section: 'API v1',
    notShown: 'Whether the connection test sends frames between opening and closing.',
    weDo: 'Sends none.',
  },
} as const satisfies Record<string, Assumption>;
