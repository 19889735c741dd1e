import type { Requirement } from './requirement.ts';

/** Requirements on the values in the bodies of a client's requests. */
export const apiClientValues = {
  'api-client/phone-is-international': {
    section: 'Contact (API)',
    level: 'must',
    statement: 'Phone numbers are in international form: a plus sign (or 00 for it), the country code, the number.',
    remediation: 'Convert numbers with a phone library before sending: +4930901820, and not 030 901820.',
  },
  'api-client/phone-begins-with-a-plus-sign': {
    section: 'Contact (API)',
    level: 'advice',
    statement: 'Phone numbers begin with a plus sign, not with the two zeros that some countries dial for it.',
    remediation: 'Convert numbers with a phone library before sending: +4930901820, and not 004930901820.',
  },
  'api-client/times-are-iso-8601': {
    section: 'API v1',
    level: 'must',
    statement: 'start is an ISO 8601 date and time; occurredAt is one, or an ISO 8601 date.',
    remediation:
      'Format times like 2026-10-11T08:30:00Z with the ISO formatter of your language, not by locale and not as a number.',
  },
  'api-client/start-is-utc': {
    section: 'API v1',
    level: 'must',
    statement: 'The start of a new appointment is given in UTC.',
    remediation: 'Convert the local time to UTC before formatting it; an offset other than zero shows that it was not.',
  },
  'api-client/start-is-marked-as-utc': {
    section: 'API v1',
    level: 'advice',
    statement: 'The start of a new appointment ends in Z, so that a local time cannot be mistaken for UTC.',
    remediation:
      'Append Z to the UTC time; a time without a zone is read as UTC even when it was meant as a local one.',
  },
  'api-client/purpose-is-listed': {
    section: 'API v1',
    level: 'must',
    statement: 'The purpose of a message is none, service or marketing.',
    remediation: 'Use one of the three words in lower case, or omit purpose for none.',
  },
  'api-client/channels-are-known': {
    section: 'What the service does',
    level: 'should',
    statement: 'The channels of a message are those of the service: whatsapp, sms, rcs or email.',
    remediation: 'Write the names in lower case and list only these four; omit channels to let the service choose.',
  },
  'api-client/direction-is-listed': {
    section: 'API v1',
    level: 'must',
    statement: 'The direction of a logged message is in or out.',
    remediation: 'Map your own words: in for what the customer wrote, out for what your team wrote.',
  },
  'api-client/logged-channel-is-listed': {
    section: 'API v1',
    level: 'must',
    statement: 'The channel of a logged message is email, whatsapp, sms or rcs.',
    remediation: 'Log only what went over one of these four channels, under exactly these names.',
  },
  'api-client/ai-is-listed': {
    section: 'API v1',
    level: 'must',
    statement: 'The value of ai in a logged message is pause or resume.',
    remediation: 'Send pause to give the conversation to the team, resume to give it back, and omit ai otherwise.',
  },
  'api-client/subject-only-for-email': {
    section: 'API v1',
    level: 'should',
    statement: 'A subject is sent only for a logged message of the channel email.',
    remediation: 'Set subject only where channel is email; elsewhere put the words into text.',
  },
  'api-client/metadata-holds-texts': {
    section: 'Appointment (API and webhook shape)',
    level: 'must',
    statement: 'The values in metadata of an appointment are strings.',
    remediation: 'Convert numbers, booleans and nested objects to strings before putting them into metadata.',
  },
  'api-client/no-placeholder-for-a-missing-value': {
    section: 'API v1',
    level: 'advice',
    statement:
      'No field of a request contains a placeholder such as undefined or None, which a program prints for a missing value.',
    remediation:
      'Check for a missing value before it becomes a string (String(x), str(x), a template, a concatenation), and omit the field then.',
  },
  'api-client/subscribed-events-are-listed': {
    section: 'API webhook events',
    level: 'must',
    statement: 'Each event of a subscription is one of the six appointment event types.',
    remediation:
      'List the types by their full names, such as appointment.created; there are no patterns and no other spellings.',
  },
  'api-client/subscribed-address-is-https': {
    section: 'API v1',
    level: 'must',
    statement: 'The address of a subscription is an https address, except for a test address on this machine.',
    remediation: 'Put TLS in front of the receiver and subscribe its https address.',
  },
  'api-client/chat-address-is-https': {
    section: 'API v1',
    level: 'must',
    statement: 'chatUrl is an https address, or empty to disconnect; on this machine http is accepted for testing.',
    remediation: 'Give the public https address of your chat endpoint with its scheme.',
  },
  'api-client/phone-address-is-wss': {
    section: 'API v1',
    level: 'must',
    statement: 'voiceUrl is a wss address, or empty to disconnect; on this machine ws is accepted for testing.',
    remediation: 'Write the public address of your phone endpoint with wss:// in front, not https://.',
  },
  'api-client/addresses-are-publicly-reachable': {
    section: 'Errors',
    level: 'must',
    statement: 'chatUrl and voiceUrl can be reached from the internet.',
    remediation:
      'Use names that resolve publicly and open the firewall for the service; private addresses are refused.',
    unobservable:
      'who can reach an address is not visible to the harness, and addresses under test are often local ones',
  },
  'api-client/timeout-within-2-to-30-seconds': {
    section: 'Own-AI assistant (agent)',
    level: 'should',
    statement: 'timeoutSeconds is between 2 and 30; a value outside is moved to the nearest bound.',
    remediation: 'Send whole seconds from 2 to 30; a value in milliseconds becomes 30.',
  },
  'api-client/action-is-listed': {
    section: 'Own-AI chat event: message.received',
    level: 'must',
    statement: 'The action of an agent reply is none, handover or end.',
    remediation: 'Map what your AI decides to one of the three words, and omit action for none.',
  },
  'api-client/reply-within-4000-characters': {
    section: 'Limits',
    level: 'must',
    statement: 'The text of an agent reply has at most 4000 characters, counted as Unicode code points.',
    remediation:
      'Limit what the AI may write, and cut at a whole character before sending; longer replies are refused.',
  },
  'api-client/reply-within-4000-utf-16-units': {
    section: 'Limits',
    level: 'advice',
    statement:
      'The text of an agent reply is at most 4000 UTF-16 units long as well, since the interface does not state how characters are counted.',
    remediation:
      'Measure its length in UTF-16 units (its length in Java, C# or JavaScript) and cut without splitting a pair.',
  },
  'api-client/note-within-500-characters': {
    section: 'Limits',
    level: 'should',
    statement: 'The note with an agent reply or a skill has at most 500 characters; a longer one is cut.',
    remediation: 'Shorten the note yourself, what matters to the team first; POST /v1/notes is there for long ones.',
  },
  'api-client/note-within-500-utf-16-units': {
    section: 'Limits',
    level: 'advice',
    statement:
      'The note with an agent reply or a skill is at most 500 UTF-16 units long as well, since the interface does not state how characters are counted.',
    remediation: 'Count the note in UTF-16 units and cut without splitting a pair.',
  },
  'api-client/at-most-five-skills': {
    section: 'Limits',
    level: 'must',
    statement: 'An agent reply names at most five skills.',
    remediation: 'Cut executeSkills at five before sending, the most important first.',
  },
  'api-client/at-most-one-forward': {
    section: 'Limits',
    level: 'must',
    statement: 'An agent reply names at most one skill of the kind forward.',
    remediation: 'Look up the kinds in GET /v1/agents or in the event, and keep one forward.',
  },
  'api-client/names-known-skills': {
    section: 'Skills as tools',
    level: 'should',
    statement: 'Each skill that is named, in a reply or in a path, is a skill of the assistant.',
    remediation: 'Take keys and ids from GET /v1/agents or from the event instead of writing them into the code.',
  },
  'api-client/names-each-skill-once': {
    section: 'Errors',
    level: 'should',
    statement: 'An agent reply does not name the same skill twice, neither by key nor by id.',
    remediation: 'Resolve keys and ids to skills and drop duplicates before sending.',
  },
} as const satisfies Record<`api-client/${string}`, Requirement>;
