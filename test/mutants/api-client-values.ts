import { changed, clientMutant, saying, type ClientFault } from './client-faults.ts';

const values: readonly ClientFault[] = [
  {
    name: 'national-number',
    breaks: 'phone-is-international',
    what: 'A phone number is sent in national form.',
    seams: saying('visit', { phone: '030 901820' }),
  },
  {
    name: 'number-with-two-zeros',
    breaks: 'phone-begins-with-a-plus-sign',
    what: 'A phone number begins with two zeros instead of a plus sign.',
    seams: saying('visit', { phone: '004930901820' }),
  },
  {
    name: 'time-by-locale',
    breaks: 'times-are-iso-8601',
    what: 'A time is written in German notation.',
    seams: saying('mail-in', { occurredAt: '11.10.2026 09:30' }),
  },
  {
    name: 'start-with-offset',
    breaks: 'start-is-utc',
    what: 'The start of an appointment has the offset of Berlin.',
    seams: saying('visit', { start: '2026-12-01T10:00:00+01:00' }),
  },
  {
    name: 'start-unmarked',
    breaks: 'start-is-marked-as-utc',
    what: 'The start of an appointment has no zone.',
    seams: saying('visit', { start: '2026-12-01T10:00:00' }),
  },
  {
    name: 'purpose-of-its-own',
    breaks: 'purpose-is-listed',
    what: 'A message has a purpose that does not exist.',
    seams: saying('ready', { purpose: 'transactional' }),
  },
  {
    name: 'unknown-channel',
    breaks: 'channels-are-known',
    what: 'A message names the channel fax.',
    seams: saying('ready', { channels: ['fax', 'sms'] }),
  },
  {
    name: 'direction-inbound',
    breaks: 'direction-is-listed',
    what: 'The direction of a logged message is inbound.',
    seams: saying('sms-in', { direction: 'inbound' }),
  },
  {
    name: 'logs-calls',
    breaks: 'logged-channel-is-listed',
    what: 'A phone call is logged as a message.',
    seams: saying('sms-in', { channel: 'phone' }),
  },
  {
    name: 'ai-off',
    breaks: 'ai-is-listed',
    what: 'Auto-reply is switched off with a value that does not exist.',
    seams: saying('sms-in', { ai: 'off' }),
  },
  {
    name: 'subject-of-an-sms',
    breaks: 'subject-only-for-email',
    what: 'A logged text message has a subject.',
    seams: saying('sms-in', { subject: 'Late' }),
  },
  {
    name: 'numbers-in-metadata',
    breaks: 'metadata-holds-texts',
    what: 'Metadata contains a number.',
    seams: saying('visit', { metadata: { seats: 3 } }),
  },
  {
    name: 'missing-title-as-none',
    breaks: 'no-placeholder-for-a-missing-value',
    what: 'An appointment without a title has the title "None".',
    seams: saying('visit', { title: 'None' }),
  },
  {
    name: 'events-by-pattern',
    breaks: 'subscribed-events-are-listed',
    what: 'A subscription names its events by a pattern.',
    seams: saying('subscription', { events: ['appointment.*'] }),
  },
  {
    name: 'subscribes-http',
    breaks: 'subscribed-address-is-https',
    what: 'An address without TLS is subscribed.',
    seams: saying('subscription', { url: 'http://integrator.example/hooks' }),
  },
  {
    name: 'chat-by-http',
    breaks: 'chat-address-is-https',
    what: 'chatUrl has no TLS.',
    seams: saying('agent-change', { chatUrl: 'http://integrator.example/chat' }),
  },
  {
    name: 'voice-by-https',
    breaks: 'phone-address-is-wss',
    what: 'voiceUrl is an https address.',
    seams: saying('agent-change', { voiceUrl: 'https://integrator.example/voice' }),
  },
  {
    name: 'timeout-in-milliseconds',
    breaks: 'timeout-within-2-to-30-seconds',
    what: 'timeoutSeconds is in milliseconds.',
    seams: saying('agent-change', { timeoutSeconds: 10_000 }),
  },
];

const replies: readonly ClientFault[] = [
  {
    name: 'unknown-action',
    breaks: 'action-is-listed',
    what: 'A reply has an action that does not exist.',
    seams: saying('answer', { action: 'hangup' }),
  },
  {
    name: 'long-reply',
    breaks: 'reply-within-4000-characters',
    what: 'A reply is one character too long.',
    seams: saying('answer', { text: 'a'.repeat(4001) }),
  },
  {
    name: 'long-reply-in-emoji',
    breaks: 'reply-within-4000-utf-16-units',
    what: 'A reply has more than 4000 UTF-16 units.',
    seams: saying('answer', { text: '😀'.repeat(2001) }),
  },
  {
    name: 'long-note-beside-a-reply',
    breaks: 'note-within-500-characters',
    what: 'The note with a reply is one character too long.',
    seams: saying('skilled', { note: 'a'.repeat(501) }),
  },
  {
    name: 'long-note-beside-a-skill',
    breaks: 'note-within-500-characters',
    what: 'The note with a skill is one character too long.',
    seams: saying('alert', { note: 'a'.repeat(501) }),
  },
  {
    name: 'long-note-in-emoji',
    breaks: 'note-within-500-utf-16-units',
    what: 'A note has more than 500 UTF-16 units.',
    seams: saying('skilled', { note: '😀'.repeat(251) }),
  },
  {
    name: 'six-skills',
    breaks: 'at-most-five-skills',
    what: 'A reply requests six skills.',
    seams: saying('skilled', { executeSkills: ['urgent', 'call-back', 'invoice', 'complaint', 'parking', 'sales'] }),
  },
  {
    name: 'two-forwards',
    breaks: 'at-most-one-forward',
    what: 'A reply requests two forwards.',
    seams: saying('skilled', { executeSkills: ['sales', 14] }),
  },
  {
    name: 'skill-of-nobody',
    breaks: 'names-known-skills',
    what: 'A reply requests a skill that the assistant does not have.',
    seams: saying('skilled', { executeSkills: ['fax'] }),
  },
  {
    name: 'skill-of-nobody-in-the-path',
    breaks: 'names-known-skills',
    what: 'A skill is called by its name instead of its key.',
    seams: changed('alert', ({ path }) => ({ path: path.replace('urgent', 'Urgent%20matter') })),
  },
  {
    name: 'skill-twice',
    breaks: 'names-each-skill-once',
    what: 'A reply requests the same skill by key and by id.',
    seams: saying('skilled', { executeSkills: ['complaint', 16] }),
  },
  {
    name: 'skill-after-the-handover',
    breaks: 'asks-for-no-skill-while-not-on',
    what: 'A skill is requested after the conversation was handed over.',
    seams: () => ({
      afterwards: async (api, { projectId }) => {
        const path = `/v1/projects/${projectId}/agent-replies`;
        await api({ name: 'too-late', method: 'POST', path, body: { executeSkills: ['urgent'] } });
      },
    }),
  },
];

/** Faults of an API client in the values that it sends. */
export const clientValueMutants = [...values, ...replies].map(clientMutant);
