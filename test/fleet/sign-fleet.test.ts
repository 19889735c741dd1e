import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestOf, readCertification } from '../../fleet/certified.ts';
import { buildFleetReport } from '../../fleet/fleet-report.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { newKeyPair } from '../../reports/certificate/keys.ts';
import type { SignedFleet } from '../../reports/text/describe-signed-fleet.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { certifiableReport } from '../reports/certifiable-report.ts';
import { failing } from './sample-fleet.ts';

const night = '2026-10-12';
const keys = newKeyPair();
const good = certifiableReport();
const isPassed = ({ verdict }: Report['requirements'][number]) => verdict === 'pass';
const reports: Readonly<Record<string, Report>> = {
  good,
  insecure: { ...good, environment: { ...good.environment, insecure: ['chat'] } },
  plain: { ...good, environment: { ...good.environment, allowedHttp: ['ai.example.com'] } },
  partial: { ...good, selection: { only: ['own-ai-chat/answers-ping'] } },
  own: {
    ...good,
    requirements: [...good.requirements, { ...good.requirements.find(isPassed), id: 'own-ai-chat/house', own: true }],
    summary: { ...good.summary, pass: good.summary.pass + 1 },
  } as Report,
  unwritten: good,
  replaced: good,
  missing: good,
};

/** A directory as `fleet` leaves it, with a target for each report and one that failed. */
async function signedDirectory() {
  const directory = await temporaryDirectory();
  await mkdir(directory.at('fleet'));
  using ledger = await openLedger(directory.at('fleet/ledger.sqlite'));
  for (const [id, report] of Object.entries(reports)) {
    const text = renderJson(report);
    const claim = ledger.claim(id, night, 0);
    if (claim) ledger.complete(claim, readCertification(text, id).certified);
    await mkdir(directory.at(`fleet/targets/${id}`), { recursive: true });
    const written = id === 'replaced' ? renderJson({ ...report, seed: 7 }) : text;
    // A certificate of an earlier signature, or something that cannot be replaced by one.
    const certificate = directory.at(`fleet/targets/${id}/certificate.json`);
    if (id === 'unwritten') await mkdir(`${certificate}/kept`, { recursive: true });
    else if (id !== 'good') await writeFile(certificate, 'old');
    if (id !== 'missing') await writeFile(directory.at(`fleet/targets/${id}/report.json`), written);
  }
  const claim = ledger.claim('faulty', night, 0);
  if (claim) ledger.complete(claim, failing('tls/expired'));
  const targets = [...Object.keys(reports), 'faulty'];
  const fleet = { version: '0.1.0', night, startedAt: new Date(), durationMs: 1, targets, without: new Map() };
  await writeFile(directory.at('fleet/fleet.json'), JSON.stringify(buildFleetReport(ledger, fleet)));
  await writeFile(directory.at('public.pem'), keys.publicKey);
  return directory;
}

describe('svc-conform fleet sign', () => {
  let directory: Awaited<ReturnType<typeof signedDirectory>>;
  beforeAll(async () => {
    directory = await signedDirectory();
    return () => directory[Symbol.asyncDispose]();
  });
  const sign = (...args: string[]) =>
    runCommand(['fleet', 'sign', 'fleet', ...args], { cwd: directory.path, env: { SIGNING_KEY: keys.privateKey } });

  it('signs the report of each conformant target, and states why another one has no certificate', async () => {
    const { code, stdout } = await sign('--key', 'env:SIGNING_KEY', '--json');
    const signed = JSON.parse(stdout) as SignedFleet;
    expect([code, signed.night, signed.notConformant]).toEqual([1, night, ['faulty']]);
    expect(signed.certificates.map(({ target }) => target)).toEqual(['good']);
    expect(Object.fromEntries(signed.refused.map(({ target, reasons }) => [target, reasons.join(' ')]))).toEqual({
      insecure: expect.stringContaining('TLS verification was disabled by tls.insecure for chat') as string,
      plain: expect.stringContaining('The traffic with ai.example.com was not encrypted (--allow-http)') as string,
      own: 'It has requirements of own suites (own-ai-chat/house), and a certificate covers only those of the catalogue: run without them.',
      unwritten: expect.stringMatching(
        /certificate\.json cannot be written: .*certificate\.json of an earlier signature cannot be removed/,
      ) as string,
      partial: expect.stringContaining('Only some requirements were run') as string,
      replaced: expect.stringMatching(/report\.json is not the report that fleet\.json lists\.$/) as string,
      missing: expect.stringMatching(/report\.json cannot be read: there is no such file or directory\.$/) as string,
    });
    const certified = await Promise.all(
      Object.keys(reports).map(async (id) => (await readdir(directory.at(`fleet/targets/${id}`))).toSorted()),
    );
    // Those of good and of unwritten, which is a directory.
    expect(certified.filter((names) => names.includes('certificate.json'))).toEqual([
      ['certificate.json', 'report.json'],
      ['certificate.json', 'report.json'],
    ]);
    const verify = ['report', 'verify', 'fleet/targets/good/certificate.json', '--public-key', 'public.pem'];
    expect((await runCommand(verify, { cwd: directory.path })).code).toBe(0);
  });

  it('prints a line for each conformant target, and needs the key and a directory of a fleet', async () => {
    const { code, stdout } = await sign('--key', 'env:SIGNING_KEY', '--valid-days', '30');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^good: valid until \S+: .*certificate\.json\ninsecure: no certificate\. TLS/);
    expect(stdout).toContain('Night of 2026-10-12: 1 certificate signed, 7 refused, 1 target not conformant.\n');
    const { payload } = JSON.parse(await readFile(directory.at('fleet/targets/good/certificate.json'), 'utf8')) as {
      payload: string;
    };
    const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString()) as {
      predicate: { svcConform: Record<string, string> };
    };
    const { validUntil = '', ranAt = '', report } = predicate.svcConform as Record<string, string> & { report: object };
    expect(Date.parse(validUntil) - Date.parse(ranAt)).toBe(30 * 86_400_000);
    expect(report).toMatchObject({ digest: { sha256: digestOf(renderJson(good)).slice('sha256:'.length) } });
    expect(await sign()).toMatchObject({ code: 2, stderr: expect.stringContaining('--key') as string });
    const nowhere = await runCommand(['fleet', 'sign', 'nowhere', '--key', 'env:SIGNING_KEY'], {
      cwd: directory.path,
      env: { SIGNING_KEY: keys.privateKey },
    });
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining('nowhere/fleet.json cannot be read')]);
  });
});
