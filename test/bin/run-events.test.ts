import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { EventLog } from '../../run/output/event-log.ts';
import type { RunStep } from '../../run/run-step.ts';
import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { RunEvent } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { hostileText, manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

const run = {
  harness: { name: 'svc-conform', version: '0.1.0' },
  protocol: '2026-10-11',
  seed: 7,
  surfaces: ['crm-webhook'],
  target: { 'crm-webhook': { url: 'http://127.0.0.1:8080/crm' } },
} as const;

const failed: FinishedCheck = {
  id: 'crm-webhook/answers-every-event#each',
  requirement: 'crm-webhook/answers-every-event',
  title: 'each event is answered',
  level: 'must',
  verdict: 'fail',
  message: `expected 200, received ${hostileText}`,
  durationMs: 12.5,
  evidence: [],
  samples: [],
};

const stopped = (reason: string | Error): RunStep => ({ step: 'run-stopped', reason, isCutShort: true });

/** The events in a file, each validated against the schema. */
async function written(tell: (events: EventLog) => void): Promise<RunEvent[]> {
  await using directory = await temporaryDirectory();
  const file = directory.at('deep/events.ndjson');
  {
    let seconds = 0;
    using events = EventLog.open(file, () => new Date(Date.UTC(2026, 9, 12, 9, 30, seconds++)));
    tell(events);
  }
  const text = await readFile(file, 'utf8');
  expect(text === '' || text.endsWith('\n')).toBe(true);
  const events = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RunEvent);
  for (const event of events) expect(validate('runEvent', event)).toEqual([]);
  return events;
}

describe('the events of a run', () => {
  it('are one per line, with their time, in order', async () => {
    const events = await written((to) => {
      to.write({
        step: 'run-started',
        ...run,
        surfaces: [...run.surfaces],
        selection: { shard: { index: 1, of: 2 } },
        checks: 12,
        expected: undefined,
      });
      to.write({ step: 'note', text: 'Waiting for a callback.' });
      to.write({ step: 'check-finished', check: failed });
      to.write({ step: 'check-finished', check: { ...failed, verdict: 'blocked', code: 'still-open' } });
      to.write({ step: 'check-repeated', check: { ...failed, verdict: 'fail' }, repeats: { failed: 3, of: 4 } });
      to.write({ step: 'checks-executed' });
      to.write({ step: 'cause-found', check: failed.id, cause: 'http/crashes' });
      to.write({
        step: 'run-finished',
        report: manyFailuresReport,
        exitCode: 1,
        file: 'conformance-report/report.json',
      });
    });
    expect(events.map(({ event, at }) => `${at.slice(17, 19)} ${event}`)).toEqual([
      '00 run-started',
      '01 note',
      '02 check-finished',
      '03 check-finished',
      '04 check-repeated',
      '05 cause-found',
      '06 run-finished',
    ]);
    expect(events[0]).toMatchObject({ schemaVersion: 2, checks: 12, selection: { shard: { index: 1, of: 2 } } });
    expect(events[2]).toMatchObject({ check: failed.id, surface: 'crm-webhook', message: failed.message });
    expect(events[3]).toMatchObject({ code: 'still-open' });
    expect(events[5]).toMatchObject({ check: failed.id, cause: 'http/crashes' });
    expect(events[6]).toMatchObject({ exitCode: 1, verdict: manyFailuresReport.verdict });
  });

  it('stay on their lines, whatever an endpoint writes', async () => {
    const events = await written((to) => {
      to.write({ step: 'check-finished', check: failed });
      to.write({ step: 'note', text: hostileText });
    });
    expect(events).toHaveLength(2);
    expect(events[1]).toMatchObject({ text: hostileText });
  });

  it('end with the reason if a run is incomplete', async () => {
    const different = new HarnessFault('selection-empty:different');
    const [fault, broken] = await Promise.all([
      written((to) => to.write(stopped(different))),
      written((to) => to.write(stopped('SIGINT'))),
    ]);
    expect(fault).toMatchObject([{ event: 'run-stopped', reason: different.message, code: 'selection-empty' }]);
    expect(broken).toMatchObject([{ event: 'run-stopped', reason: 'SIGINT' }]);
  });

  it('have none after the last one', async () => {
    const events = await written((to) => {
      to.write({ step: 'run-finished', report: manyFailuresReport, exitCode: 1, file: 'report.json' });
      to.write({ step: 'note', text: 'too late' });
      to.write(stopped('SIGTERM'));
    });
    expect(events.map(({ event }) => event)).toEqual(['run-finished']);
  });

  it('are written at once, not only at the end', async () => {
    await using directory = await temporaryDirectory();
    using events = EventLog.open(directory.at('events'));
    events.write({ step: 'note', text: 'first' });
    expect(await readFile(directory.at('events'), 'utf8')).toContain('first');
  });

  it('go to standard output on request', () => {
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    try {
      using events = EventLog.open('-');
      events.write({ step: 'note', text: 'here' });
    } finally {
      spy.mockRestore();
    }
    expect(lines.map((line) => (JSON.parse(line) as RunEvent).event)).toEqual(['note']);
  });

  it('on standard output contain no command for the runner of GitHub Actions, and mean the same', () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    const lines: string[] = [];
    const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    try {
      using events = EventLog.open('-');
      events.write({ step: 'note', text: '##[add-mask]a' });
    } finally {
      spy.mockRestore();
      vi.unstubAllEnvs();
    }
    expect(lines.join('')).not.toContain('##[');
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['##[add-mask]a']);
  });

  it.runIf(existsSync('/dev/full'))('keep the reason why they could not be written completely', () => {
    using events = EventLog.open('/dev/full');
    expect(events.failure).toBeUndefined();
    events.write({ step: 'note', text: 'first' });
    const { failure } = events;
    expect(failure?.message).toContain('ENOSPC');
    events.write(stopped('SIGTERM'));
    expect(events.failure).toBe(failure);
  });

  it('that cannot be written are refused before the run', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('taken'));
    expect(() => EventLog.open(directory.at('taken'))).toThrow(HarnessFault);
    expect(() => EventLog.open(directory.at('taken'))).toThrow('cannot be written: it is a directory');
  });
});
