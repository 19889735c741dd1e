import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { publishReport, type PublishOptions } from '../../run/publish/publish-report.ts';
import type { Stream } from '../../run/output/terminal.ts';
import { formatNames } from '../../reports/text/format-names.ts';
import { sealEnvelope } from '../../reports/certificate/envelope.ts';
import { newKeyPair, privateKeyOf } from '../../reports/certificate/keys.ts';
import { renderAnnotations } from '../../reports/write/annotations/render-annotations.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { renderMarkdown } from '../../reports/write/markdown/render-markdown.ts';
import { ReportNotWritten } from '../../reports/write/write-report.ts';
import type { Report } from '../../specs/generated/types.ts';
import { diagnosedReport } from '../reports/sample-causes.ts';
import { reportOf } from '../reports/sample-gates.ts';
import { hostileReport, manyFailuresReport } from '../reports/sample-report.ts';
import { temporaryDirectory } from './run-command.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Publishes into a temporary directory, and returns what was written and printed. */
async function publish(report: Report, options: Partial<PublishOptions> = {}, out = 'report', before = '# Before\n') {
  await using directory = await temporaryDirectory();
  let printed = '';
  const printTo = new Writable({
    write: (chunk, _encoding, done) => {
      printed += String(chunk);
      done();
    },
  }) as Writable & Stream;
  let onError = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text, ...rest) => {
    onError += String(text);
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  await writeFile(directory.at('file'), 'not a directory');
  await writeFile(directory.at('summary.md'), before);
  const environment = { ...options.environment, GITHUB_STEP_SUMMARY: directory.at('summary.md') };
  const failure = await publishReport(report, {
    formats: ['html'],
    printTo,
    ...options,
    out: directory.at(out),
    environment,
  }).catch((error: unknown) => error);
  return {
    failure,
    printed,
    onError,
    summary: await readFile(directory.at('summary.md'), 'utf8'),
    files: failure ? [] : (await readdir(directory.at(out))).sort(),
  };
}

const github = { GITHUB_ACTIONS: 'true' };

const readSnippets = vi.hoisted(() => vi.fn(() => Promise.reject(new Error('ENOENT: no such file'))));
vi.mock('../../diagnosis/read-snippets.ts', () => ({ readSnippets }));

describe('a published report', () => {
  it('is complete without the code of fixes when its files cannot be read', async () => {
    const report = diagnosedReport([['accepts-valid-signature', {}]]);
    const { failure, files, printed } = await publish(report);
    expect(readSnippets).toHaveBeenCalled();
    expect(failure).toBeUndefined();
    expect(files).toEqual(['report.html', 'report.json']);
    expect(printed).toContain('NON-CONFORMANT');
  });

  it('is written with its formats and printed, and sent nowhere else', async () => {
    const { files, printed, summary, failure } = await publish(manyFailuresReport, { formats: ['junit', 'badge'] });
    expect(failure).toBeUndefined();
    expect(files).toEqual(['badge.json', 'badge.svg', 'junit.xml', 'report.json']);
    expect(printed).toContain('NON-CONFORMANT');
    expect(printed).toMatch(/report in \S+report\.json/);
    expect(printed).not.toContain('::');
    expect(summary).toBe('# Before\n');
  });

  it('is printed as JSON on request', async () => {
    const { printed } = await publish(manyFailuresReport, { json: true });
    expect(printed).toBe(renderJson(manyFailuresReport));
  });

  it('is printed even when it cannot be written, followed by the error', async () => {
    const { printed, failure } = await publish(manyFailuresReport, {}, 'file/below');
    expect(failure).toBeInstanceOf(ReportNotWritten);
    expect(printed).toContain('NON-CONFORMANT');
    expect(printed).not.toContain('report in');
  });
});

describe('a certificate of an earlier run', () => {
  const left = async (text: string, out = 'report') => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('report'));
    await writeFile(directory.at('report/certificate.json'), text);
    await writeFile(directory.at('file'), 'not a directory');
    const printTo = new Writable({ write: (_chunk, _encoding, done) => done() }) as Writable & Stream;
    await publishReport(manyFailuresReport, { out: directory.at(out), formats: [], printTo, environment: {} }).catch(
      () => undefined,
    );
    return (await readdir(directory.at('report'))).includes('certificate.json');
  };
  const certificate = sealEnvelope('{}', privateKeyOf(newKeyPair().privateKey));

  it('does not remain next to the report of another', async () => {
    expect(await left(certificate)).toBe(false);
  });

  it('stays where no report was written', async () => {
    expect(await left(certificate, 'file/below')).toBe(true);
  });

  it('is not confused with an unrelated file of the same name', async () => {
    expect(await left('-----BEGIN CERTIFICATE-----')).toBe(true);
    expect(await left('{"payloadType":"text/plain"}')).toBe(true);
  });
});

