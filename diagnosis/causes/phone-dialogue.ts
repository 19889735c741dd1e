import type { Cause } from '../cause.ts';

const onThePhone = {
  surfaces: ['own-ai-phone'],
  section: 'Own-AI phone frames (JSON over WebSocket)',
  snippet: 'stream-phone-answers',
} as const;

/** Causes of calls that are cut off or go wrong. */
export const phoneDialogueCauses = {
  'phone/closes-after-answer': {
    ...onThePhone,
    symptom: 'The call ends after the first answer.',
    summary: 'The endpoint closes the connection after an answer, as if it were an HTTP request.',
    detection: 'Two calls close right after the answer to their first sentence.',
    remediation:
      'Keep the connection open until session.ended arrives or the service closes it; a call has many sentences.',
  },
  'phone/closes-when-quiet': {
    ...onThePhone,
    symptom: 'Calls are cut off when the caller thinks for a while.',
    summary: 'The endpoint or a proxy in front of it closes the connection when it is idle for some time.',
    detection:
      'Two calls, one with an additional sentence in the middle, close after the same period of silence since their last frame.',
    remediation:
      'Raise the idle timeout of the server and of every proxy and load balancer in front of it, or send WebSocket pings.',
  },
  'phone/closes-after-a-time': {
    ...onThePhone,
    symptom: 'Long calls are cut off, all after about the same time.',
    summary: 'The endpoint or a proxy in front of it closes the connection at a certain age of the call.',
    detection: 'Two calls, one with an additional sentence in the middle, close at the same age.',
    remediation: 'Remove the duration limit for requests or connections in the server, the platform and every proxy.',
  },
  'phone/hangs-up-without-action': {
    ...onThePhone,
    symptom: 'The caller leaves a message, although the AI meant to end the call.',
    summary: 'The endpoint ends a call by closing the connection, without sending an action first.',
    detection: 'After a sentence that makes the AI hang up, two calls close without an action.',
    remediation: 'Send the action end (or handover) with the last words, and let the service close the connection.',
  },
  'phone/closing-not-answered': {
    ...onThePhone,
    symptom: 'Connections of finished calls remain open in the endpoint.',
    summary: 'The endpoint does not answer when the service closes the connection.',
    detection:
      'Several calls are closed with a WebSocket close frame, and each connection must be terminated by force.',
    remediation:
      'Let the WebSocket library answer the close frame: do not block its loop, and stop sending at session.ended.',
  },
  'phone/talks-after-end': {
    ...onThePhone,
    symptom: 'The log shows speech after the end of the call, and the model continues.',
    summary: 'The endpoint continues to speak after session.ended.',
    detection: 'A call ends during a long answer, twice, and pieces still arrive half a second later.',
    remediation: 'Cancel the running answer when session.ended arrives, and discard queued frames.',
  },
  'phone/language-not-handled': {
    ...onThePhone,
    symptom: 'Calls in one language fail, while calls in another work.',
    summary: 'The endpoint fails on calls in one of the two languages.',
    detection: 'Of many changes to a call, the language alone makes it fail, while a plain call continues.',
    remediation: 'Accept de-DE and en-US, and fall back to one of them for any other value.',
  },
  'phone/no-skills-not-handled': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'Calls fail while no skill is allowed, for example outside business hours.',
    summary: 'The endpoint fails on calls without skills.',
    detection: 'Of many changes to a call, the empty list of skills alone makes it fail, while a plain call continues.',
    remediation:
      'Omit the tools from the request to the model if the list is empty; check the length before you read the first item.',
  },
  'phone/later-protocol-not-handled': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'No visible effect yet; calls will fail with the next revision of the protocol.',
    summary: 'The endpoint checks the protocol revision and rejects any other.',
    detection: 'Of many changes to a call, a later revision alone makes it fail, while a plain call continues.',
    remediation: 'Accept any revision: unknown values must be ignored.',
  },
  'phone/unknown-field-not-handled': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'No visible effect yet; calls will fail when the service adds a field to a frame.',
    summary: 'The endpoint fails on frames with unknown fields.',
    detection: 'Of many changes to a call, an unknown field alone makes it fail, while a plain call continues.',
    remediation: 'Configure the parser to ignore unknown fields (no strict mode, no additionalProperties false).',
  },
  'phone/unknown-value-not-handled': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'Calls fail when a field has a new value.',
    summary: 'The endpoint fails on a value that is not in its list.',
    detection: 'Of many changes to a call, an unknown value alone makes it fail, while a plain call continues.',
    remediation: 'Read such values as strings with a default for unknown ones, instead of a closed enumeration.',
  },
  'phone/resumed-call-not-handled': {
    ...onThePhone,
    symptom: 'A call that returns from the team fails.',
    summary: 'The endpoint fails on calls that return with resumed.',
    detection: 'A call with resumed fails, twice, while a plain call continues.',
    remediation:
      'Accept a session.started with resumed like any other: the caller is back with the AI. Treat the key of resumedAfter as a string that may not be one of your skills.',
  },
  'phone/caller-name-not-handled': {
    ...onThePhone,
    symptom: 'Calls of some contacts fail.',
    summary: 'The endpoint fails on some names of contacts.',
    detection: 'Of many changes to a call, the name alone makes it fail, while a plain call continues.',
    remediation:
      'Treat names as arbitrary Unicode strings: use UTF-8 throughout, do not concatenate names into JSON or SQL, and check for short database columns.',
  },
  'phone/large-id-not-handled': {
    ...onThePhone,
    symptom: 'Calls of new contacts fail.',
    summary: 'The endpoint fails on ids that do not fit into 32 bits.',
    detection: 'Of many changes to a call, a large id alone makes it fail, while a plain call continues.',
    remediation: 'Store ids in 64 bits, or as strings.',
  },
  'phone/unknown-frame-not-handled': {
    ...onThePhone,
    section: 'Versioning',
    symptom: 'No visible effect yet; calls will fail when the service sends a new type of frame.',
    summary: 'The endpoint fails on a frame of an unknown type.',
    detection: 'Of many frames in a call, one of an unknown type alone makes it fail, while a plain call continues.',
    remediation: 'Ignore frames of an unknown type: add a default branch that does nothing.',
  },
  'phone/key-not-handled': {
    ...onThePhone,
    symptom: 'Calls fail when the caller presses a key.',
    summary: 'The endpoint fails on a dtmf frame.',
    detection: 'Of many frames in a call, one key alone makes it fail, while a plain call continues.',
    remediation: 'Accept dtmf with any digit, star and hash as a string, even if you do not use it.',
  },
  'phone/keys-in-a-row-not-handled': {
    ...onThePhone,
    symptom: 'Calls fail when the caller presses several keys.',
    summary: 'The endpoint fails on two keys in a row, but not on one.',
    detection:
      'Of many frames in a call, two keys together make it fail, and neither alone does, while a plain call continues.',
    remediation: 'Handle keys separately from sentences: code that waits for more keys must not delay a prompt.',
  },
  'phone/idle-interrupt-not-handled': {
    ...onThePhone,
    symptom: 'Calls fail when the caller speaks after an answer has ended.',
    summary: 'The endpoint fails on an interrupt that arrives while it does not speak.',
    detection: 'Of many frames in a call, an interrupt alone makes it fail, while a plain call continues.',
    remediation: 'Accept an interrupt even if there is no answer to cancel.',
  },
  'phone/skill-result-not-handled': {
    ...onThePhone,
    section: 'Skills as tools',
    symptom: 'Calls fail after a skill was used.',
    summary: 'The endpoint fails on a skill.result frame.',
    detection: 'Of many frames in a call, one result alone makes it fail, while a plain call continues.',
    remediation: 'Accept a skill.result with ok true or false and any reason, or none.',
  },
  'phone/sentence-not-handled': {
    ...onThePhone,
    symptom: 'Calls fail at some sentences.',
    summary: 'The endpoint fails on some sentences of callers.',
    detection:
      'An unusual sentence is simplified until only the part remains that makes the call fail, while a plain call continues.',
    remediation:
      'Treat the sentence as an arbitrary Unicode string: use UTF-8 throughout, do not concatenate it into JSON, and do not end the call when the model reports an error.',
  },
  'phone/frames-together-not-handled': {
    ...onThePhone,
    symptom: 'Calls fail occasionally, without an obvious reason.',
    summary: 'The endpoint fails on a combination of events in a call, but on none of them alone.',
    detection:
      'Events of a failing call are omitted one by one until the call no longer fails without any of the rest, while a plain call continues.',
    remediation: 'Look for state that one of them leaves behind and the other does not expect.',
  },
  'phone/talks-on-at-interrupt': {
    ...onThePhone,
    symptom: 'The AI continues to talk when the caller interrupts its answer.',
    summary: 'The endpoint does not stop the old answer at an interrupt.',
    detection:
      'A long answer is interrupted at its first piece, twice, and its pieces still arrive half a second later.',
    remediation: 'Cancel the running answer when an interrupt arrives, and discard queued frames.',
  },
  'phone/closes-at-interrupt': {
    ...onThePhone,
    symptom: 'The call ends when the caller interrupts an answer.',
    summary: 'The endpoint closes the connection at an interrupt during an answer.',
    detection: 'A long answer is interrupted at its first piece, twice, and the connection closes.',
    remediation: 'Catch the exception of the cancelled answer: a cancellation is not an error of the call.',
  },
  'phone/deaf-after-interrupt': {
    ...onThePhone,
    symptom: 'After interrupting an answer, the caller hears nothing more.',
    summary: 'The endpoint does not answer the next sentence after an interrupt.',
    detection: 'A long answer is interrupted, twice, and the sentence after it is not answered.',
    remediation: 'Reset the interrupt flag when the next prompt arrives; tie each cancellation to one answer.',
  },
  'phone/old-answer-after-interrupt': {
    ...onThePhone,
    symptom: 'After interrupting an answer, the caller hears the rest of the old one.',
    summary: 'The endpoint speaks the rest of the interrupted answer together with the next one.',
    detection: 'A long answer is interrupted, twice, and its remaining words arrive in the next answer.',
    remediation: 'Clear the buffer of the old answer at the interrupt.',
  },
  'phone/answer-cut-after-interrupt': {
    ...onThePhone,
    symptom: 'After the caller interrupts an answer, the next one is cut off.',
    summary: 'The endpoint applies the cancellation of an interrupt to the next answer.',
    detection: 'A long answer is interrupted, twice, and the next answer begins but never ends.',
    remediation: 'Give each answer its own cancellation, and cancel only the running one.',
  },
  'phone/sentence-in-answer-dropped': {
    ...onThePhone,
    symptom: 'A sentence that the caller says during an answer is lost.',
    summary: 'The endpoint does not answer a sentence that arrives during an answer.',
    detection: 'A sentence is sent during a long answer, twice, and is not answered or ends the call.',
    remediation: 'Queue a prompt that arrives during an answer, or cancel the answer for it.',
  },
  'phone/answers-to-another-call': {
    ...onThePhone,
    symptom: 'With two calls at once, callers hear answers meant for the other caller.',
    summary: 'The endpoint sends the answers of simultaneous calls to the latest connection.',
    detection: 'Of two calls, one speaks and only the other hears the answer, twice, even with different contacts.',
    remediation: 'Keep the connection in an object per call, not in a variable of the process.',
  },
  'phone/answers-to-all-calls': {
    ...onThePhone,
    symptom: 'With two calls at once, callers also hear answers meant for the other caller.',
    summary: 'The endpoint sends each answer to the connections of all calls.',
    detection: 'Of two calls, one speaks and both hear the answer, twice, even with different contacts.',
    remediation: 'Send to the connection of the call, not to every connection of the server.',
  },
  'phone/calls-kept-by-contact': {
    ...onThePhone,
    symptom: 'Two simultaneous calls of one contact are mixed up.',
    summary:
      'The endpoint identifies calls by their contact, so a second call of the same contact gets the answers of the first.',
    detection: 'Two calls of one contact are mixed up, twice, and two calls of different contacts are not.',
    remediation: 'Identify a call by its callId or its connection.',
  },
  'phone/words-of-another-call': {
    ...onThePhone,
    symptom: 'A caller hears the words of another caller.',
    summary: 'The endpoint keeps the history of all calls in one place.',
    detection: 'Two callers each say a name at the same time, twice, and one hears the name of the other.',
    remediation: 'Keep the history of each call in a separate object.',
  },
  'phone/second-call-ends-first': {
    ...onThePhone,
    symptom: 'A call is cut off when the next one arrives.',
    summary: 'The endpoint supports only one call, and a second one closes the first.',
    detection: 'A second call starts during a first one, twice, and the first one closes.',
    remediation: 'Accept calls in parallel; if there are too many, reject new upgrades and keep the running calls.',
  },
  'phone/gone-after-connection-test': {
    ...onThePhone,
    symptom: 'After the connection test in the app, the endpoint accepts no calls.',
    summary: 'The endpoint stops accepting calls after a connection is opened and closed without a frame.',
    detection: 'A connection is opened and closed, and the next call is not accepted, not even a second later.',
    remediation:
      'Treat the end of a connection without session.started as normal; handle close before any other setup.',
  },
  'phone/gone-after-broken-call': {
    ...onThePhone,
    symptom: 'After a call that was cut off, the endpoint accepts no calls.',
    summary: 'The endpoint stops accepting calls after a connection is lost.',
    detection:
      'A call is reset or closed without session.ended, and the next call is not accepted, not even a second later.',
    remediation: 'Handle the error event of each connection, and exceptions from sending to a closed connection.',
  },
} as const satisfies Record<`phone/${string}`, Cause>;
