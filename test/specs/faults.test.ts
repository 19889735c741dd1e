import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isUsageFault } from '../../bin/exit-codes.ts';
import { causes } from '../../diagnosis/causes.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { faultNames, faults, faultTopics, formatFault, type FaultCode } from '../../specs/faults/fault-table.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const directories = [
  'reports',
  'harness',
  'suites',
  'diagnosis',
  'contracts',
  'run',
  'simulate',
  'load',
  'fleet',
  'bin',
  'entry',
];

const sources: string[] = [];
for await (const path of glob(`{${directories.join(',')}}/**/*.ts`, { cwd: root })) {
  sources.push(await readFile(`${root}/${path}`, 'utf8'));
}
const rows = Object.entries(faults);
const names = (Object.keys(faults) as FaultCode[]).flatMap(faultNames);

describe('the table of faults', () => {
  it('is read together with the code that throws', () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(names.length).toBeGreaterThan(rows.length);
  });

  it.each(names)('has %s thrown somewhere', (name) => {
    expect(sources.some((text) => text.includes(`'${name}'`))).toBe(true);
  });

  it.each(rows)('documents %s and its exit code', (code, { meaning, remediation, exitCode }) => {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/);
    for (const text of [meaning, remediation]) expect(text).toMatch(/^\S.{15,}\.$/);
    expect([2, 3]).toContain(exitCode);
  });

  it('has each code in one topic, and none that is the id of a requirement or cause', () => {
    const codes = Object.values(faultTopics).flatMap((topic) => Object.keys(topic));
    expect(codes.toSorted()).toEqual(Object.keys(faults).toSorted());
    const ids = new Set([...Object.keys(requirements), ...Object.keys(causes)]);
    expect(codes.filter((code) => ids.has(code))).toEqual([]);
  });

  // Reports, events and scripts of integrators contain them.
  it('keeps the codes that were released, with their exit codes', () => {
    const usage = [
      'config-not-found',
      'config-unreadable',
      'config-invalid',
      'secret-missing',
      'address-not-allowed',
      'public-url-astray',
      'capture-unreadable',
      'selection-empty',
      'suite-unusable',
      'report-not-written',
    ];
    const incomplete = [
      'container-runtime-missing',
      'image-not-found',
      'container-not-started',
      'container-not-ready',
      'out-of-resources',
      'inbox-not-started',
      'target-unreachable',
      'target-stopped',
      'client-certificate-required',
      'target-silent',
      'target-throttles',
      'no-answer-yet',
      'not-read',
      'not-reproducible',
      'control-failed',
      'nothing-judged',
      'own-delay',
      'still-open',
      'observe-failed',
      'client-not-started',
      'client-failed',
      'client-silent',
      'check-broken',
      'engine-failed',
    ];
    const expected = { ...fromCodes(usage, 2), ...fromCodes(incomplete, 3) };
    expect(Object.fromEntries(rows.map(([code, { exitCode }]) => [code, exitCode]))).toMatchObject(expected);
  });
});

function fromCodes(codes: readonly string[], exitCode: number): Record<string, number> {
  return Object.fromEntries(codes.map((code) => [code, exitCode]));
}

describe('a fault', () => {
  it('has the message, code and exit code of the table, and its cause', () => {
    const cause = new Error('why');
    const fault = new HarnessFault('image-not-found', { image: 'acme:1', reason: 'no access' }, { cause });
    expect(fault).toMatchObject({ name: 'HarnessFault', code: 'image-not-found', exitCode: 3, cause });
    expect(fault.message).toBe('The image acme:1 is not on this machine and could not be pulled: no access.');
    expect(new HarnessFault('container-runtime-missing', { cause }).cause).toBe(cause);
  });

  it('is unchanged after a transfer to another process', () => {
    const faultsToSend = [
      new HarnessFault('target-silent:all', { url: 'http://a', count: 8, what: 'deliveries', answerTimeoutMs: 1000 }),
      new HarnessFault('nothing-judged'),
    ];
    for (const fault of faultsToSend) {
      const received = HarnessFault.from(structuredClone(fault.data));
      expect(received).toMatchObject({ code: fault.code, message: fault.message, data: fault.data });
    }
  });

  it('is printed without its arguments', () => {
    const fault = new HarnessFault('client-failed', { failure: 'It failed.' });
    // An argument may be long, or longer than its excerpt in the message.
    expect(inspect(fault)).not.toContain('failure');
  });

  it('decides the exit code of a command by the table alone', () => {
    expect(isUsageFault(new HarnessFault('flags-conflict:target'))).toBe(true);
    expect(isUsageFault(new HarnessFault('container-incomplete:image'))).toBe(true);
    expect(isUsageFault(new HarnessFault('nothing-judged'))).toBe(false);
    expect(isUsageFault(new Error('another error'))).toBe(false);
  });

  it('cannot be thrown with another name or other arguments', () => {
    const uses = [
      // @ts-expect-error an unknown code
      () => formatFault('nothing-judgd'),
      // @ts-expect-error a code that has several messages, without the message
      () => formatFault('config-not-found'),
      // @ts-expect-error an unknown message
      () => formatFault('config-not-found:fil', { file: 'a' }),
      // @ts-expect-error without arguments
      () => formatFault('config-not-found:file'),
      // @ts-expect-error with another argument
      () => new HarnessFault('config-not-found:file', { path: 'a' }),
      // @ts-expect-error with an argument of another type
      () => new HarnessFault('file-unreadable:too-large', { bytes: 'many' }),
    ];
    expect(uses).toHaveLength(6);
    expect(uses[0]).toThrow(TypeError);
    expect(uses[2]).toThrow(TypeError);
  });
});
