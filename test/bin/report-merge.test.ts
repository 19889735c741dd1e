import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decidedExitCode } from '../../bin/exit-codes.ts';
import { addReportMerge } from '../../bin/report-merge.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { version } from '../../run/version.ts';
import { buildReport } from '../../reports/model/build-report.ts';
import { newKeyPair } from '../../reports/certificate/keys.ts';
import { mergeReports } from '../../reports/model/merge-reports.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import type { CheckResult, Gate, Report, Verdict } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { temporaryDirectory } from './run-command.ts';
import type { Surface } from '../../specs/surfaces.ts';

const token = 'crm-webhook/refuses-wrong-token';
const events = 'crm-webhook/answers-every-event';
/** Requirements with nothing to judge in any of these shards. */
const others = Object.entries<Requirement>(requirements).flatMap(([id, { unobservable }]) =>
  id.startsWith('crm-webhook/') && id !== token && id !== events && unobservable === undefined ? [id] : [],
);

function shard(
  index: number,
  requirement: string,
  verdict: Verdict,
  gate?: Gate,
  configured: Surface[] = ['crm-webhook'],
): Report {
  const check = (of: string, is: Verdict): CheckResult => ({
    id: `${of}#check`,
    requirement: of,
    surface: 'crm-webhook',
    title: 'the check',
    level: 'must',
    verdict: is,
    durationMs: 1,
    evidence: [],
    message: `it is ${is}`,
  });
  const report = buildReport({
    version: '0.1.0',
    protocol: '2026-10-11',
    startedAt: `2026-10-12T09:3${index}:00.000Z`,
    durationMs: 1000,
    seed: 42,
    target: { 'crm-webhook': { url: 'http://127.0.0.1:8080/crm' } },
    selection: { shard: { index, of: 2 } },
    configured,
    checks: [check(requirement, verdict), ...others.map((id) => check(id, 'not-exercised'))],
    exchanges: [],
    timings: [],
  });
  return gate ? { ...report, gate } : report;
}

