import type { Call } from '../../harness/wire/call.ts';
import { protocolRevision } from '../../specs/limits.ts';
import type { CauseId } from '../causes.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/**
 * One valid difference from a plain call. Many are tried in one call; if it fails, omitting them finds the cause.
 */
export interface CallAspect {
  /** Completes "in a call …", or "when …" for a step. */
  when: string;
  cause: CauseId;
  /** Changes the first frame. */
  started?: (frame: JsonObject) => JsonObject;
  /** Changes the revision in the upgrade. */
  revision?: string;
  /** A step in the call before the plain sentence that judges it. */
  step?: (call: Call) => void;
  /** Changes an unusual sentence, which precedes the plain one. */
  sentence?: (text: string) => string;
  /** Changes the plain sentence's frame. */
  prompt?: (frame: JsonObject) => JsonObject;
}

const unknownField = { svcConformUnknown: { list: [1, null, 'two'], deep: { more: true } } };
const laterRevision = '2027-03-01';
const resumedAfter = { key: 'sales', ok: false, reason: 'no-answer' };
const unknownSkill = { id: 977, key: 'survey', name: 'Survey', kind: 'survey', announcement: null };

/** Values that reduce the first frame: an endpoint that accepts only such calls fails typical ones. */
export const minimalAspects: readonly CallAspect[] = [
  aspect('in German', 'phone/language-not-handled', { started: (frame) => ({ ...frame, language: 'de-DE' }) }),
  aspect('that offers no skill', 'phone/session-value-not-handled', { started: (frame) => ({ ...frame, skills: [] }) }),
];

/**
 * Beginnings of calls that the interface allows. Each inner list fits into one call. Documented values come before unknown
 * ones, which fail as well where a documented one does.
 */
export const sessionAspects: readonly (readonly CallAspect[])[] = [
  [
    aspect('in German (de-DE)', 'phone/language-not-handled', {
      started: (frame) => ({ ...frame, language: 'de-DE' }),
    }),
    aspect('that offers no skill', 'phone/no-skills-not-handled', { started: (frame) => ({ ...frame, skills: [] }) }),
    aspect('whose session.started has a field that the endpoint does not know', 'phone/unknown-field-not-handled', {
      started: (frame) => ({ ...frame, ...unknownField }),
    }),
    aspect('whose contact has a field that the endpoint does not know', 'phone/unknown-field-not-handled', {
      started: (frame) => ({ ...frame, contact: { ...(frame.contact as JsonObject), ...unknownField } }),
    }),
    aspect('whose prompt has a field that the endpoint does not know', 'phone/unknown-field-not-handled', {
      prompt: (frame) => ({ ...frame, ...unknownField }),
    }),
  ],
  [
    aspect('that comes back with resumed "handover_failed" and resumedAfter', 'phone/resumed-call-not-handled', {
      started: (frame) => ({
        ...frame,
        resumed: 'handover_failed',
        resumedAfter,
      }),
    }),
    aspect('of a contact whose name has over a hundred characters', 'phone/caller-name-not-handled', {
      started: (frame) => withNameAdded(frame, ' Maximiliane'.repeat(12)),
    }),
    aspect('of a contact with an id beyond 32 bits', 'phone/large-id-not-handled', {
      started: (frame) => ({ ...frame, contact: { ...(frame.contact as JsonObject), id: 5_000_000_017 } }),
    }),
  ],
  [
    aspect('in a language that the endpoint does not know (fr-CH)', 'phone/unknown-value-not-handled', {
      started: (frame) => ({ ...frame, language: 'fr-CH' }),
    }),
    aspect('that offers a skill of a kind that the endpoint does not know', 'phone/unknown-value-not-handled', {
      started: (frame) => ({ ...frame, skills: [unknownSkill] }),
    }),
    aspect('whose resumed is a word that the endpoint does not know', 'phone/unknown-value-not-handled', {
      started: (frame) => ({ ...frame, resumed: 'transfer_returned', resumedAfter }),
    }),
    aspect(`of a later protocol revision than ${protocolRevision}`, 'phone/later-protocol-not-handled', {
      started: (frame) => ({ ...frame, protocol: laterRevision }),
    }),
    aspect('whose upgrade names a later protocol revision', 'phone/later-protocol-not-handled', {
      revision: laterRevision,
    }),
    aspect('of a contact with letters beyond Latin-1 in the name', 'phone/caller-name-not-handled', {
      started: (frame) => withNameAdded(frame, ' Łukasz Đorđević'),
    }),
    aspect('of a contact with a quotation mark in the name', 'phone/caller-name-not-handled', {
      started: (frame) => withNameAdded(frame, ' "Eri" \\o/'),
    }),
  ],
];

