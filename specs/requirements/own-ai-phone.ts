import { ownAiPhoneFrames } from './own-ai-phone-frames.ts';
import { ownAiPhoneUpgrade } from './own-ai-phone-upgrade.ts';
import type { Requirement } from './requirement.ts';

/**
 * Requirements on the AI during a call. Of the interface's limits on waiting, only the 5 seconds for the set-up are
 * stated for a call. `timeoutSeconds` belongs to the assistant and is not said to apply on the phone, so exceeding it
 * warns. For everything else no time is stated: being late is not a failure, and an answer that never comes is
 * reported after the longest timeout of an own AI: 30 seconds, the maximum of `timeoutSeconds`.
 */
const session = {
  'own-ai-phone/answers-a-prompt': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'The AI answers sentences of callers, by speech, an action or a skill: an AI that answers none in the whole run fails. The interface states no limit for an answer, so the check waits for the longest timeout that an own AI can have: 30 seconds.',
    remediation:
      'Answer prompt frames with at least one frame of type text, action or skill. When your AI fails, catch it and say so to the caller or send the action handover; otherwise the caller hears nothing.',
  },
  'own-ai-phone/answers-the-first-prompt': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'The first sentence of a call is answered as later ones are. The interface does not say that each sentence has an answer, so a lost one is only a warning.',
    remediation: 'Queue the frames that arrive while the AI of a call is set up, and answer them when it is ready.',
  },
  'own-ai-phone/speaks-to-the-caller': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'An AI for which stimuli.phone.answer is configured answers at least one sentence of the run by speech, not only by actions and skills without words.',
    remediation:
      'Send the words of your AI in the field text of a text frame, and configure a sentence that the AI answers by speech.',
  },
  'own-ai-phone/first-piece-within-timeout': {
    section: 'Limits',
    probe: 'dialogue',
    level: 'should',
    statement:
      'The first piece of an answer comes within the timeoutSeconds of the assistant. The interface does not say that this time applies to calls, so a later piece is only a warning.',
    remediation:
      'Stream: send the first words in a frame as soon as the AI has them, and give long lookups a short sentence first. Limit the time of the AI and hand over when it runs out.',
  },
  'own-ai-phone/closes-each-answer': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'Speech that answers a sentence is closed by a piece with last true; a piece without last leaves it open. The interface sets no time limit for this piece; after 30 seconds without a further piece, it counts as missing.',
    remediation:
      'Send last true with the final piece, or a final empty piece with last true when the stream of the AI ends without a marker. Do it also when the stream breaks off.',
  },
  'own-ai-phone/pieces-hold-whole-characters': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'A piece of speech neither begins nor ends within a character: no two pieces have U+FFFD, or the halves of a surrogate pair, at their border.',
    remediation:
      'Divide the text of an answer between characters, not after a number of bytes or UTF-16 units. Read the stream of the AI with a decoder that keeps the beginning of a character until its end has come (TextDecoder with stream true, an incremental decoder).',
  },
  'own-ai-phone/answers-later-prompts': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'The later sentences of a call, up to the tenth, are answered like the first one.',
    remediation:
      'Keep reading frames after the first answer, reset what belongs to one answer, and shorten the dialogue that you send to the AI when it grows.',
  },
  'own-ai-phone/answers-in-each-language': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'Calls in both languages, de-DE and en-US, are answered.',
    remediation:
      'Read language from session.started and map both values, with their region, to values that your AI accepts; fall back to one of them rather than fail.',
  },
  'own-ai-phone/accepts-call-without-skills': {
    section: 'Skill (attached to an assistant)',
    probe: 'dialogue',
    level: 'must',
    statement: 'A call whose list of skills is empty is answered, as only those allowed at the moment are listed.',
    remediation:
      'Give the AI no tools when skills is empty, and do not take its first entry for granted. Some AI interfaces refuse an empty list of tools: omit the field then.',
  },
  'own-ai-phone/accepts-any-call': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'Any session.started that fits the documented shape is accepted, and the call continues.',
    remediation:
      'Inspect the smallest session.started in the report: the difference from an accepted one is what your model or text handling does not support.',
  },
  'own-ai-phone/accepts-extreme-call-values': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'advice',
    statement:
      'Long strings and large ids in session.started are accepted like others, since the interface states no limit.',
    remediation:
      'Accept strings of any length and whole numbers up to 2^53-1, or cut long strings where you store them; the smallest session.started in the report shows the field that is too small.',
  },
  'own-ai-phone/survives-any-sentence': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'After any sentence of usual length, however odd, the call continues and a plain sentence is answered.',
    remediation:
      'Treat prompts as data: catch errors of one answer where it is made, and let no sentence end the loop that reads frames. Start with the shortest sentence in the report.',
  },
  'own-ai-phone/accepts-later-protocol-revision': {
    section: 'Versioning',
    probe: 'dialogue',
    level: 'must',
    statement: 'A call of a protocol revision that the receiver does not know is accepted and answered.',
    remediation: 'Do not compare protocol or X-Svc-Agent-Protocol with a fixed value; at most write a log line.',
  },
  'own-ai-phone/ignores-unknown-members': {
    section: 'Versioning',
    probe: 'dialogue',
    level: 'must',
    statement: 'Fields that the receiver does not know are ignored wherever they occur in a frame.',
    remediation: 'Switch off strict handling of unknown fields in the deserialiser or schema, at every depth.',
  },
  'own-ai-phone/ignores-unknown-values': {
    section: 'Versioning',
    probe: 'dialogue',
    level: 'must',
    statement: 'A language, skill kind, reason, digit or value of resumed that the receiver does not know is ignored.',
    remediation:
      'Read these fields as text with a default branch: a default language, a skill that is not offered to the AI, a failed skill with a reason that is passed on unchanged.',
  },
  'own-ai-phone/ignores-unknown-frames': {
    section: 'Versioning',
    probe: 'dialogue',
    level: 'must',
    statement: 'A frame of a type that the receiver does not know is ignored, and the call continues.',
    remediation:
      'Give the switch on type a default branch that does nothing; do not close the connection or throw out of the reading loop.',
  },
  'own-ai-phone/takes-dtmf': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'Any key that the caller presses is accepted, and the next sentence is answered; answering a key is optional.',
    remediation: 'Handle frames of type dtmf, or ignore them. Keep digit as text, since it can be * or #.',
  },
  'own-ai-phone/takes-a-prompt-during-an-answer': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'A sentence that comes while an answer is still streamed is answered too. Usually an interrupt comes first, and the interface does not say that a sentence can come without one, so a lost one is only a warning.',
    remediation:
      'Read frames while you send: run the answer as a separate task, and queue the new sentence or cancel the old answer for it.',
  },
  'own-ai-phone/stops-at-interrupt': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'After an interrupt no more speech of the old answer is sent, apart from pieces already in flight; an empty closing piece is not speech.',
    remediation:
      'Cancel the running answer at once: abort the request to the AI and test for the cancellation before each piece. Do not wait for the end of the answer before reading frames.',
  },
  'own-ai-phone/answers-after-interrupt': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'The sentence after an interrupt is answered on its own, without the rest of the old answer.',
    remediation:
      'Give each answer its own buffer and its own cancellation, and clear both at an interrupt; a flag that stays set silences the answers that follow.',
  },
  'own-ai-phone/takes-skill-results': {
    section: 'Skills as tools',
    probe: 'dialogue',
    level: 'must',
    statement: 'A skill.result with ok or any of the documented reasons is accepted, and the call continues.',
    remediation:
      'Decide by ok alone and treat reason as optional text; pending-approval comes with ok true. One result comes for each skill that was asked for.',
  },
  'own-ai-phone/goes-on-after-refused-skill': {
    section: 'Errors',
    probe: 'dialogue',
    level: 'must',
    statement: 'When a skill that the AI asked for is refused, the call continues and the next sentence is answered.',
    remediation:
      'Pass the refusal to the AI as the result of its tool and let it continue to speak; do not wait for a transfer that will not come.',
  },
  'own-ai-phone/goes-on-after-failed-takeover': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'A call that returns to the AI with resumed handover_failed and resumedAfter { key, ok, reason } is accepted, and its sentences are answered.',
    remediation:
      'Accept session.started also for a call id that you have seen end. Read resumed and resumedAfter as optional, and pass the failed takeover on to the AI; its key need not be a skill that you asked for.',
  },
  'own-ai-phone/goes-on-after-takeover-with-the-same-id': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    unprobed: 'needs-earlier-exchanges',
    level: 'advice',
    statement:
      'A call that returns to the AI after a failed takeover continues also when it has the call id that it had before. The interface does not show whether the id stays the same, so a call that continues only with another id gets this advice.',
    remediation:
      'Accept a second connection with a known call id, and let it replace the connection of the session that is stored for this id; remove the session when its connection closes.',
  },
  'own-ai-phone/leaves-the-greeting-to-the-service': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement:
      'The AI does not speak before the first sentence of a call that is not resumed: the service greets the caller.',
    remediation:
      'Send nothing at session.started and wait for the first prompt; speak at once only when resumed is present.',
  },
  'own-ai-phone/keeps-the-call-open': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement: 'The AI never closes the connection in the middle of a call without having sent an action.',
    remediation:
      'Send the action end or handover instead of closing. Look for errors that end the handler, idle limits of proxies, and load balancers that cut long connections.',
  },
  'own-ai-phone/stops-at-session-ended': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'After session.ended the AI sends no more speech, apart from pieces already in flight.',
    remediation:
      'Cancel the running answer at session.ended and drop what is still queued: the caller does not hear it.',
  },
  'own-ai-phone/closes-with-the-service': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'should',
    statement: 'When the service closes the connection, the AI answers the close frame and the connection ends.',
    remediation:
      'Let the WebSocket library answer close frames, which most do by themselves, keep reading until then, and release what belongs to the call.',
  },
  'own-ai-phone/survives-a-broken-call': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'After a call that broke off in any way (disconnected during an answer or before it begins, reset, closed without session.ended), the next call is accepted and answered.',
    remediation:
      'Handle the error event of each socket and failures of sending to one that is gone; keep the state of a call out of globals and free it however the call ends.',
  },
  'own-ai-phone/takes-a-connection-test': {
    section: 'API v1',
    probe: 'call',
    level: 'must',
    statement:
      'The connection test of the service, which opens the WebSocket and closes it again at once, is accepted, and the next call is answered.',
    remediation:
      'Accept a correctly signed connection on which session.started never comes, and create the state of a call only with session.started.',
  },
  'own-ai-phone/keeps-calls-apart': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'With several calls at once, no call hears the words or the answer of another one, and none hears contact data of another caller.',
    remediation:
      'Keep dialogue, contact, buffers and cancellation with the connection or the callId, never in a shared object, and send each answer on the socket of its call.',
  },
  'own-ai-phone/handles-similar-calls': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement:
      'Calls that resemble each other (same contact, same project, same number, same sentence), one after the other or at once, are different calls, and each has its own answer and effect.',
    remediation:
      'Recognise a call by its callId (X-Svc-Call-Id) alone, not by contact, project, number or sentence, also where calls are stored or notes are written.',
  },
  'own-ai-phone/holds-any-dialogue': {
    section: 'Own-AI phone frames (JSON over WebSocket)',
    probe: 'dialogue',
    level: 'must',
    statement:
      'After any order of sentences, keys, interruptions, skill results, pauses and hanging up, the call is up or was ended in a permitted way, a plain sentence is answered to its end, and the next call is accepted.',
    remediation:
      'Replay the shortest dialogue in the report by hand: its last step meets a state of your call that does not expect it.',
  },
} as const satisfies Record<`own-ai-phone/${string}`, Requirement>;

/** Requirements on the receiver of own-AI phone calls. */
export const ownAiPhone = { ...ownAiPhoneUpgrade, ...session, ...ownAiPhoneFrames };
