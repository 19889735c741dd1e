import { sameJson } from '../../generators/json-values.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { limits } from '../../specs/limits.ts';
import { subscribedType } from '../../harness/config/subscribed-types.ts';
import type { Connection } from '../connection.ts';
import type { Samples } from '../../harness/checks/samples.ts';
import { everyTrait } from './string-traits.ts';
import { plainAddress, plainSkill } from './plain-items.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** A plain event that an endpoint accepts, and rich ones that differ from it. */
export interface EventGroup {
  base: JsonObject;
  packs: readonly EventPack[];
}

/** One event with several variations at once; they are sent alone only if it is refused. */
export interface EventPack extends Varied {
  parts: readonly Varied[];
}

export interface Varied {
  /** Completes "an event with". */
  has: string;
  event: JsonObject;
  /** The status with which it was refused. */
  status?: number | undefined;
  /** The event with other variations as well, which follows. */
  whole?: JsonObject;
}

const unknown = { xFuture: { level: 1, list: [null, 'two'] } };
const largest = Number.MAX_SAFE_INTEGER;
/** A long string: as long as the interface allows for a turn of an own AI. */
const longText = 'The quick brown fox jumps over the lazy dog. '.repeat(100).slice(0, limits.ownAiTextCharacters);

/** The events for a surface, in groups with one plain event each. */
export function eventGroups({ surface, session, config }: Connection): EventGroup[] {
  const { sample } = session;
  switch (surface) {
    case 'own-ai-chat':
      return [chatGroup(sample)];
    case 'crm-webhook':
      return [crmGroup(sample), appointmentGroup({ ...sample.crmEvent('AppointmentCreated') }, 'appointmentData')];
    case 'api-webhooks':
      return [appointmentGroup({ ...sample.apiWebhookEvent(subscribedType(config, 'appointment.created')) }, 'data')];
    case 'own-ai-phone':
      return [];
  }
}

function chatGroup(sample: Samples): EventGroup {
  const plain = sample.messageReceived({ skills: [] });
  const { data } = plain;
  const base: JsonObject = { ...plain };
  const withData = (over: JsonObject, around: JsonObject = {}): JsonObject => ({
    ...base,
    ...around,
    data: { ...data, ...over },
  });
  const turns = sample.history(limits.historyTurns);
  const roles = ['team', 'system', 'customer', 'agent'];
  const alert = {
    id: 902,
    key: 'urgent',
    name: 'Urgent',
    kind: 'alert',
    announcement: 'One moment.',
    description: 'Notifies the team.',
  };
  const latest = data.history.at(-1);
  return groupOf(base, [
    [
      {
        has: 'unusual characters in every string',
        event: withData({
          contact: { ...data.contact, name: everyTrait },
          message: { ...data.message, text: everyTrait },
          history: data.history.map((turn) => ({ ...turn, text: everyTrait })),
        }),
      },
      {
        has: 'unknown fields and an unknown channel, role, skill kind and protocol',
        event: withData(
          {
            ...unknown,
            channel: 'rcs',
            contact: { ...data.contact, ...unknown },
            message: { ...data.message, ...unknown },
            history: [...data.history.slice(0, -1), { ...latest, role: 'supervisor', ...unknown }],
            skills: [{ ...plainSkill, kind: 'transfer', ...unknown }],
            autoReply: { state: 'on', ...unknown },
          },
          { ...unknown, protocol: '2031-01-01' },
        ),
      },
      {
        has: 'all contact fields, 30 turns of every role, skills, ids of 53 bits',
        event: withData(
          {
            projectId: largest,
            contact: { ...data.contact, id: largest, email: 'erika@example.com' },
            message: { ...data.message, id: largest },
            history: turns.map((turn, at) => ({ ...turn, role: roles[at % roles.length] })),
            skills: [plainSkill, alert],
          },
          { workspaceId: largest, agentId: largest },
        ),
      },
    ],
    [
      {
        has: 'a contact with only an id, no history, channel webchat',
        event: withData({ contact: { id: data.contact.id }, history: [], channel: 'webchat' }),
      },
      // Long messages are sent while auto-reply is on: otherwise many endpoints answer without reading them.
      {
        has: `a message of ${limits.ownAiTextCharacters} characters`,
        event: withData({ message: { ...data.message, text: longText } }),
      },
    ],
    [
      {
        has: 'auto-reply off, channel telegram',
        event: withData({ autoReply: { state: 'off' }, channel: 'telegram' }),
      },
    ],
    [
      {
        has: `30 turns of ${limits.ownAiTextCharacters} characters each`,
        event: withData({
          history: turns.map((turn) => ({ ...turn, text: longText })),
        }),
      },
    ],
    [
      {
        has: 'auto-reply paused, channel chat',
        event: withData({ autoReply: sample.autoReplies()[1], channel: 'chat' }),
      },
    ],
  ]);
}

