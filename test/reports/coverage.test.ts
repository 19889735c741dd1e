import { describe, expect, it } from 'vitest';
import { anonymize } from '../../reports/model/anonymize.ts';
import { buildReport, type RunRecord } from '../../reports/model/build-report.ts';
import { lacksKnownCaller } from '../../reports/model/coverage.ts';
import { runNotes } from '../../reports/text/run-notes.ts';
import { renderHtml } from '../../reports/write/html/render-html.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { nextCommands } from '../../run/publish/next-commands.ts';
import { renderTerminal } from '../../reports/write/terminal/render-terminal.ts';
import { unsetKeys } from '../../run/collect/unset-keys.ts';
import type { RequirementResult } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { cleanRun } from './sample-report.ts';

const entry = { section: 'Events', level: 'must', statement: 'It answers.', remediation: 'Answer.' } as const;
const catalogue = {
  'own-ai-chat/answers': entry,
  'own-ai-chat/replies-later': entry,
  'own-ai-chat/refused-message-has-no-effect': entry,
  'own-ai-chat/keeps-the-secret': { ...entry, unobservable: 'It is internal.' },
  'own-ai-phone/speaks': entry,
  'crm-webhook/answers': entry,
};
const checkOf = (requirement: string, verdict: 'pass' | 'not-exercised') =>
  ({
    id: `${requirement}#1`,
    requirement,
    surface: 'own-ai-chat',
    verdict,
    level: 'must',
    title: 'it',
    message: 'No.',
  }) as const;

/** A run of the chat in which one requirement was judged and two had nothing to judge. */
function reportOf(over: Partial<RunRecord> = {}) {
  const checks = [
    checkOf('own-ai-chat/answers', 'pass'),
    checkOf('own-ai-chat/replies-later', 'not-exercised'),
    checkOf('own-ai-chat/refused-message-has-no-effect', 'not-exercised'),
  ].map((check) => ({ ...check, durationMs: 1, evidence: [] }));
  return buildReport(
    { ...cleanRun, configured: ['own-ai-chat'], checks, exchanges: [], timings: [], ...over },
    catalogue,
  );
}

const unset = ['phone', 'deepLinks', 'stimuli.knownCaller', 'stimuli.chat.async', 'stimuli.phone.long', 'observe'];

