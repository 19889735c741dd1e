import { Writable } from 'node:stream';
import { expect, it, vi } from 'vitest';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { RunProgress } from '../../run/output/run-progress.ts';
import type { Stream } from '../../run/output/terminal.ts';

/** A stream that is not a terminal, such as a CI log. */
function log(): { stream: Writable & Stream; written: () => string } {
  let text = '';
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      text += String(chunk);
      done();
    },
  }) as Writable & Stream;
  return { stream, written: () => text };
}

it('writes one line about a wait of minutes into a log, and another one after a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const { stream, written } = log();
    using progress = new RunProgress(stream, false);
    for (let at = 0; at < 7; at++) {
      progress.show({ step: 'waiting', text: `Waiting for 6 callbacks, for ${300 - at * 10} s more` });
      vi.advanceTimersByTime(10_000);
    }
    expect(written().match(/for \d+ s more/g)).toEqual(['for 300 s more', 'for 240 s more']);
  } finally {
    vi.useRealTimers();
  }
});

it('counts checks, and warnings apart from failures, as the report does', () => {
  const { stream, written } = log();
  using progress = new RunProgress(stream, false);
  const checks = [
    { level: 'must', verdict: 'fail' },
    { level: 'should', verdict: 'fail' },
    { level: 'must', verdict: 'pass' },
    { level: 'must', verdict: 'blocked' },
  ].map((over, at) => ({
    id: `own-ai-chat/a#${at}`,
    requirement: 'own-ai-chat/a',
    title: 'a check',
    message: 'expected one thing, received another',
    ...over,
  })) as unknown as FinishedCheck[];
  progress.show({
    step: 'run-started',
    harness: { name: 'svc-conform', version: '0.1.0' },
    protocol: '2026-10-11',
    seed: 1,
    surfaces: ['own-ai-chat'],
    target: {},
    expected: checks.map(({ id, requirement }) => ({ id, requirement, title: 'a check', level: 'must' })),
  });
  for (const check of checks) progress.show({ step: 'check-finished', check });
  expect(written()).toMatch(/^own-ai-chat: 4 checks done, 1 failed, 1 warning, 1 blocked, /m);
});

it('shows the first failures of a surface as they happen, and leaves the others to the result', () => {
  const { stream, written } = log();
  using progress = new RunProgress(stream, false);
  for (const surface of ['own-ai-chat', 'crm-webhook']) {
    for (let at = 0; at < 9; at++) {
      const check = {
        id: `${surface}/rule-${at}#check`,
        requirement: `${surface}/rule-${at}`,
        level: 'must',
        verdict: 'fail',
      };
      progress.show({ step: 'check-finished', check: check as FinishedCheck });
    }
  }
  expect(written().match(/^✗ own-ai-chat/gm)).toHaveLength(5);
  expect(written().match(/^✗ crm-webhook/gm)).toHaveLength(5);
  expect(written().match(/^own-ai-chat: further failures/gm)).toHaveLength(1);
});

/** A terminal; `line` returns the latest update of its live line. */
function terminal(): { stream: Writable & Stream; line: () => string } {
  let line = '';
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    line = String(chunk);
    done();
  };
  const stream = Object.assign(new Writable({ write }), { isTTY: true, columns: 200 }) as Writable & Stream;
  vi.stubEnv('TERM', 'xterm');
  vi.stubEnv('NO_COLOR', '1');
  return { stream, line: () => line };
}

it('shows on a terminal what it waits for, and the remaining time by an earlier run', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  try {
    const { stream, line } = terminal();
    using progress = new RunProgress(stream, false);
    progress.show({
      step: 'run-started',
      harness: { name: 'svc-conform', version: '0.1.0' },
      protocol: '2026-10-11',
      seed: 1,
      surfaces: ['own-ai-chat'],
      target: {},
      expected: undefined,
      usualMs: 31_000,
    });
    for (const id of ['a', 'b']) progress.show({ step: 'check-started', id, title: `the check ${id} passes` });
    vi.advanceTimersByTime(1_000);
    expect(line()).toContain('about 30 s left');
    expect(line()).not.toContain('the check a');
    vi.advanceTimersByTime(1_500);
    expect(line()).toContain('about 30 s left  checking that the check a passes, and 1 other check');
    vi.advanceTimersByTime(6_000);
    expect(line()).toContain('about 25 s left');
    vi.advanceTimersByTime(20_000);
    expect(line()).not.toContain('left');
  } finally {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});

it('estimates the remaining time of a first run from the share of the checks that have ended', () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] });
  try {
    const { stream, line } = terminal();
    using progress = new RunProgress(stream, false);
    const ids = Array.from({ length: 10 }, (_, at) => `own-ai-chat/a#${at}`);
    progress.show({
      step: 'run-started',
      harness: { name: 'svc-conform', version: '0.1.0' },
      protocol: '2026-10-11',
      seed: 1,
      surfaces: ['own-ai-chat'],
      target: {},
      expected: ids.map((id) => ({ id, requirement: 'own-ai-chat/a', title: 'a check', level: 'must' })),
    });
    for (const [at, id] of ids.slice(0, 5).entries()) {
      vi.advanceTimersByTime(8_000);
      expect(line().includes('left'), `after ${at} checks`).toBe(at >= 4);
      const check = { id, requirement: 'own-ai-chat/a', level: 'must', verdict: 'pass' };
      progress.show({ step: 'check-finished', check: check as unknown as FinishedCheck });
    }
    vi.advanceTimersByTime(1_000);
    expect(line()).toContain('5/10 checks  41 s  about 40 s left');
  } finally {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  }
});
