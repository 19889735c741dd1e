import { ownAiChatAnswers } from './own-ai-chat-answers.ts';
import { onSurface } from './requirement.ts';
import type { Requirement } from './requirement.ts';
import { signedDelivery } from './signed-delivery.ts';

const events = {
  'own-ai-chat/refuses-decoded-secret': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An event signed with the base64-decoded secret is not accepted: the secret is used as text.',
    remediation:
      'Use the UTF-8 bytes of the whole secret as the HMAC key, and remove base64 decoding that some webhook libraries do by default.',
  },
  'own-ai-chat/refuses-stripped-secret': {
    section: 'Authentication',
    probe: 'signature',
    level: 'must',
    statement: 'An event signed with the secret without its whsec_ beginning is not accepted.',
    remediation: 'Use the secret as it was issued, with whsec_ in front, as the HMAC key.',
  },
  'own-ai-chat/refuses-ping-with-bad-signature': {
    section: 'Authentication',
    probe: 'weakness',
    level: 'should',
    statement: 'A ping with a bad signature is not accepted.',
    remediation: 'Verify before reading the type of the event, so that a successful ping also proves the secret.',
  },
  'own-ai-chat/refused-message-has-no-effect': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'must',
    statement:
      'A message that is refused for its signature has no effect: nothing is stored, and no reply and no request to API v1 follow.',
    remediation:
      'Verify the signature and the time in the request handler before the message is stored, queued or passed to the AI; do not start work and verify at the same time.',
  },
  'own-ai-chat/refuses-with-401': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'should',
    statement: 'An event with a stale time or a signature that does not match is refused with status 401.',
    remediation: 'Answer 401 where the time or the comparison fails, instead of 400, 403 or a redirect.',
  },
  'own-ai-chat/refuses-with-4xx-if-unreadable': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'should',
    statement: 'An event whose signature header is missing, empty or unreadable is refused with a 4xx status.',
    remediation:
      'Answer 401 (or another 4xx) where the header cannot be parsed into t and v1, instead of a redirect to a sign-in page.',
  },
  'own-ai-chat/refuses-with-401-if-unreadable': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'advice',
    statement: 'An event whose signature header is missing, empty or unreadable is refused with status 401.',
    remediation:
      'Answer 401 from every branch of the verification: missing, unreadable, invalid and stale alike, instead of 400 or 403.',
  },
  'own-ai-chat/bad-signature-is-answered': {
    section: 'Authentication',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'A bad signature gets an answer with a status below 500, not a server error, silence or a dropped connection.',
    remediation:
      'Catch what your parser and comparison throw on malformed input. Constant-time functions throw on unequal lengths, so test the length first and refuse.',
  },
  'own-ai-chat/answers-ping': {
    section: 'API v1',
    probe: 'payload',
    level: 'must',
    statement: 'A signed ping, which has no data, is answered with a 2xx.',
    remediation: 'After verifying, answer events of type ping with 200 or 204 before reading any data.',
  },
  'own-ai-chat/answers-messages': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'A signed message.received is answered with a 2xx.',
    remediation:
      'Answer 202 at once and reply through replyUrl when your AI may fail or take long; catch its errors, and answer 204 to stay quiet.',
  },
  'own-ai-chat/answers-with-a-listed-status': {
    section: 'Own-AI chat event: message.received',
    probe: 'answer',
    level: 'should',
    statement: 'The status of an answer is 200, 202 or 204 and not another 2xx.',
    remediation:
      'Set the status explicitly: 200 for an answer in the body, 202 for a later reply, 204 for none. Some frameworks choose 201 for POST.',
  },
  'own-ai-chat/answers-in-time': {
    section: 'Limits',
    probe: 'timing',
    level: 'must',
    statement:
      'Every event that the interface allows is answered completely within the timeoutSeconds of the assistant, whatever its channel, contact, history or content.',
    remediation:
      'Answer 202 before the AI starts and POST its answer to replyUrl, or limit the time of the AI to well below timeoutSeconds. When only some messages are late, shorten what the AI reads for them, such as a long history.',
  },
  'own-ai-chat/answers-in-time-in-parallel': {
    section: 'Limits',
    probe: 'timing',
    level: 'should',
    statement: 'Events of several conversations at the same moment are each answered within timeoutSeconds.',
    remediation:
      'Handle requests concurrently without a global lock, give the AI client enough connections, or answer 202 before queueing.',
  },
  'own-ai-chat/accepts-messages-at-once': {
    section: 'Own-AI chat event: message.received',
    probe: 'timing',
    level: 'must',
    statement: 'Messages at the same moment, of several conversations or of one, are each accepted.',
    remediation:
      'Keep everything that belongs to one message with its request, not in a variable of the module or the application, and let a message wait for a lock instead of failing on it.',
  },
  'own-ai-chat/accepts-reliably': {
    section: 'Own-AI chat event: message.received',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement:
      'A valid message is accepted every time: no answer to it is an error while the same content is accepted at another time.',
    remediation:
      'Keep everything that belongs to one request with it, let a request wait for a lock or a connection of a pool instead of failing on it, and retry what fails for a moment, such as a deadlock. The log of the endpoint shows what failed at that time.',
  },
  'own-ai-chat/accepts-empty-history': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'A first message, with an empty history, is answered normally.',
    remediation: 'Test the length of history before using its first or last turn.',
  },
  'own-ai-chat/accepts-30-turns': {
    section: 'Limits',
    probe: 'payload',
    level: 'must',
    statement: 'A message with the full history of thirty turns is answered normally.',
    remediation:
      'Raise the limit of your body parser, and shorten the history yourself when your AI has a smaller context.',
  },
  'own-ai-chat/accepts-long-replies-in-history': {
    section: 'Limits',
    probe: 'payload',
    level: 'must',
    statement:
      'A message after thirty turns is answered normally when every second turn is a reply of the longest permitted text, 4000 characters.',
    remediation:
      'Set the limit of your body parser and of every proxy in front of it to at least 1 MB. Store turns in columns without a short limit, and shorten the history only for your AI.',
  },
  'own-ai-chat/accepts-every-role': {
    section: 'Chat history turn',
    probe: 'payload',
    level: 'must',
    statement: 'Turns of customer, agent, team and system are accepted in any order.',
    remediation:
      'Map all four roles to those of your AI, and do not expect turns to alternate or to start with the customer.',
  },
  'own-ai-chat/accepts-refused-skill-turn': {
    section: 'Skills as tools',
    probe: 'payload',
    level: 'must',
    statement: 'A system turn about a refused skill, with its key and the reason in brackets, is accepted.',
    remediation: 'Treat the turn as text for the AI; if you parse it, accept unknown keys and reasons.',
  },
  'own-ai-chat/accepts-every-channel': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'Messages of the channels whatsapp, webchat, telegram and chat are all answered normally.',
    remediation:
      'Do not depend on the channel, or give each of the four a branch; the service itself chooses where the reply goes.',
  },
  'own-ai-chat/accepts-unknown-channel': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'A message of a channel that the receiver does not know is answered normally.',
    remediation: 'Keep the channel as text instead of a closed enumeration, and treat unknown ones like chat.',
  },
  'own-ai-chat/accepts-missing-contact-members': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'A contact with only an id, or with any choice of name, phone and email, is accepted.',
    remediation: 'Make name, phone and email optional in your model; a visitor of the web chat has none of them.',
  },
  'own-ai-chat/accepts-every-auto-reply-state': {
    section: 'Auto-reply',
    probe: 'payload',
    level: 'must',
    statement:
      'Events with auto-reply on, paused (with pausedUntil) and off are accepted; answering or staying quiet is optional.',
    remediation:
      'Expect all three states, with pausedUntil only during a pause, and answer 204 when your AI is to stay quiet.',
  },
  'own-ai-chat/accepts-unknown-protocol-revision': {
    section: 'Versioning',
    probe: 'payload',
    level: 'must',
    statement: 'A message.received of a protocol revision that the receiver does not know is answered normally.',
    remediation: 'Do not compare protocol or X-Svc-Agent-Protocol with a fixed value; at most write a log line.',
  },
  'own-ai-chat/accepts-unknown-members': {
    section: 'Versioning',
    probe: 'payload',
    level: 'must',
    statement: 'Fields that the receiver does not know are ignored wherever they occur in the event.',
    remediation: 'Switch off strict handling of unknown fields in the deserialiser or schema, at every depth.',
  },
  'own-ai-chat/accepts-unknown-values': {
    section: 'Versioning',
    probe: 'payload',
    level: 'must',
    statement: 'A role, skill kind or auto-reply state that the receiver does not know is ignored.',
    remediation:
      'Read these fields as text with a default branch: skip such turns and skills, and treat such a state as not on.',
  },
  'own-ai-chat/accepts-unknown-event-type': {
    section: 'Versioning',
    probe: 'payload',
    level: 'should',
    statement: 'A signed event of a type that the receiver does not know is answered with a 2xx and ignored.',
    remediation: 'Give the switch on type a default branch that answers 204.',
  },
  'own-ai-chat/answers-any-valid-event': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'must',
    statement: 'Any message.received that fits the documented shape is answered normally.',
    remediation:
      'Inspect the smallest event in the report: the difference from an accepted one is what your model, prompt or text handling does not support.',
  },
  'own-ai-chat/answers-long-and-large-values': {
    section: 'Own-AI chat event: message.received',
    probe: 'payload',
    level: 'advice',
    statement: 'Long strings and large ids are answered like others, since the interface states no limit for them.',
    remediation:
      'Accept strings of any length and whole numbers up to 2^53-1, or cut long strings where you store them; the smallest event in the report shows the field that is too small.',
  },
  'own-ai-chat/reads-times-as-utc': {
    section: 'Chat history turn',
    level: 'must',
    statement: 'Times of an event that have no zone suffix are read as UTC.',
    remediation: 'Attach UTC explicitly when parsing; many parsers take a time without a zone for local time.',
    unobservable: 'how an endpoint interprets a time is not visible in its answer',
  },
  'own-ai-chat/keeps-the-secret': {
    section: 'API v1',
    level: 'must',
    statement: 'The secret of the assistant is stored when it is created, since only that response shows it.',
    remediation:
      'Store the secret from the response of POST /v1/agents/{id}/secret in your secret store at once; when it is lost, create a new one.',
    unobservable: 'where an integrator stores a secret is not visible in its answers',
  },
  'own-ai-chat/uses-the-current-secret': {
    section: 'Authentication',
    level: 'must',
    statement: 'After the secret was replaced, only the new one is used, because the old one becomes invalid at once.',
    remediation: 'Roll the new secret out right after creating it, and drop the old one from the configuration.',
    unobservable:
      'the run cannot replace the secret at the endpoint; other secrets are tried, and diagnose --old-secret detects the use of a known previous one',
  },
  'own-ai-chat/address-is-public-https': {
    section: 'Errors',
    level: 'must',
    statement: 'The chat address of the assistant is an https address that can be reached publicly.',
    remediation:
      'Put a TLS certificate in front of the endpoint, open it to the internet and set that address as chatUrl.',
    unobservable:
      'the address under test is often a local one; the address of the assistant is known only to the service',
  },
  'own-ai-chat/greets-and-informs': {
    section: 'Own-AI chat event: message.received',
    level: 'advice',
    statement:
      'The AI itself sends the greeting and privacy notice that are needed, since such chats start without those of the service.',
    remediation: 'When history is empty, start the first answer with your greeting and your notice.',
    unobservable: 'which words are needed is the choice of the business',
  },
} as const satisfies Record<`own-ai-chat/${string}`, Requirement>;

/** Requirements on the receiver of own-AI chat events. */
export const ownAiChat = { ...onSurface('own-ai-chat', signedDelivery), ...events, ...ownAiChatAnswers };