describe('the summary of a run', () => {
  it('shows how much was judged, and the keys of the config that add to it', () => {
    const report = reportOf({ unset });
    expect(report.coverage).toEqual({ judged: 1, of: 3, configure: ['phone', 'stimuli.chat.async', 'observe'] });
    const note = 'Judged 1 of 3 observable requirements. To judge more, configure phone, stimuli.chat.async, observe.';
    expect(renderTerminal(report, { colour: false, width: 120 })).toContain(note);
    expect(renderMarkdown(report).replaceAll('\\', '')).toContain(note);
    const html = renderHtml(report);
    expect(html).toContain('phone, stimuli.chat.async, observe');
    expect(html).toContain('1 of 3 observable requirements judged');
    expect(validate('report', report)).toEqual([]);
  });

  it('lists the keys once on the terminal: not in the notes if commands follow', () => {
    const report = reportOf({ unset });
    const shown = renderTerminal(report, { colour: false, width: 120, next: nextCommands(report, undefined) });
    expect(shown).toContain('Judged 1 of 3 observable requirements.\n');
    expect(shown.match(/To judge more, configure/g)).toHaveLength(1);
    const failing = [{ purpose: 'after a fix', command: 'npx svc-conform replay out' }];
    expect(renderTerminal(report, { colour: false, width: 120, next: failing })).not.toContain('To judge more');
  });

  it('reports that no lookup of a known contact was sent, where its answer was not judged', () => {
    const checks = [{ ...checkOf('crm-webhook/answers', 'not-exercised'), surface: 'crm-webhook' }] as const;
    const about = (keys: string[]) =>
      runNotes(
        reportOf({ unset: keys, checks: checks.map((check) => ({ ...check, durationMs: 1, evidence: [] })) }),
      ).filter((note) => note.includes('--known-caller'));
    expect(about(['stimuli.knownCaller'])).toHaveLength(1);
    expect(about(['observe'])).toEqual([]);
  });

  it('reports a configured surface of which nothing was judged, with the reason', () => {
    const speaks = {
      ...checkOf('own-ai-phone/speaks', 'not-exercised'),
      surface: 'own-ai-phone',
      durationMs: 1,
      evidence: [],
    };
    const target = { 'own-ai-chat': { url: 'http://127.0.0.1:1/' }, 'own-ai-phone': { url: 'ws://127.0.0.1:1/' } };
    const about = (over: Partial<RunRecord>) =>
      runNotes(reportOf({ configured: ['own-ai-chat', 'own-ai-phone'], target, ...over })).filter((note) =>
        note.startsWith('No requirement of'),
      );
    const answers = { ...checkOf('own-ai-chat/answers', 'pass'), durationMs: 1, evidence: [] };
    expect(about({ checks: [answers, speaks] })).toEqual(['No requirement of own-ai-phone was judged: No.']);
    expect(about({ checks: [answers, { ...speaks, message: 'of a suite without a full stop' }] })).toEqual([
      'No requirement of own-ai-phone was judged: of a suite without a full stop.',
    ]);
    expect(about({ checks: [answers, { ...speaks, verdict: 'pass' }] })).toEqual([]);
    expect(about({ checks: [answers, speaks], selection: { stopped: 'interrupted' } })).toEqual([]);
  });

  it('lacks a known caller only if no answer had data', () => {
    const report = { coverage: { judged: 1, of: 2, configure: ['stimuli.knownCaller'] }, requirements: [] };
    expect(lacksKnownCaller(report)).toBe(true);
    const row = { id: 'crm-webhook/flagged-part-is-present', surface: 'crm-webhook', verdict: 'fail' } as const;
    expect(lacksKnownCaller({ ...report, requirements: [row as unknown as RequirementResult] })).toBe(false);
    expect(lacksKnownCaller({ requirements: [] })).toBe(false);
  });

  it('names no surface in a partial run, which omits surfaces on purpose', () => {
    const { coverage } = reportOf({ unset, selection: { contracts: true } });
    expect(coverage?.configure).toEqual(['stimuli.chat.async', 'observe']);
  });

  it('names no key where everything is configured, and does not count what was not selected', () => {
    expect(reportOf().coverage).toEqual({ judged: 1, of: 3, configure: [] });
    const { coverage } = reportOf({ checks: [], selected: ['own-ai-chat/answers'] });
    expect(coverage).toEqual({ judged: 0, of: 1, configure: [] });
  });
});

it('keeps its keys in an anonymised report', () => {
  const { coverage } = anonymize(reportOf({ unset }));
  expect(coverage).toEqual({ judged: 1, of: 3, configure: ['phone', 'stimuli.chat.async', 'observe'] });
});

it('lists the keys of a config that are not set', () => {
  const service = { host: '127.0.0.1', port: 0 };
  const chat = { url: 'http://127.0.0.1:1', secret: 'whsec_1', timeoutSeconds: 10 };
  const all = ['crmWebhook', 'apiWebhooks', 'phone', 'apiClient', 'deepLinks', 'skills'];
  const sentences = ['answer', 'handover', 'end', 'skill', 'async'].map((name) => `stimuli.chat.${name}`);
  expect(unsetKeys({ chat, skills: [], stimuli: {}, service })).toEqual([...all, ...sentences, 'observe']);
  const stimuli = { chat: { answer: 'Hello', end: 'Bye', skill: 'Help', async: 'Later' } };
  const skills = [{ id: 1, key: 'sales', name: 'Sales', kind: 'forward' as const, announcement: null }];
  const observe = { url: 'http://127.0.0.1:1/state' };
  expect(unsetKeys({ chat, skills, stimuli, service, observe })).toEqual([
    ...all.slice(0, -1),
    'stimuli.chat.handover',
  ]);
});
