import type { Call } from '../../harness/wire/call.ts';
import { protocolRevision } from '../../specs/limits.ts';
import type { CauseId } from '../causes.ts';

/**
 * One thing in which a call differs from a plain one, though it is as right as that. Many are tried in one call; which
 * of them breaks it is then found by omitting.
 */
export interface CallFacet {
  /** Goes on "in a call …", or "when …" of a step. */
  when: string;
  cause: CauseId;
  /** Changes the first frame. */
  started?: (frame: Frame) => Frame;
  /** Changes the revision in the upgrade. */
  revision?: string;
  /** Something that happens in the call, before the plain sentence by which it is judged. */
  step?: (call: Call) => void;
  /** Changes an odd sentence, which is said before the plain one. */
  sentence?: (text: string) => string;
  /** Changes the plain sentence's frame. */
  prompt?: (frame: Frame) => Frame;
}

type Frame = Record<string, unknown>;

const unknownField = { svcConformUnknown: { list: [1, null, 'two'], deep: { more: true } } };
const laterRevision = '2027-03-01';
const resumedAfter = { key: 'sales', ok: false, reason: 'no-answer' };
const unknownSkill = { id: 977, key: 'survey', name: 'Survey', kind: 'survey', announcement: null };

/** Values of the first frame by which a call says less; who takes only such a call does not take a usual one. */
export const usualValues: readonly CallFacet[] = [
  facet('in German', 'phone/language-not-taken', { started: (frame) => ({ ...frame, language: 'de-DE' }) }),
  facet('that offers no skill', 'phone/session-value-not-taken', { started: (frame) => ({ ...frame, skills: [] }) }),
];

/** Beginnings of calls that the interface allows. Each inner list fits into one call. */
export const sessionFacets: readonly (readonly CallFacet[])[] = [
  [
    facet('in German (de-DE)', 'phone/language-not-taken', { started: (frame) => ({ ...frame, language: 'de-DE' }) }),
    facet('that offers no skill', 'phone/no-skills-not-taken', { started: (frame) => ({ ...frame, skills: [] }) }),
    facet('whose session.started has a field that you do not know', 'phone/unknown-member-not-taken', {
      started: (frame) => ({ ...frame, ...unknownField }),
    }),
    facet('whose contact has a field that you do not know', 'phone/unknown-member-not-taken', {
      started: (frame) => ({ ...frame, contact: { ...(frame.contact as Frame), ...unknownField } }),
    }),
    facet('whose prompt has a field that you do not know', 'phone/unknown-member-not-taken', {
      prompt: (frame) => ({ ...frame, ...unknownField }),
    }),
  ],
  [
    facet('in a language that you do not know (fr-CH)', 'phone/unknown-value-not-taken', {
      started: (frame) => ({ ...frame, language: 'fr-CH' }),
    }),
    facet('that offers a skill of a kind that you do not know', 'phone/unknown-value-not-taken', {
      started: (frame) => ({ ...frame, skills: [unknownSkill] }),
    }),
    facet('whose resumed is a word that you do not know', 'phone/unknown-value-not-taken', {
      started: (frame) => ({ ...frame, resumed: 'transfer_returned', resumedAfter }),
    }),
    facet(`of a later protocol revision than ${protocolRevision}`, 'phone/later-protocol-not-taken', {
      started: (frame) => ({ ...frame, protocol: laterRevision }),
    }),
    facet('whose upgrade names a later protocol revision', 'phone/later-protocol-not-taken', {
      revision: laterRevision,
    }),
    facet('of a contact with letters beyond Latin-1 in the name', 'phone/caller-name-not-taken', {
      started: (frame) => withNameAdded(frame, ' Łukasz Đorđević'),
    }),
    facet('of a contact with a quotation mark in the name', 'phone/caller-name-not-taken', {
      started: (frame) => withNameAdded(frame, ' "Eri" \\o/'),
    }),
  ],
  [
    facet('that comes back with resumed "handover_failed" and resumedAfter', 'phone/resumed-call-not-taken', {
      started: (frame) => ({
        ...frame,
        resumed: 'handover_failed',
        resumedAfter,
      }),
    }),
    facet('of a contact whose name has over a hundred characters', 'phone/caller-name-not-taken', {
      started: (frame) => withNameAdded(frame, ' Maximiliane'.repeat(12)),
    }),
    facet('of a contact with an id beyond 32 bits', 'phone/large-id-not-taken', {
      started: (frame) => ({ ...frame, contact: { ...(frame.contact as Frame), id: 5_000_000_017 } }),
    }),
  ],
];

const reasons = [
  ...['unknown-skill', 'outside-hours', 'limit-reached', 'not-allowed', 'no-target', 'no-recipient', 'no-answer'],
  ...['one-forward-per-turn', 'failed'],
];

/** Frames that may come in any call. Each inner list fits into one call, in this order. */
export const frameFacets: readonly (readonly CallFacet[])[] = [
  [
    facet('a frame of a type that you do not know comes', 'phone/unknown-frame-not-taken', {
      step: (call) => void call.send({ type: 'session.muted', by: 'team' }),
    }),
    facet('an interrupt comes while nothing is spoken', 'phone/idle-interrupt-not-taken', {
      step: (call) => void call.interrupt(''),
    }),
    ...['5', '*', '#'].map((digit) => key(digit)),
  ],
  [
    facet('a skill.result with ok true comes', 'phone/skill-result-not-taken', {
      step: (call) => void call.sendSkillResult({ key: 'sales', ok: true }),
    }),
    facet('a skill.result with ok true and "pending-approval" comes', 'phone/skill-result-not-taken', {
      step: (call) => void call.sendSkillResult({ key: 'sales', ok: true, reason: 'pending-approval' }),
    }),
    ...reasons.map((reason) =>
      facet(`a skill.result with ok false and "${reason}" comes`, 'phone/skill-result-not-taken', {
        step: (call) => void call.send({ type: 'skill.result', key: 'sales', ok: false, reason }),
      }),
    ),
    facet('a key comes that you do not know (A)', 'phone/unknown-value-not-taken', {
      step: (call) => void call.press('A'),
    }),
    facet('a skill.result with a reason that you do not know comes', 'phone/unknown-value-not-taken', {
      step: (call) => void call.send({ type: 'skill.result', key: 'sales', ok: false, reason: 'battery-low' }),
    }),
  ],
];

/** Sentences of callers that are odd, and no fault of theirs. All are put into one. */
export const sentenceFacets: readonly (readonly CallFacet[])[] = [
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
  [said('nothing but white space', () => '  ')],
];

function facet(when: string, cause: CauseId, change: Omit<CallFacet, 'when' | 'cause'>): CallFacet {
  return { when, cause, ...change };
}

function key(digit: string): CallFacet {
  return facet(`the caller presses ${digit}`, 'phone/key-not-taken', { step: (call) => void call.press(digit) });
}

function said(what: string, sentence: (text: string) => string): CallFacet {
  return facet(`the caller says a sentence with ${what}`, 'phone/sentence-not-taken', { sentence });
}

function withNameAdded(frame: Frame, added: string): Frame {
  const contact = frame.contact as Frame;
  return { ...frame, contact: { ...contact, name: `${String(contact.name)}${added}` } };
}
