import { describe, expect, it } from 'vitest';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate, formatViolation } from '../../specs/validators.ts';

const skill = { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null };
const call = {
  type: 'session.started',
  protocol: '2026-10-11',
  callId: '0123456789abcdef0123456789abcdef',
  callSid: 'CA0123456789abcdef0123456789abcdef',
  projectId: 1,
  workspaceId: 1,
  agentId: 1,
  from: '+4930901820',
  to: '+4989550100',
  language: 'en-US',
  contact: { id: 1, name: 'Erika' },
  skills: [],
};
const { callSid: _callSid, ...callWithoutSid } = call;
const resumed = 'handover_failed';
const resumedAfter = { key: 'sales', ok: false, reason: 'no-answer' };

describe('valid frames', () => {
  it.each<[SchemaName, unknown]>([
    ['sessionStarted', call],
    ['sessionStarted', { ...call, skills: [skill], language: 'de-DE', later: 1 }],
    ['sessionStarted', { ...call, resumed, resumedAfter }],
    ['prompt', { type: 'prompt', text: '😀' }],
    ...[...'0123456789*#'].map((digit): [SchemaName, unknown] => ['dtmf', { type: 'dtmf', digit }]),
    ['interrupt', { type: 'interrupt', spokenUntilInterrupt: '' }],
    ['skillResult', { type: 'skill.result', key: 'a', ok: true }],
    ['skillResult', { type: 'skill.result', key: 'a', ok: true, reason: 'pending-approval' }],
    ['skillResult', { type: 'skill.result', key: 'a', ok: false, reason: 'one-forward-per-turn' }],
    ['sessionEnded', { type: 'session.ended' }],
    ['textFrame', { type: 'text', text: '😀'.repeat(4000), last: true }],
    ['textFrame', { type: 'text', token: '', text: null, last: null }],
    ['textFrame', { text: 'Yes.', last: true }],
    ['actionFrame', { type: 'action', action: 'handover', text: 'a', note: 'n'.repeat(600) }],
    ['actionFrame', { type: 'action', action: 'end' }],
    ['actionFrame', { action: 'end', text: 'Goodbye!' }],
    ['skillFrame', { type: 'skill', executeSkills: ['a', 1], note: null, announcement: '' }],
    ['skillFrame', { type: 'skill', key: 'a' }],
  ])('%s %#', (name, value) => {
    expect(validate(name, value).map(formatViolation)).toEqual([]);
  });
});

describe('invalid frames, described', () => {
  it.each<[SchemaName, unknown, string[]]>([
    ['sessionStarted', callWithoutSid, ['at /callSid: expected a field callSid, received (missing)']],
    [
      'sessionStarted',
      { ...call, callId: 'a b' },
      ['at /callId: expected a string that matches ^[0-9a-f]{32}$, received "a b"'],
    ],
    [
      'sessionStarted',
      { ...call, language: 'fr-FR' },
      ['at /language: expected one of de-DE, en-US, received "fr-FR"'],
    ],
    ['sessionStarted', { ...call, resumed }, ['at /resumedAfter: expected a field resumedAfter, received (missing)']],
    ['sessionStarted', { ...call, resumedAfter }, ['at /resumed: expected a field resumed, received (missing)']],
    ['sessionStarted', { ...call, resumed: 'later' }, ['at /resumed: expected handover_failed, received "later"']],
    [
      'sessionStarted',
      { ...call, resumed, resumedAfter: { key: 'sales', ok: false } },
      ['at /resumedAfter/reason: expected a field reason, received (missing)'],
    ],
    ['prompt', { type: 'prompt', text: '' }, ['at /text: expected a non-empty string, received ""']],
    ['dtmf', { type: 'dtmf', digit: 5 }, ['at /digit: expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, *, #, received 5']],
    [
      'interrupt',
      { type: 'interrupt' },
      ['at /spokenUntilInterrupt: expected a field spokenUntilInterrupt, received (missing)'],
    ],
    [
      'skillResult',
      { type: 'skill.result', key: 'a', ok: true, reason: 'failed' },
      ['at /reason: expected pending-approval, received "failed"'],
    ],
    ['skillResult', { key: 'a', ok: true }, ['at /type: expected a field type, received (missing)']],
    ['sessionEnded', { type: 'session.end' }, ['at /type: expected session.ended, received "session.end"']],
    ['textFrame', { type: 'text', text: ['a'] }, ['at /text: expected a string or null, received ["a"]']],
    ['textFrame', { type: 'text', last: 'true' }, ['at /last: expected true or false or null, received "true"']],
    ['actionFrame', { type: 'action', action: 'none' }, ['at /action: expected one of end, handover, received "none"']],
    ['actionFrame', { type: 'action' }, ['at /action: expected a field action, received (missing)']],
    [
      'skillFrame',
      { type: 'skill', executeSkills: [1, 2, 3, 4, 5, 6] },
      ['at /executeSkills: expected at most 5 items, received [1,2,3,4,5,6]'],
    ],
    ['skillFrame', { type: 'skill', key: {} }, ['at /key: expected a string, an integer or null, received {}']],
  ])('%s %#', (name, value, expected) => {
    expect(validate(name, value).map(formatViolation)).toEqual(expected);
  });
});
