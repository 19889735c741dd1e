import type { Assumption } from './assumption.ts';

/** Points that the interface leaves open about the calls of an own AI. */
export const phoneAssumptions = {
  'phone-frame-types': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The type field of frames other than the skill frame, the only one shown with it.',
    weDo: 'Sends the name of each frame as its type; recognises a frame of the AI without a type by its fields.',
  },
  'phone-frame-form': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether frames are text or binary WebSocket messages.',
    weDo: 'Sends text; reads a binary frame of the AI as if it were text.',
    advises: ['own-ai-phone/frame-is-text'],
  },
  'phone-websocket-options': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether compression or a subprotocol is offered at the upgrade.',
    weDo: 'Offers neither, sends no WebSocket pings, and answers those of the AI.',
  },
  'phone-frame-size': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'How the size of a frame in several WebSocket fragments is measured.',
    weDo: 'Counts the bytes of the whole message.',
  },
  'phone-close-codes': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The codes with which the service closes a connection.',
    weDo: 'Closes with 1000, and with 1009 after a frame over 64 KB; accepts any code from the AI.',
  },
  'phone-first-frame': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether session.started is sent at once and before every other frame.',
    weDo: 'Sends it first, as soon as the connection is open.',
  },
  'call-ids': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The forms of callId and callSid.',
    weDo: 'Sends 32 hex digits that cannot be guessed as callId, and CA with 32 hex digits as callSid.',
  },
  'call-numbers': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The form of from and to, and the value of from when the caller hides the number.',
    weDo: 'Always sends a number, in international form as elsewhere.',
  },
  'call-contact-name': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The contact name when the contact has none.',
    weDo: 'The simulated service sends the number.',
  },
  'call-text-bounds': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: "The length limits of a caller's sentence.",
    weDo: 'Sends sentences of 1 to 60 characters.',
  },
  'dtmf-digits': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The values of digit.',
    weDo: 'Sends one of 0 to 9, * and #, as a string.',
  },
  'interrupt-text': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What spokenUntilInterrupt measures: text, characters or time.',
    weDo: 'Sends the text that the caller heard, which may be empty.',
  },
  'phone-waiting-time': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'How long the service waits for an answer, or for its next piece.',
    weDo: 'Treats timeoutSeconds as a recommendation for the first piece and gives up after its largest allowed value.',
  },
  'phone-members-missing': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'What a missing or null field of a frame of the AI means.',
    weDo: 'Reads both as not given; reads a missing last as false.',
    advises: ['own-ai-phone/no-null-members'],
  },
  'phone-two-texts': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Which field is used when a text frame has both text and token.',
    weDo: 'Uses text.',
  },
  'resumed-call': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'Whether a resumed call keeps its callId, and whether it uses a new connection.',
    weDo: 'Opens a new connection with the same ids, and tries a new callId before it reports a failure.',
  },
  'resumed-after': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The key and reason in resumedAfter when a team member took the call over but did not pick up.',
    weDo: 'Sends the key takeover and the reason no-answer; after a forward, the key of that skill.',
  },
  'skill-result-key': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The key in the result of a skill that was requested by id or is unknown.',
    weDo: 'Sends the key of the skill or, for an unknown skill, the value from the AI as a string.',
  },
  'skill-result-order': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    notShown: 'The order and time of the results of several skills.',
    weDo: 'Sends each as soon as the skill has run, alerts first.',
  },
  'skills-beyond-five': {
    section: 'Skills as tools',
    notShown: 'How a sixth skill on the phone is treated.',
    weDo: 'Refuses those after the fifth with not-allowed.',
  },
  'forward-on-the-phone': {
    section: 'Skills as tools',
    notShown: 'Which frames the AI receives when a call is put through.',
    weDo: 'Sends the skill result, then session.ended, and closes the connection.',
  },
  'phone-test-frames': {
    section: 'API v1',
    notShown: 'Whether the connection test sends frames between opening and closing.',
    weDo: 'Sends none.',
  },
} as const satisfies Record<string, Assumption>;