const reasons = [
  ...['unknown-skill', 'outside-hours', 'limit-reached', 'not-allowed', 'no-target', 'no-recipient', 'no-answer'],
  ...['one-forward-per-turn', 'failed'],
];

/** Frames that may occur in any call. Each inner list fits into one call, in this order. */
export const frameAspects: readonly (readonly CallAspect[])[] = [
  [
    aspect('a frame of a type that the endpoint does not know comes', 'phone/unknown-frame-not-handled', {
      step: (call) => void call.send({ type: 'session.muted', by: 'team' }),
    }),
    aspect('an interrupt comes while nothing is spoken', 'phone/idle-interrupt-not-handled', {
      step: (call) => void call.interrupt(''),
    }),
    ...['5', '*', '#'].map((digit) => key(digit)),
  ],
  [
    aspect('a skill.result with ok true comes', 'phone/skill-result-not-handled', {
      step: (call) => void call.sendSkillResult({ key: 'sales', ok: true }),
    }),
    aspect('a skill.result with ok true and "pending-approval" comes', 'phone/skill-result-not-handled', {
      step: (call) => void call.sendSkillResult({ key: 'sales', ok: true, reason: 'pending-approval' }),
    }),
    ...reasons.map((reason) =>
      aspect(`a skill.result with ok false and "${reason}" comes`, 'phone/skill-result-not-handled', {
        step: (call) => void call.send({ type: 'skill.result', key: 'sales', ok: false, reason }),
      }),
    ),
    aspect('a key comes that the endpoint does not know (A)', 'phone/unknown-value-not-handled', {
      step: (call) => void call.press('A'),
    }),
    aspect('a skill.result with a reason that the endpoint does not know comes', 'phone/unknown-value-not-handled', {
      step: (call) => void call.send({ type: 'skill.result', key: 'sales', ok: false, reason: 'battery-low' }),
    }),
  ],
];

/** Unusual but valid sentences of callers. All are combined into one. */
export const sentenceAspects: readonly (readonly CallAspect[])[] = [
  [
    said('umlauts', (text) => `${text} Größe, Übung, café.`),
    said('letters beyond Latin-1', (text) => `${text} Łódź, Ελλάδα, 東京.`),
    said('a character of two UTF-16 units', (text) => `${text} 👋🏽`),
    said('a quotation mark', (text) => `${text} He said "yes".`),
    said('a backslash', (text) => `${text} C:\\files`),
    said('a line break', (text) => `${text}\nAnd one more thing.`),
    said('markup', (text) => `${text} <b>5 < 6 & 7</b>`),
    said('over 300 characters', (text) => `${text} ${'and then there is this to say, '.repeat(10)}`),
  ],
  [said('only white space', () => '  ')],
];

function aspect(when: string, cause: CauseId, change: Omit<CallAspect, 'when' | 'cause'>): CallAspect {
  return { when, cause, ...change };
}

function key(digit: string): CallAspect {
  return aspect(`the caller presses ${digit}`, 'phone/key-not-handled', { step: (call) => void call.press(digit) });
}

function said(what: string, sentence: (text: string) => string): CallAspect {
  return aspect(`the caller says a sentence with ${what}`, 'phone/sentence-not-handled', { sentence });
}

function withNameAdded(frame: JsonObject, added: string): JsonObject {
  const contact = frame.contact as JsonObject;
  return { ...frame, contact: { ...contact, name: `${String(contact.name)}${added}` } };
}