function crmGroup(sample: Samples): EventGroup {
  const base: JsonObject = { ...sample.crmEvent('IncomingCallLookup') };
  const { contactData, projectData } = base as { contactData: JsonObject; projectData: JsonObject };
  const withParts = (contact: JsonObject, project: JsonObject | null, around: JsonObject = {}): JsonObject => ({
    ...base,
    ...around,
    contactData: { ...contactData, ...contact },
    projectData: project && { ...projectData, ...project },
  });
  const contactSet = valuesFor(contactData);
  const projectSet = valuesFor(projectData);
  const texts = (part: JsonObject, text: string) =>
    mapped(part, (value) => (typeof value === 'string' && isFree(value) ? text : value));
  const dropped = (part: JsonObject) => Object.fromEntries(Object.entries(part).filter(([, value]) => value !== null));
  const half = (part: JsonObject, which: number) =>
    Object.fromEntries(Object.entries(part).filter((_, at) => at % 2 === which));
  return groupOf(base, [
    [
      {
        has: 'unusual characters in every string',
        event: withParts(texts(contactSet, everyTrait), { ...texts(projectSet, everyTrait), projectName: everyTrait }),
      },
      {
        has: 'unknown fields and an unknown language',
        event: withParts(
          { ...unknown, language: 'fr-FR', postalAddresses: [{ ...plainAddress, ...unknown }] },
          unknown,
          unknown,
        ),
      },
      {
        has: 'a value in every field, three postal addresses, ids of 53 bits',
        event: withParts(
          {
            ...contactSet,
            svcContactId: largest,
            postalAddresses: [plainAddress, { ...plainAddress, isDefault: false }, plainAddress],
          },
          { ...projectSet, svcProjectId: largest },
        ),
      },
    ],
    [{ has: 'a value in one half of the fields', event: withParts(half(contactSet, 0), half(projectSet, 0)) }],
    [
      { has: 'projectData null', event: withParts({}, null) },
      { has: 'a value in the other half of the fields of contactData', event: withParts(half(contactSet, 1), {}) },
    ],
    [
      {
        has: 'no field that would be null',
        event: { ...base, contactData: dropped(contactData), projectData: dropped(projectData) },
      },
    ],
    [
      {
        has: `crmAiInfo of ${limits.crmAiInfoCharacters} characters and other strings of 1000`,
        event: withParts(
          {
            ...texts(contactSet, longText.slice(0, 100)),
            crmInternalInfo: longText.slice(0, 1000),
            crmAiInfo: longText.repeat(2).slice(0, limits.crmAiInfoCharacters),
          },
          {
            currentSummary: longText.slice(0, 1000),
            inquirySummary: longText.slice(0, 1000),
            crmAiInfo: longText.repeat(2).slice(0, limits.crmAiInfoCharacters),
          },
        ),
      },
    ],
  ]);
}

/** Events about an appointment, which is in the field `part`. */
function appointmentGroup(base: JsonObject, part: string): EventGroup {
  const appointment = base[part] as JsonObject;
  const time = String(appointment.start);
  const of = (over: JsonObject, around: JsonObject = {}): JsonObject => ({
    ...base,
    ...around,
    [part]: { ...appointment, ...over },
  });
  const times = ['customerConfirmedAt', 'businessConfirmedAt', 'cancelledAt', 'finishedAt'];
  const all = (value: string | null) => Object.fromEntries(times.map((name) => [name, value]));
  return groupOf(base, [
    [
      {
        has: 'an appointment confirmed by one side only',
        event: of({ customerConfirmedAt: null, businessConfirmedAt: time, status: 'proposed' }),
      },
      {
        has: 'metadata with unusual keys, unusual characters in strings',
        event: of({ metadata: { 'a.b c': 'x', '': 'y', 'Schl\u00fcssel': 'z', constructor: 'w' }, title: everyTrait }),
      },
    ],
    [
      {
        has: 'an appointment with unknown fields and an unknown kind and status',
        event: of({ ...unknown, kind: 'hologram', status: 'on_hold' }, unknown),
      },
      {
        has: 'an appointment with every time null and empty metadata',
        event: of({ ...all(null), metadata: {}, status: 'proposed' }),
      },
    ],
    [
      {
        has: 'an appointment with every time set, ids of 53 bits and status cancelled',
        event: of({
          ...all(time),
          id: largest,
          contactId: largest,
          projectId: largest,
          status: 'cancelled',
          rescheduledCount: 12,
        }),
      },
    ],
  ]);
}

/** Packs of these variations of a plain event: the likeliest to fail first, which also wins where two differ. */
function groupOf(base: JsonObject, packs: readonly (readonly Varied[])[]): EventGroup {
  return {
    base,
    packs: packs.map((parts) => ({
      has: parts.map(({ has }) => has).join('; '),
      event: parts.reduceRight((whole, { event }) => overlaid(base, event, whole) as JsonObject, base),
      parts,
    })),
  };
}

/** `whole` with the differences between a variation and the plain event; those of objects and lists one by one. */
function overlaid(plain: unknown, varied: unknown, whole: unknown): unknown {
  if (sameJson(plain, varied)) return whole;
  if (Array.isArray(varied) && Array.isArray(whole) && Array.isArray(plain) && varied.length >= plain.length) {
    const length = Math.max(varied.length, whole.length);
    return Array.from({ length }, (_, at) =>
      at < varied.length ? overlaid(plain[at], varied[at], whole[at]) : (whole[at] as unknown),
    );
  }
  if (!isJsonObject(varied) || !isJsonObject(whole) || !isJsonObject(plain)) return varied;
  const names = [...new Set([...Object.keys(whole), ...Object.keys(varied)])];
  const kept = names.filter((name) => name in varied || !(name in plain));
  return Object.fromEntries(kept.map((name) => [name, overlaid(plain[name], varied[name], whole[name])]));
}

/** A value for each field that is null in a plain event. */
function valuesFor(part: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(part).flatMap(([name, value]) => (value === null ? [[name, valueFor(name)]] : [])),
  );
}

function valueFor(name: string): unknown {
  if (name.startsWith('customDate')) return '2026-10-11';
  if (name.startsWith('customNumeric')) return '12.50';
  if (name.startsWith('customCheckBox')) return true;
  if (name.startsWith('customOptIn')) return '2026-10-11T08:30:00';
  if (name === 'email') return 'erika@example.com';
  return freePrefix + name;
}

const freePrefix = 'Some ';

/** A string of {@link valueFor} that any other may replace. */
function isFree(text: string): boolean {
  return text.startsWith(freePrefix);
}

function mapped(part: JsonObject, change: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, change(value)]));
}