describe('in a job of GitHub Actions', () => {
  it('annotations follow the verdict, and the summary of the job gets the report', async () => {
    const { printed, summary } = await publish(manyFailuresReport, { environment: github });
    expect(printed.endsWith(renderAnnotations(manyFailuresReport))).toBe(true);
    expect(renderAnnotations(manyFailuresReport)).toContain('::error');
    expect(summary).toBe(`# Before\n${renderMarkdown(manyFailuresReport)}`);
  });

  it('the summary uses the available room, which is 1 MiB for all steps together', async () => {
    const rows = Array.from({ length: 900 }, (_, at) => [`a-${at}`, { verdict: 'fail', message: 'ü'.repeat(700) }]);
    const report = reportOf(Object.fromEntries(rows));
    const long = await publish(report, { environment: github });
    expect(Buffer.byteLength(long.summary)).toBeGreaterThan(1_000_000);
    const beside = await publish(report, { environment: github }, 'report', 'x'.repeat(500_000));
    expect(Buffer.byteLength(beside.summary)).toBeGreaterThan(1_000_000);
    const full = await publish(report, { environment: github }, 'report', 'x'.repeat(1_048_500));
    expect(full.summary).toHaveLength(1_048_500);
    for (const { summary } of [long, beside, full]) expect(Buffer.byteLength(summary)).toBeLessThanOrEqual(1_048_576);
  });

  it.each([
    ['the verdict', {}],
    ['the record', { json: true }],
  ])('no output of an endpoint is interpreted as a command in %s', async (_, options) => {
    const [first, ...rest] = hostileReport.requirements;
    const message = '::error::owned\n::add-mask::a\n  ::set-output name=x::y\n##[add-mask]b';
    const report = { ...hostileReport, requirements: [{ ...first, message } as typeof first & object, ...rest] };
    const { printed, onError } = await publish(report, { ...options, environment: github });
    const annotations = renderAnnotations(report);
    const shown = `${printed}${onError}`.replace(annotations, '');
    expect(printed.length + onError.length - shown.length).toBe(annotations.length);
    expect(shown).toContain('[add-mask]b');
    expect(shown.split('\n').filter((line) => /^\s*::|##\[/.test(line))).toEqual([]);
    if ('json' in options) expect(JSON.parse(printed).requirements[0].message).toBe(message);
  });

  it('the record stays clean: annotations go to standard error', async () => {
    const { printed, onError } = await publish(manyFailuresReport, { environment: github, json: true });
    expect(printed).toBe(renderJson(manyFailuresReport));
    expect(onError).toBe(renderAnnotations(manyFailuresReport));
  });

  it('a shard leaves them to the job that merges the shards', async () => {
    const shard = { ...manyFailuresReport, selection: { shard: { index: 1, of: 2 } } };
    const { printed, summary } = await publish(shard, { environment: github });
    expect(printed).toContain('NON-CONFORMANT');
    expect(printed).not.toMatch(/^::(?:error|warning|notice)/m);
    expect(summary).toBe('# Before\n');
  });

  it('a summary that cannot be written is not a failure', async () => {
    await using directory = await temporaryDirectory();
    vi.spyOn(process.stderr, 'write').mockImplementation((_text, ...rest) => {
      for (const one of rest) if (typeof one === 'function') one();
      return true;
    });
    const publishing = publishReport(manyFailuresReport, {
      out: directory.path,
      formats: [],
      json: true,
      printTo: new Writable({ write: (_chunk, _encoding, done) => done() }) as Writable & Stream,
      environment: { ...github, GITHUB_STEP_SUMMARY: directory.at('not/there/summary.md') },
    });
    await expect(publishing).resolves.toBeUndefined();
  });
});

describe('output of an earlier run', () => {
  it('does not remain next to the report of another run, whatever its format, and unrelated files remain', async () => {
    await using directory = await temporaryDirectory();
    const out = directory.at('report');
    const printTo = new Writable({ write: (_chunk, _encoding, done) => done() }) as Writable & Stream;
    const options = { out, printTo, environment: {} };
    await publishReport(hostileReport, { ...options, formats: formatNames });
    const before = await readdir(out);
    expect(before.length).toBeGreaterThan(9);
    await writeFile(directory.at('report/report.md'), '# The quarter');
    await publishReport(hostileReport, { ...options, formats: ['junit'] });
    expect((await readdir(out)).sort()).toEqual(['junit.xml', 'report.json', 'report.md']);
  });
});
