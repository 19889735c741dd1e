import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes for which calls break off or go wrong. */
export const phoneDialogueCauses = {
  'phone/closes-after-answer': {
    ...onThePhone,
    symptom: 'The call ends after the first answer.',
    summary: 'The connection is closed when an answer is complete, as after a request.',
    detection: 'Two calls are closed straight after the answer to their first sentence.',
    remediation: 'Keep the connection until session.ended comes or the service closes it; one call has many sentences.',
  },
  'phone/closes-when-quiet': {
    ...onThePhone,
    symptom: 'Calls break off when the caller thinks for a while.',
    summary: 'The connection is closed when nothing is said for a time, by the endpoint or a proxy before it.',
    detection: 'Two calls, one with a sentence half-way, are closed the same time after their last frame.',
    remediation:
      'Raise the idle timeout of the server and of every proxy and load balancer before it, or send WebSocket pings.',
  },
  'phone/closes-after-a-time': {
    ...onThePhone,
    symptom: 'Long calls break off, all at about the same length.',
    summary: 'The connection is closed at a certain age of the call.',
    detection: 'Two calls, one with a sentence half-way, are closed the same time after their beginning.',
    remediation:
      'Take the limit off the length of requests or connections: of the server, the platform and every proxy.',
  },
  'phone/hangs-up-without-action': {
    ...onThePhone,
    symptom: 'The caller leaves a message although the AI meant to end the call.',
    summary: 'The connection is closed to end a call, without an action before.',
    detection: 'At a sentence that makes the AI hang up two calls are closed and no action has come.',
    remediation: 'Send action end (or handover) with the last words, and let the service close the connection.',
  },
  'phone/closing-not-answered': {
    ...onThePhone,
    symptom: 'Connections of calls that are over stay in the endpoint.',
    summary: 'The endpoint does not answer when the service closes the connection.',
    detection: 'Several calls are closed as WebSocket does it, and each has to be cut.',
    remediation:
      'Let the WebSocket library answer the close frame: do not block its loop, and stop sending at session.ended.',
  },
  'phone/talks-after-end': {
    ...onThePhone,
    symptom: 'After the call the log shows more speech, and the model goes on.',
    summary: 'The endpoint goes on speaking after session.ended.',
    detection: 'A call ends in a long answer, twice, and pieces come on half a second later.',
    remediation: 'Cancel the running answer when session.ended comes, and throw away what is queued.',
  },
  'phone/language-not-taken': {
    ...onThePhone,
    symptom: 'Calls in one language fail and in another work.',
    summary: 'The endpoint does not take calls in one of the two languages.',
    detection: 'Of many changes to a call the language alone breaks it, beside a plain call that goes on.',
    remediation: 'Take de-DE and en-US, and fall back to one of them for any other value.',
  },
  'phone/no-skills-not-taken': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'Calls fail while no skill is allowed, such as outside of hours.',
    summary: 'The endpoint needs at least one skill in the list.',
    detection: 'Of many changes to a call the empty list alone breaks it, beside a plain call that goes on.',
    remediation:
      'Leave tools out of the request to the model when the list is empty; read no first item without looking.',
  },
  'phone/later-protocol-not-taken': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'Calls will fail when the next revision of the protocol comes.',
    summary: 'The endpoint compares the protocol revision and refuses any other.',
    detection: 'Of many changes to a call a later revision alone breaks it, beside a plain call that goes on.',
    remediation: 'Take any revision: unknown values are to be ignored.',
  },
  'phone/unknown-member-not-taken': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'Calls will fail when the service adds a field to a frame.',
    summary: 'The endpoint does not take frames with fields that it does not know.',
    detection: 'Of many changes to a call an unknown field alone breaks it, beside a plain call that goes on.',
    remediation: 'Let the parser ignore unknown fields (no strict mode, no additionalProperties false).',
  },
  'phone/unknown-value-not-taken': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'Calls fail at a value that is new.',
    summary: 'The endpoint does not take a value that is not in its list.',
    detection: 'Of many changes to a call an unknown value alone breaks it, beside a plain call that goes on.',
    remediation:
      'Read such values as text with a default for those that you do not know, and not as a closed enumeration.',
  },
  'phone/resumed-call-not-taken': {
    ...onThePhone,
    symptom: 'A call that comes back from the team fails.',
    summary: 'The endpoint does not take a call that comes back with resumed.',
    detection: 'A call with resumed breaks, twice, beside a plain call that goes on.',
    remediation:
      'Accept a session.started with resumed as any other: the caller is with the AI again. Treat the key of resumedAfter as a string that need not be among your skills.',
  },
  'phone/caller-name-not-taken': {
    ...onThePhone,
    symptom: 'Calls of some contacts fail.',
    summary: 'The endpoint does not take some names of contacts.',
    detection: 'Of many changes to a call the name alone breaks it, beside a plain call that goes on.',
    remediation:
      'Treat names as any Unicode text: UTF-8 throughout, no pasting into JSON or SQL by hand, no short column.',
  },
  'phone/large-id-not-taken': {
    ...onThePhone,
    symptom: 'Calls of new contacts fail.',
    summary: 'The endpoint does not take ids beyond 32 bits.',
    detection: 'Of many changes to a call a large id alone breaks it, beside a plain call that goes on.',
    remediation: 'Keep ids in 64 bits, or as text.',
  },
  'phone/unknown-frame-not-taken': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'Calls will fail when the service sends a new kind of frame.',
    summary: 'A frame of an unknown type breaks the call.',
    detection: 'Of many frames in a call one of an unknown type alone breaks it, beside a plain call that goes on.',
    remediation: 'Pass over frames whose type you do not know: a default branch that does nothing.',
  },
  'phone/key-not-taken': {
    ...onThePhone,
    symptom: 'Calls break when the caller presses a key.',
    summary: 'A dtmf frame breaks the call.',
    detection: 'Of many frames in a call one key alone breaks it, beside a plain call that goes on.',
    remediation: 'Take dtmf with any digit, star and hash as text, even if nothing is done about it.',
  },
  'phone/keys-in-a-row-not-taken': {
    ...onThePhone,
    symptom: 'Calls break when the caller presses several keys.',
    summary: 'Two keys in a row break the call, and one does not.',
    detection:
      'Of many frames in a call two keys together break it, and neither alone, beside a plain call that goes on.',
    remediation: 'Keep keys apart from sentences: whatever waits for more keys must not hold a prompt back.',
  },
  'phone/idle-interrupt-not-taken': {
    ...onThePhone,
    symptom: 'Calls break when the caller speaks after an answer has ended.',
    summary: 'An interrupt that comes while nothing is spoken breaks the call.',
    detection: 'Of many frames in a call an interrupt alone breaks it, beside a plain call that goes on.',
    remediation: 'Take an interrupt also when there is nothing to cancel.',
  },
  'phone/skill-result-not-taken': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'Calls break after a skill was used.',
    summary: 'A skill.result breaks the call.',
    detection: 'Of many frames in a call one result alone breaks it, beside a plain call that goes on.',
    remediation: 'Take a skill.result with ok true or false and any reason, or none.',
  },
  'phone/sentence-not-taken': {
    ...onThePhone,
    symptom: 'Calls break at some sentences.',
    summary: 'Some sentences of callers break the call.',
    detection:
      'An odd sentence is made plainer until the part is left that breaks the call, beside a plain call that goes on.',
    remediation:
      'Treat the sentence as any Unicode text: UTF-8 throughout, no pasting into JSON, and an error of the model must not end the call.',
  },
  'phone/frames-together-not-taken': {
    ...onThePhone,
    symptom: 'Calls break at times, and nobody knows at what.',
    summary: 'Several things together break a call, and none of them alone.',
    detection: 'Things that happen in a call are omitted until no more can go, beside a plain call that goes on.',
    remediation: 'Look for state that one of them leaves behind and the other does not expect.',
  },
  'phone/talks-on-at-interrupt': {
    ...onThePhone,
    symptom: 'The AI talks on when the caller speaks into its answer.',
    summary: 'The endpoint does not stop the old answer at an interrupt.',
    detection: 'A long answer is interrupted at its first piece, twice, and its pieces come on half a second later.',
    remediation: 'Cancel the running answer when interrupt comes, and throw away what is queued for sending.',
  },
  'phone/closes-at-interrupt': {
    ...onThePhone,
    symptom: 'The call ends when the caller speaks into an answer.',
    summary: 'An interrupt during an answer closes the connection.',
    detection: 'A long answer is interrupted at its first piece, twice, and the connection is closed.',
    remediation: 'Catch what the cancelled answer throws: being cancelled is not an error of the call.',
  },
  'phone/deaf-after-interrupt': {
    ...onThePhone,
    symptom: 'After speaking into an answer the caller hears nothing more.',
    summary: 'After an interrupt the next sentence is not answered.',
    detection: 'A long answer is interrupted, twice, and the sentence after it is not answered.',
    remediation: 'Take the mark of the interrupt back when the next prompt comes; tie a cancellation to one answer.',
  },
  'phone/old-answer-after-interrupt': {
    ...onThePhone,
    symptom: 'After speaking into an answer the caller hears the rest of the old one.',
    summary: 'The rest of the interrupted answer is spoken with the next one.',
    detection: 'A long answer is interrupted, twice, and words that it had still to say come in the next answer.',
    remediation: 'Empty the buffer of the old answer at the interrupt.',
  },
  'phone/answer-cut-after-interrupt': {
    ...onThePhone,
    symptom: 'After speaking into an answer the next one is cut off.',
    summary: 'The cancellation of an interrupt meets the next answer.',
    detection: 'A long answer is interrupted, twice, and the next answer begins and never ends.',
    remediation: 'Give each answer a cancellation of its own, and cancel the one that is running.',
  },
  'phone/sentence-in-answer-dropped': {
    ...onThePhone,
    symptom: 'What the caller says into an answer is lost.',
    summary: 'A sentence that comes while an answer is spoken is not answered.',
    detection: 'A sentence comes into a long answer, twice, and is not answered or ends the call.',
    remediation: 'Queue a prompt that comes during an answer, or cancel the answer for it.',
  },
  'phone/answers-to-another-call': {
    ...onThePhone,
    symptom: 'Callers hear answers to somebody else when two calls go on.',
    summary: 'With several calls at once answers go to the latest connection.',
    detection: 'Of two calls one speaks and only the other one hears the answer, twice, also with different contacts.',
    remediation: 'Keep the connection in an object of its call, and not in a variable of the process.',
  },
  'phone/answers-to-all-calls': {
    ...onThePhone,
    symptom: 'Callers hear answers to somebody else when two calls go on.',
    summary: 'With several calls at once each answer goes to all connections.',
    detection: 'Of two calls one speaks and both hear the answer, twice, also with different contacts.',
    remediation: 'Send to the connection of the call, and not to every connection of the server.',
  },
  'phone/calls-kept-by-contact': {
    ...onThePhone,
    symptom: 'Two calls of one contact at once are mixed up.',
    summary:
      'Calls are found by the contact, so that a second call of the same contact takes the answers of the first.',
    detection: 'Two calls of one contact are mixed up, twice, and two of different contacts are not.',
    remediation: 'Find a call by its callId or its connection.',
  },
  'phone/words-of-another-call': {
    ...onThePhone,
    symptom: 'A caller hears what another one has said.',
    summary: 'The dialogue of all calls is kept in one place.',
    detection: 'Two callers say a name each at the same time, twice, and one hears the name of the other.',
    remediation: 'Keep the history of each call in an object of its own.',
  },
  'phone/second-call-ends-first': {
    ...onThePhone,
    symptom: 'A call breaks off when the next one comes in.',
    summary: 'The endpoint holds one call, and a second one closes the first.',
    detection: 'While a call goes on a second one is begun, twice, and the first is closed.',
    remediation: 'Take as many calls as come; refuse the upgrade of those that are too many and keep the others.',
  },
  'phone/gone-after-connection-test': {
    ...onThePhone,
    symptom: 'After the test of the connection in the app no call is taken.',
    summary: 'A connection that is opened and closed without a frame takes the endpoint down.',
    detection: 'A connection is opened and closed, and the next call is not taken, nor a second later.',
    remediation:
      'Treat the end of a connection without session.started as usual; handle close before anything else was set up.',
  },
  'phone/gone-after-broken-call': {
    ...onThePhone,
    symptom: 'After a call that broke off no call is taken.',
    summary: 'A connection that breaks off takes the endpoint down.',
    detection: 'A call is reset or closed without session.ended, and the next call is not taken, nor a second later.',
    remediation: 'Handle the error event of each connection, and what sending to a closed one throws.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;