const waiver = (state: 'applied' | 'passes' | 'not-judged', until = '2026-12-31') => ({
  requirement: token,
  reason: 'the next release fixes it',
  until,
  state,
});
const gated = (waivers: NonNullable<Gate['waivers']>, failOn: Gate['failOn'] = 'must'): Gate => ({
  passed: true,
  failOn,
  reasons: [],
  waivers,
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** Runs `report merge` over these shards; `other` is an earlier report next to them. */
async function merge(shards: readonly Report[], args: readonly string[] = [], other?: Report) {
  vi.stubEnv('NO_COLOR', '1');
  vi.stubEnv('FORCE_COLOR', undefined);
  vi.stubEnv('GITHUB_ACTIONS', undefined);
  await using directory = await temporaryDirectory();
  const printed: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text, ...rest) => {
    printed.push(String(text));
    for (const one of rest) if (typeof one === 'function') one();
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const places = shards.map((_, at) => directory.at(`shard-${at}.json`));
  for (const [at, place] of places.entries()) await writeFile(place, renderJson(shards[at] as Report));
  if (other) await writeFile(directory.at('other.json'), renderJson(other));
  const out = directory.at('merged');
  const command = new Command('report').exitOverride().configureOutput({ writeErr: () => undefined });
  addReportMerge(command);
  const words = args.map((arg) => arg.replace('OTHER', directory.at('other.json')));
  await command.parseAsync(['merge', ...places, '--out', out, ...words], { from: 'user' });
  return {
    printed: printed.join(''),
    code: decidedExitCode(),
    files: (await readdir(out)).sort(),
    report: JSON.parse(await readFile(`${out}/report.json`, 'utf8')) as Report,
  };
}

describe('report merge', () => {
  it('writes, prints and ends with the verdict of the whole', async () => {
    const shards = [shard(1, token, 'pass'), shard(2, events, 'fail')];
    const { report, files, printed, code } = await merge(shards);
    expect(validate('report', report)).toEqual([]);
    expect(report).toEqual(mergeReports(shards));
    expect(files).toEqual(['report.html', 'report.json']);
    expect(printed).toContain('NON-CONFORMANT');
    expect(code).toBe(1);
    expect((await merge([shard(1, token, 'pass'), shard(2, events, 'pass')])).code).toBe(0);
    expect((await merge([shard(1, token, 'pass'), shard(2, events, 'blocked')])).code).toBe(3);
  });

  it('writes the requested formats, and prints JSON', async () => {
    const shards = [shard(1, token, 'pass'), shard(2, events, 'pass')];
    const { report, files, printed } = await merge(shards, ['--format', 'junit,sarif', '--json']);
    expect(files).toEqual(['junit.xml', 'report.json', 'report.sarif']);
    expect(JSON.parse(printed)).toEqual(report);
  });

  it('applies the waivers of the shards to the whole', async () => {
    const applied = await merge([
      shard(1, token, 'fail', gated([waiver('applied')])),
      shard(2, events, 'pass', gated([waiver('not-judged')])),
    ]);
    expect(applied.report.gate).toMatchObject({ passed: true, waivers: [waiver('applied')] });
    expect(applied.report.verdict).toBe('non-conformant');
    expect(applied.code).toBe(0);
    const stale = await merge([
      shard(1, token, 'pass', gated([waiver('passes')])),
      shard(2, events, 'pass', gated([waiver('not-judged')])),
    ]);
    expect(stale.report.gate).toMatchObject({ passed: false, waivers: [waiver('passes')] });
    expect(stale.code).toBe(1);
  });

  it('compares dates with the day of the run', async () => {
    const on = (until: string) =>
      merge([
        shard(1, token, 'fail', gated([waiver('applied', until)])),
        shard(2, events, 'pass', gated([waiver('not-judged', until)])),
      ]);
    expect((await on('2026-10-12')).report.gate?.waivers?.[0]?.state).toBe('applied');
    expect((await on('2026-10-11')).report.gate?.waivers?.[0]?.state).toBe('expired');
  });

  it('fails on the level of the shards, or on the given one', async () => {
    const strict = [shard(1, token, 'pass', gated([], 'should')), shard(2, events, 'pass', gated([], 'should'))];
    expect((await merge(strict)).report.gate?.failOn).toBe('should');
    expect((await merge(strict, ['--fail-on', 'must'])).report.gate?.failOn).toBe('must');
  });

  it('fails only for new failures, compared with an earlier report', async () => {
    const baseline = mergeReports([shard(1, token, 'fail'), shard(2, events, 'pass')]);
    const known = await merge([shard(1, token, 'fail'), shard(2, events, 'pass')], ['--baseline', 'OTHER'], baseline);
    expect(known.report.gate?.baseline).toMatchObject({ known: [token], new: [] });
    expect(known.code).toBe(0);
    const fresh = await merge([shard(1, token, 'pass'), shard(2, events, 'fail')], ['--baseline', 'OTHER'], baseline);
    expect(fresh.report.gate?.baseline).toMatchObject({ known: [], new: [events], fixed: [token] });
    expect(fresh.code).toBe(1);
  });

  it('requires the baseline of the shards', async () => {
    const empty = { new: [], known: [], fixed: [], gone: [] };
    const baseline = { startedAt: '2026-10-01T00:00:00.000Z', verdict: 'conformant' as const, ...empty };
    const shards = [shard(1, token, 'pass', { ...gated([]), baseline }), shard(2, events, 'pass')];
    await expect(merge(shards)).rejects.toThrow('give it to report merge too, with --baseline.');
  });

  it('names the file that does not belong', async () => {
    const merging = merge([shard(1, token, 'pass'), { ...shard(2, events, 'pass'), seed: 43 }]);
    await expect(merging).rejects.toThrow(HarnessFault);
    await expect(merging).rejects.toThrow(/shard-1\.json: expected the seed of \S+shard-0\.json \(42\), received 43\./);
    await expect(merge([shard(1, token, 'pass')])).rejects.toThrow('expected 2 shards, received 1: 2/2 is missing.');
  });

  it('gives no verdict where the configs of the jobs name different surfaces', async () => {
    const [first, second] = [
      shard(1, token, 'pass'),
      shard(2, events, 'pass', undefined, ['crm-webhook', 'own-ai-chat']),
    ];
    const merging = merge([first, second]);
    await expect(merging).rejects.toThrow(HarnessFault);
    await expect(merging).rejects.toThrow(/shard-1\.json: expected the configured surfaces of \S+shard-0\.json/);
    const twice = merge([shard(1, token, 'pass'), shard(2, token, 'pass')]);
    await expect(twice).rejects.toThrow(`expected each requirement judged by a shard, received none for ${events}.`);
  });

  it('does not overwrite a shard, and reads no baseline without a name', async () => {
    await using directory = await temporaryDirectory();
    const shards = [shard(1, token, 'pass'), shard(2, events, 'pass')];
    const places = [directory.at('1'), directory.at('2')];
    for (const [at, place] of places.entries()) {
      await mkdir(place);
      await writeFile(`${place}/report.json`, renderJson(shards[at] as Report));
    }
    const command = new Command('report').exitOverride().configureOutput({ writeErr: () => undefined });
    addReportMerge(command);
    const merging = command.parseAsync(['merge', ...places, '--out', directory.at('2')], { from: 'user' });
    await expect(merging).rejects.toThrow(HarnessFault);
    await expect(merging).rejects.toThrow(/^--out \S+ would overwrite \S+report\.json, which this command reads\./);
    expect(await readFile(`${directory.at('2')}/report.json`, 'utf8')).toBe(renderJson(shards[1] as Report));
    await expect(merge(shards, ['--baseline', ''])).rejects.toThrow('expected a file or directory, received nothing');
  });

  it('refuses an unknown format, and suggests a similar one', async () => {
    const merging = merge([shard(1, token, 'pass')], ['--format', 'junt']);
    await expect(merging).rejects.toThrow(
      '--format junt: no such format. Did you mean junit? Expected one of json, html,',
    );
  });

  it('signs no certificate without a key', async () => {
    const shards = [shard(1, token, 'pass'), shard(2, events, 'pass')];
    await expect(merge(shards, ['--certificate'])).rejects.toThrow('--certificate needs --key');
  });

  it('signs a certificate of shards that form a complete, conformant run', async () => {
    vi.stubEnv('SIGNING_KEY', newKeyPair().privateKey);
    const startedAt = new Date().toISOString();
    const shards = [shard(1, token, 'pass'), shard(2, events, 'pass')].map((one): Report => ({
      ...one,
      harness: { name: 'svc-conform', version: version() },
      startedAt,
      checks: one.checks.map((check) => ({ ...check, evidence: ['ex-1'] })),
      exchanges: [
        {
          id: 'ex-1',
          kind: 'http',
          label: 'one event as the service sends it',
          startedAt,
          request: { method: 'POST', url: 'http://127.0.0.1:8080/crm', headers: [], body: '{}', bodyBytes: 2 },
          outcome: 'answered',
          timing: { connectMs: 1, firstByteMs: 2, totalMs: 3 },
        },
      ],
    }));
    const { code, files } = await merge(shards, ['--certificate', '--key', 'env:SIGNING_KEY']);
    expect({ code, files }).toEqual({ code: 0, files: ['certificate.json', 'report.html', 'report.json'] });
  });

  it('ends with 1 if a complete run that passes cannot be certified', async () => {
    const signing = ['--certificate', '--key', 'env:SIGNING_KEY'];
    vi.stubEnv('SIGNING_KEY', newKeyPair().privateKey);
    const shards = [shard(1, token, 'pass'), shard(2, events, 'pass')];
    expect((await merge(shards)).code).toBe(0);
    const { code, files } = await merge(shards, signing);
    expect(code).toBe(1);
    expect(files).not.toContain('certificate.json');
    expect((await merge([shard(1, token, 'pass'), shard(2, events, 'blocked')], signing)).code).toBe(3);
  });

  it('signs no certificate of shards with fewer generated events', async () => {
    const fewer = [shard(1, token, 'pass'), shard(2, events, 'pass')].map((one) => ({
      ...one,
      selection: { ...one.selection, runs: 1 },
    }));
    const signing = ['--certificate', '--key', 'env:SIGNING_KEY'];
    await expect(merge(fewer, signing)).rejects.toThrow('Fewer generated events than usual were sent (1).');
  });
});
