import type { Requirement } from './requirement.ts';

/**
 * Requirements on the answers to chat events and on later replies. The rules about text, action, note and skills apply
 * to the body of a 200 and to the body sent to `replyUrl` alike; `answer-…` is about the former, `reply-…` the latter.
 */
export const ownAiChatAnswers = {
  'own-ai-chat/answer-is-a-json-object': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'must',
    statement: 'The body of a 200 answer, when there is one, is a JSON object.',
    remediation:
      'Send an object with text and action as JSON, or no body at all; not bare text, an array, or JSON inside a Markdown fence of the AI.',
  },
  'own-ai-chat/answer-within-64-kb': {
    section: 'Limits',
    probe: 'answer',
    level: 'must',
    statement: 'The body of an answer has at most 64 KB (65,536 bytes).',
    remediation: 'Send only the documented fields; keep traces, sources and prompts out of the answer.',
  },
  'own-ai-chat/answer-within-64000-bytes': {
    section: 'Limits',
    probe: 'answer',
    level: 'advice',
    statement: 'The body of an answer has at most 64,000 bytes, since the interface does not define its kilobyte.',
    remediation: 'Keep the answer below 64,000 bytes, or split a long answer into several replies to replyUrl.',
  },
  'own-ai-chat/answer-is-not-in-202-or-204': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'should',
    statement: 'A 202 or 204 does not carry an answer in its body, where it would be lost.',
    remediation: 'Answer 200 when the text is ready, or send it to replyUrl after the 202.',
  },
  'own-ai-chat/has-a-documented-field': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'should',
    statement:
      'If the object of an answer or a reply has fields, the interface documents at least one of them: text, action, note, executeSkills or announcement.',
    remediation:
      'Send the documented fields with exactly these names at the top level of the object: text, not reply, message or Text, and not inside data or another object.',
  },
  'own-ai-chat/answers-at-least-one-message': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'answers-are-compared',
    level: 'should',
    statement: 'The AI answers at least one of the messages of a run, at once or by a later reply.',
    remediation:
      'Answer 200 with text, or POST the text to replyUrl after a 202. When replies are sent, check in the log of your endpoint whether they reach replyUrl.',
  },
  'own-ai-chat/sends-text-when-asked': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'answers-are-compared',
    level: 'should',
    statement:
      'If stimuli.chat.answer contains a sentence that the AI answers, the AI sends text at least once in a run.',
    remediation:
      'Put the words for the customer into text; empty text sends nothing. Choose a sentence for stimuli.chat.answer that your AI answers.',
  },
  'own-ai-chat/answers-after-hand-back': {
    section: 'Auto-reply of a conversation',
    unprobed: 'answers-are-compared',
    level: 'should',
    statement: 'An AI that answers a sentence answers it again after the team had the conversation and handed it back.',
    remediation:
      'Decide by data.autoReply of each event whether to answer. Do not keep a list of conversations that the team has.',
  },
  'own-ai-chat/answers-similar-messages': {
    section: 'Own-AI chat event: message.received',
    probe: 'deduplication',
    level: 'should',
    statement:
      'Messages that resemble each other (same contact, same conversation, same text, same second) are different events, and each gets its own answer.',
    remediation:
      'Recognise a repeated event by its id (X-Svc-Delivery-Id) alone, not by contact, project, text or time.',
  },
  'own-ai-chat/handles-similar-messages': {
    section: 'Own-AI chat event: message.received',
    probe: 'deduplication',
    level: 'should',
    statement:
      'Messages that resemble each other (same contact, same conversation, same text, same second) are different events, and each has its own effect.',
    remediation:
      'Recognise a repeated event by its id (X-Svc-Delivery-Id) alone, not by contact, project, text or time, also where notes are written or work is queued.',
  },
  'own-ai-chat/action-is-known': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'must',
    statement: 'An action is one of none, handover and end.',
    remediation:
      'Map what your AI decides to exactly one of the three words, in lower case, and omit action when there is nothing to do.',
  },
  'own-ai-chat/text-is-a-string': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'must',
    statement: 'The text of an answer is a JSON string.',
    remediation: 'Send text as one string, not as a list of content parts, an object or a number.',
  },
  'own-ai-chat/text-within-4000-characters': {
    section: 'Limits',
    probe: 'answer',
    level: 'must',
    statement: 'The text of an answer has at most 4000 characters, counted as Unicode code points.',
    remediation:
      'Limit what the AI writes, and shorten or split it before sending; instructions to the AI alone do not guarantee a length.',
  },
  'own-ai-chat/text-within-4000-utf-16-units': {
    section: 'Limits',
    level: 'advice',
    statement:
      'The text is at most 4000 UTF-16 units long as well, since the interface does not state how characters are counted.',
    remediation:
      'Measure the length in UTF-16 units (the length of a string in Java, C# or JavaScript) and shorten it without splitting a pair.',
  },
  'own-ai-chat/note-within-500-characters': {
    section: 'Limits',
    probe: 'answer',
    level: 'should',
    statement: 'A note has at most 500 characters; a longer one is cut.',
    remediation: 'Shorten the note to 500 characters yourself, so that what matters to the team is not cut off.',
  },
  'own-ai-chat/note-within-500-utf-16-units': {
    section: 'Limits',
    level: 'advice',
    statement:
      'A note is at most 500 UTF-16 units long as well, since the interface does not state how characters are counted.',
    remediation: 'Count the note in UTF-16 units before sending and shorten it without splitting a pair.',
  },
  'own-ai-chat/members-have-their-types': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'should',
    statement: 'note and announcement are strings, and executeSkills is a list of skill keys or ids.',
    remediation:
      'Send executeSkills as a list also for a single skill, each entry a key (string) or an id (integer), and note and announcement as plain strings.',
  },
  'own-ai-chat/keeps-characters-whole': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'A quote of a message in text, note or announcement neither begins nor ends within a character, nor with U+FFFD, which decoders write in the place of a part of one.',
    remediation:
      'Cut what you quote between characters: after a number of code points or, better, with a function that knows grapheme clusters; not after a number of bytes or UTF-16 units.',
  },
  'own-ai-chat/no-byte-order-mark': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'The body of a 200 answer begins without a byte order mark, which RFC 8259 forbids and parsers may refuse.',
    remediation:
      'Save the files of your program without a byte order mark (one in front of <?php goes out with every answer), and write the answer as UTF-8 without one, such as new UTF8Encoding(false) in .NET.',
  },
  'own-ai-chat/no-null-members': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'advice',
    statement: 'Fields of an answer that have no value are omitted rather than null.',
    remediation: 'Configure the serialiser to skip nulls; the interface does not say that they are accepted.',
  },
  'own-ai-chat/no-placeholder-for-a-missing-value': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'message-shows-it',
    level: 'advice',
    statement:
      'Text, note and announcement contain no placeholder such as undefined or None, which a program prints for a missing value.',
    remediation:
      'Fields of contact are omitted when the service does not know them: check for that before a template, and have a sentence without the name.',
  },
  'own-ai-chat/at-most-five-skills': {
    section: 'Limits',
    unprobed: 'ai-decides',
    level: 'must',
    statement: 'An answer names at most five skills.',
    remediation: 'Cut the list of requested skills at five before sending, the most important first.',
  },
  'own-ai-chat/at-most-one-forward': {
    section: 'Limits',
    unprobed: 'ai-decides',
    level: 'must',
    statement: 'An answer names at most one skill of the kind forward.',
    remediation: 'Look up the kind of each requested skill in the list of the event and keep only one forward.',
  },
  'own-ai-chat/names-known-skills': {
    section: 'Skills as tools',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'Each skill that is named, by key or id, is a skill of the assistant.',
    remediation:
      'Take keys and ids from data.skills of the event rather than from the AI or the configuration, and drop those that are not in it.',
  },
  'own-ai-chat/names-only-offered-skills': {
    section: 'Skill (attached to an assistant)',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'Each skill that is named was offered in the event that is answered.',
    remediation:
      'Give the AI only the skills of the current event as tools; the list can change from message to message with hours and limits.',
  },
  'own-ai-chat/names-no-skill-while-not-on': {
    section: 'Auto-reply of a conversation',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'No skill is named in answer to an event whose auto-reply is not on.',
    remediation: 'Test autoReply.state, and omit executeSkills unless it is on: none would be executed.',
  },
  'own-ai-chat/names-each-skill-once': {
    section: 'Errors',
    unprobed: 'ai-decides',
    level: 'should',
    statement: 'An answer does not name the same skill twice, neither by key nor by id.',
    remediation: 'Resolve keys and ids to skills and remove duplicates before sending.',
  },
  'own-ai-chat/reply-uses-the-address-given': {
    section: 'Own-AI chat event: message.received',
    probe: 'callback',
    level: 'must',
    statement:
      'A later reply goes to the address in replyUrl, or to the documented address of agent-replies of the same project below the base address of the API.',
    remediation:
      'Call replyUrl of the event unchanged: no slash appended, no part of the path or the query removed, nothing encoded again. An address that you build yourself must be POST {base_url}/v1/projects/{id}/agent-replies with the projectId of the event.',
  },
  'own-ai-chat/reply-is-a-post': {
    section: 'API v1',
    probe: 'callback',
    level: 'must',
    statement: 'A later reply is sent with the method POST.',
    remediation: 'Use POST for replyUrl; not PUT, PATCH or GET.',
  },
  'own-ai-chat/reply-carries-the-api-key': {
    section: 'Authentication',
    probe: 'callback',
    level: 'must',
    statement: 'A later reply carries the API key of the inbox, as X-Api-Key or as a bearer token.',
    remediation:
      'Send X-Api-Key with the key, or Authorization with Bearer and the key; the signing secret is not the API key.',
  },
  'own-ai-chat/reply-is-a-json-object': {
    section: 'API v1',
    probe: 'callback',
    level: 'must',
    statement: 'The body of a later reply is a JSON object.',
    remediation: 'POST an object with text, action or both as JSON; not bare text, form fields or a list.',
  },
  'own-ai-chat/same-text-sent-once': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'answers-are-compared',
    level: 'should',
    statement:
      'The same text is sent once for a message: in the answer or by a reply, and not by two identical replies.',
    remediation: 'Choose one way per message, and repeat a reply only when it was not accepted (no 202 came back).',
  },
  'own-ai-chat/replayed-event-brings-no-second-reply': {
    section: 'Own-AI chat event: message.received',
    probe: 'deduplication',
    level: 'advice',
    statement:
      'An event that is repeated with the same id causes no second reply, although the service sends it only once.',
    remediation:
      'Remember the ids of the events of the last minutes, and stay quiet for one that is known; this also makes replayed requests harmless.',
  },
  'own-ai-chat/drops-the-reply-after-409': {
    section: 'Errors',
    unprobed: 'needs-earlier-exchanges',
    level: 'must',
    statement:
      'A reply that was answered 409 is dropped: it is not sent again, neither at once nor later, nor as a message of the team.',
    remediation:
      'Exclude 409 from the statuses that your HTTP client or queue retries, and send the text in no other way: the team has the conversation.',
  },
  'own-ai-chat/stays-well-after-a-refused-reply': {
    section: 'Errors',
    unprobed: 'needs-earlier-exchanges',
    level: 'must',
    statement: 'After a reply was refused with 404, 409 or 422, later messages are answered as before.',
    remediation:
      'Catch the error of the reply call where it is made; it must not end the process, a worker or the conversation.',
  },
  'own-ai-chat/stays-well-while-a-reply-is-slow': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement: 'While the answer to a reply is delayed, other messages are still answered in time.',
    remediation:
      'Send replies outside the request handler with a time limit, without holding a lock or blocking the only worker meanwhile.',
  },
  'own-ai-chat/keeps-conversations-apart': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'answers-are-compared',
    level: 'must',
    statement:
      'Each reply goes to the replyUrl of its conversation, also with several at once, and no conversation receives data of another.',
    remediation:
      'Pass replyUrl, contact and history along with the job of the message instead of keeping them in a global or shared object.',
  },
  'own-ai-chat/takes-pending-approval-as-done': {
    section: 'Skills as tools',
    level: 'advice',
    statement: 'A skill result with the reason pending-approval counts as a success, because its ok is true.',
    remediation: 'Decide by ok alone whether a skill worked, and use reason only as an explanation.',
    unobservable: 'the effect of a result on the AI is visible in its wording at most',
  },
  'own-ai-chat/replies-within-the-rate-limit': {
    section: 'Limits',
    level: 'should',
    statement: 'Replies and other API requests together stay within the rate of the key, 60 a minute by default.',
    remediation:
      'Send one reply per message instead of many pieces, and put all calls with the same key behind one limiter.',
    unobservable: 'the rate comes from the traffic of all conversations, which a run does not reproduce',
  },
} as const satisfies Record<`own-ai-chat/${string}`, Requirement>;
