/* eslint-disable @typescript-eslint/no-explicit-any -- statements are changed in ways that no type allows */
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { certifyReport, type CertificateRequest } from '../../reports/certificate/certify-report.ts';
import { openEnvelope, preAuthenticationEncoding, sealEnvelope } from '../../reports/certificate/envelope.ts';
import { keyIdOf, newKeyPair, privateKeyOf, publicKeyOf } from '../../reports/certificate/keys.ts';
import { renderVerification, verificationJson } from '../../reports/certificate/render-verification.ts';
import { sha256, statementOf } from '../../reports/certificate/statement.ts';
import { verifyCertificate, type VerificationInput } from '../../reports/certificate/verify-certificate.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import type { Report } from '../../specs/generated/types.ts';
import { check, cleanReport, cleanRun, hostile, manyFailuresReport, sampleCatalogue } from './sample-report.ts';

const keys = newKeyPair();
const key = privateKeyOf(keys.privateKey);
const publicKey = publicKeyOf(keys.publicKey);
const ranAt = Date.parse(cleanReport.startedAt);
const dayMs = 86_400_000;
const killMatrix = '{"a/b":[]}';
const later = (days: number) => new Date(ranAt + days * dayMs);

function requestOf(report: Report, rest: Partial<CertificateRequest> = {}): CertificateRequest {
  const reportText = renderJson(report);
  return { report, reportText, killMatrix, key, version: '0.1.0', now: later(0), catalogue: sampleCatalogue, ...rest };
}

function certified(report: Report, rest: Partial<CertificateRequest> = {}): string {
  const outcome = certifyReport(requestOf(report, rest));
  if ('refused' in outcome) throw new Error(outcome.refused.join(' '));
  return outcome.text;
}

function verified(certificate: string | Uint8Array, rest: Partial<VerificationInput> = {}) {
  return verifyCertificate({
    certificate: Buffer.from(certificate),
    report: Buffer.from(renderJson(cleanReport)),
    publicKey,
    killMatrix,
    version: '0.1.0',
    now: later(1),
    catalogue: sampleCatalogue,
    ...rest,
  });
}

const broken = (verification: ReturnType<typeof verified>) =>
  verification.points.filter(({ state }) => state === 'invalid').map(({ what, words }) => `${what}: ${words}`);

const statementIn = (certificate: string) =>
  JSON.parse(Buffer.from(JSON.parse(certificate).payload, 'base64').toString());

const image = 'ab'.repeat(32);
const imageRun = {
  image: 'registry.example.com/endpoint:1.2',
  digest: `sha256:${image}`,
  digestOf: 'manifest' as const,
};
const targetInImage: Report['target'] = {
  'crm-webhook': { command: 'npm run sync' },
  'api-webhooks': { file: 'links.txt' },
  'own-ai-chat': { url: 'http://{container}/chat' },
};

/** Signs any statement, as an owner of the key could. */
function signed(payload: unknown): string {
  return sealEnvelope(typeof payload === 'string' ? payload : JSON.stringify(payload), key);
}

describe('a certificate', () => {
  const certificate = certified(cleanReport);

  it('is a DSSE envelope whose signature can be verified by the specification alone', () => {
    const envelope = JSON.parse(certificate);
    expect(Object.keys(envelope)).toEqual(['payload', 'payloadType', 'signatures']);
    expect(envelope.payloadType).toBe('application/vnd.in-toto+json');
    const body = Buffer.from(envelope.payload, 'base64').toString();
    const encoded = `DSSEv1 ${envelope.payloadType.length} ${envelope.payloadType} ${Buffer.byteLength(body)} ${body}`;
    const [{ keyid, sig }] = envelope.signatures;
    expect(verify(null, Buffer.from(encoded), keys.publicKey, Buffer.from(sig, 'base64'))).toBe(true);
    const der = createPublicKey(keys.publicKey).export({ type: 'spki', format: 'der' });
    expect(keyid).toBe(createHash('sha256').update(der).digest('hex'));
  });

  it('contains an in-toto Statement with a test result: subject, tool and outcome', () => {
    expect(statementIn(certificate)).toEqual({
      _type: 'https://in-toto.io/Statement/v1',
      predicateType: 'https://in-toto.io/attestation/test-result/v0.1',
      subject: Object.entries(cleanReport.target).map(([name, { url = '' }]) => ({
        name,
        uri: url,
        digest: { sha256: sha256(url) },
        annotations: { digestOf: 'the address as text' },
      })),
      predicate: {
        result: 'PASSED',
        configuration: [
          { name: 'svc-conform', uri: 'pkg:npm/svc-conform@0.1.0' },
          { name: 'requirement-catalogue', digest: { sha256: sha256(JSON.stringify(sampleCatalogue)) } },
          { name: 'kill-matrix.json', digest: { sha256: sha256(killMatrix) } },
        ],
        passedTests: cleanReport.requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id),
        warnedTests: [],
        failedTests: [],
        svcConform: {
          layout: 1,
          harnessVersion: '0.1.0',
          protocol: '2026-10-11',
          verdict: 'conformant',
          ranAt: cleanReport.startedAt,
          seed: 42,
          issuedAt: later(0).toISOString(),
          validUntil: later(90).toISOString(),
          report: { name: 'report.json', digest: { sha256: sha256(renderJson(cleanReport)) } },
          surfaces: {
            'crm-webhook': { passed: 4, exercised: 4, notExercised: 1, notObservable: 1 },
            'api-webhooks': { passed: 2, exercised: 2, notExercised: 0, notObservable: 0 },
            'own-ai-chat': { passed: 2, exercised: 2, notExercised: 1, notObservable: 0 },
          },
          advice: [],
          notExercised: ['crm-webhook/ids-are-strings', 'own-ai-chat/names-offered-skills'],
        },
      },
    });
  });

  it('names commands, files and the image that were judged, each with a digest', () => {
    const certificate = certified({ ...cleanReport, target: targetInImage, container: imageRun });
    const { subject } = statementIn(certificate);
    expect(subject.map(({ name, digest }: Record<string, unknown>) => [name, digest])).toEqual([
      ['crm-webhook', { sha256: sha256('npm run sync') }],
      ['api-webhooks', { sha256: sha256('links.txt') }],
      ['own-ai-chat', { sha256: sha256('http://{container}/chat') }],
      ['image', { sha256: image }],
    ]);
  });

  it.each([
    ['manifest', 'the manifest, by which registries name the image'],
    ['image', 'the image id, which no registry knows'],
  ] as const)('says what the digest of an image is of: %s', (digestOf, words) => {
    const report = { ...cleanReport, target: targetInImage, container: { ...imageRun, digestOf } };
    const { subject } = statementIn(certified(report));
    expect(subject.at(-1).annotations).toEqual({ digestOf: words, image: imageRun.image });
    const verification = verified(certified(report), { report: Buffer.from(renderJson(report)) });
    expect(renderVerification(verification, { colour: false, width: 200 }).replaceAll(/\s+/g, ' ')).toContain(
      `${imageRun.image} (sha256:${image}: ${words})`,
    );
  });

  it('says WARNED and names the warnings if a should fails', () => {
    const id = 'crm-webhook/calls-back-without-token';
    const checks = cleanRun.checks.map((one) => (one.requirement === id ? check(id, 'fail', { message: 'm' }) : one));
    const { predicate } = statementIn(certified(buildReport({ ...cleanRun, checks }, sampleCatalogue)));
    expect(predicate).toMatchObject({
      result: 'WARNED',
      warnedTests: [id],
      svcConform: { verdict: 'conformant-with-warnings' },
    });
    expect(predicate.passedTests).not.toContain(id);
  });

  it('counts as not exercised what a report calls not applicable of a surface that was judged', () => {
    const id = 'own-ai-chat/names-offered-skills';
    const requirements = cleanReport.requirements.map((row) =>
      row.id === id ? { ...row, verdict: 'not-applicable' as const } : row,
    );
    const summary = { ...cleanReport.summary };
    summary.notExercised -= 1;
    summary.notApplicable += 1;
    const { svcConform } = statementIn(certified({ ...cleanReport, requirements, summary })).predicate;
    expect(svcConform.notExercised).toContain(id);
    expect(svcConform.surfaces['own-ai-chat']).toEqual({ passed: 2, exercised: 2, notExercised: 1, notObservable: 0 });
  });

  it('is valid for the requested number of days from the run', () => {
    const text = certified(cleanReport, { validDays: 7, now: later(2) });
    expect(statementIn(text).predicate.svcConform).toMatchObject({
      issuedAt: later(2).toISOString(),
      validUntil: later(7).toISOString(),
    });
  });
});

describe('a certificate is refused', () => {
  const gate = { passed: true, failOn: 'must' as const, reasons: [] };
  const cases: [string, Partial<Report>, RegExp][] = [
    [
      'of only some surfaces',
      { selection: { surfaces: ['own-ai-chat'] } },
      /^Only some surfaces were run \(own-ai-chat\)/,
    ],
    ['of only some requirements', { selection: { only: ['a/b'] } }, /^Only some requirements were run \(a\/b\)/],
    ['with a shortened wait', { selection: { callbackWaitMs: 5 } }, /shortened/],
    ['with fewer generated events', { selection: { runs: 1 } }, /Fewer generated events than usual were sent \(1\)/],
    ['of contracts alone', { selection: { contracts: true } }, /^Only contracts were verified; no suite was run/],
    ['of recorded traffic', { selection: { capture: true } }, /^Only recorded traffic was judged; nothing was sent/],
    [
      'of one shard',
      { selection: { shard: { index: 2, of: 4 } } },
      /shard 2 of 4; combine all shards with report merge/,
    ],
    [
      'with a waiver, even one that excused nothing',
      { gate: { ...gate, waivers: [{ requirement: 'a/b', reason: 'r', until: '2027-01-01', state: 'not-judged' }] } },
      /waives a\/b/,
    ],
    [
      'of a gate that was not passed',
      { gate: { ...gate, passed: false, reasons: ['A should fails.'] } },
      /A should fails/,
    ],
    ['of an anonymised report', { anonymized: true }, /anonymised/],
    ['of nothing', { target: {} }, /lists no target/],
    ['of an image without a digest', { container: { image: 'x' } }, /digest of the image/],
    [
      'of an image whose digest may be of anything',
      { container: { image: 'x', digest: imageRun.digest } },
      /digest of the image/,
    ],
    ['of an image that was not judged', { container: imageRun }, /None of the addresses is in the image/],
    ['of an image that is not named', { target: targetInImage }, /does not name the image/],
    [
      'of an image that ended before the run did',
      { target: targetInImage, container: { ...imageRun, exitCode: 137 } },
      /exited with code 137 during the run/,
    ],
    [
      'of a surface that is judged and not named',
      { target: { 'own-ai-chat': { url: 'http://127.0.0.1:8080/chat' } } },
      /lists own-ai-chat as judged, but its requirements are those of crm-webhook, api-webhooks, own-ai-chat/,
    ],
    [
      'of a surface that is named and not judged',
      { target: { ...cleanReport.target, 'own-ai-phone': { url: 'ws://127.0.0.1:8080/voice' } } },
      /lists crm-webhook, api-webhooks, own-ai-chat, own-ai-phone as judged/,
    ],
    [
      'of a check whose exchanges are not there',
      { exchanges: [] },
      /lacks exchanges that are evidence of crm-webhook\/answers-lookup-in-time#check, .* and 5 more/,
    ],
    [
      'of a check that passed on nothing',
      { checks: cleanReport.checks.map((one, at) => (at === 1 ? { ...one, evidence: [] } : one)) },
      /no evidence for crm-webhook\/refuses-wrong-token#check, which passed/,
    ],
    [
      'of several exchanges with one id',
      { exchanges: [...cleanReport.exchanges, ...cleanReport.exchanges] },
      /several exchanges with one id/,
    ],
    ['of a run that is still to come', { startedAt: later(1).toISOString() }, /began at .*, which is later than/],
    [
      'of exchanges that are older than the run',
      { exchanges: cleanReport.exchanges.map((one) => ({ ...one, startedAt: later(-1).toISOString() })) },
      /exchanges from before or after the run/,
    ],
    [
      'of exchanges that are still to come',
      { exchanges: cleanReport.exchanges.map((one) => ({ ...one, startedAt: later(1).toISOString() })) },
      /exchanges from before or after the run/,
    ],
    [
      'of a report that says of what can be seen that it cannot',
      { requirements: cleanReport.requirements.map((row, at) => (at === 0 ? { ...row, unobservable: 'no' } : row)) },
      /not those of the catalogue/,
    ],
    [
      'of a report with other statements',
      { requirements: cleanReport.requirements.map((row, at) => (at === 0 ? { ...row, statement: 'no' } : row)) },
      /not those of the catalogue/,
    ],
    [
      'of a report whose verdict was written by hand',
      { verdict: 'conformant-with-warnings' },
      /result in another verdict/,
    ],
    [
      'of a report whose summary was written by hand',
      { summary: { ...cleanReport.summary, pass: 99 } },
      /does not match its requirements/,
    ],
    [
      'of a report whose check failed after all',
      { checks: cleanReport.checks.map((one, at) => (at === 0 ? { ...one, verdict: 'fail' as const } : one)) },
      /its checks do not support the verdict of crm-webhook\/answers-lookup-in-time/,
    ],
    [
      'of a report whose requirement names other checks',
      { requirements: cleanReport.requirements.map((row, at) => (at === 0 ? { ...row, checks: ['a/b#c'] } : row)) },
      /its checks do not support the verdict of/,
    ],
    [
      'of a report without some requirements',
      { requirements: cleanReport.requirements.slice(1) },
      /not those of the catalogue/,
    ],
    [
      'of another version',
      { harness: { name: 'svc-conform', version: '0.0.9' } },
      /made by svc-conform 0\.0\.9; this is 0\.1\.0/,
    ],
    [
      'of a CRM webhook that was asked about no known contact',
      { coverage: { judged: 1, of: 2, configure: ['stimuli.knownCaller'] } },
      /^No lookup of a known contact was sent, and no answer had data; set stimuli\.knownCaller/,
    ],
  ];

  it.each(cases)('%s', (_, change, reason) => {
    const outcome = certifyReport(requestOf({ ...cleanReport, ...change }));
    expect(outcome).toEqual({ refused: expect.arrayContaining([expect.stringMatching(reason)]) });
  });

  it('of a surface of which no requirement passed', () => {
    const checks = cleanRun.checks.map((one) =>
      one.surface === 'own-ai-chat' ? check(one.requirement, 'not-exercised', { message: 'm' }) : one,
    );
    const report = buildReport({ ...cleanRun, checks }, sampleCatalogue);
    expect(report.verdict).toBe('conformant');
    expect(certifyReport(requestOf(report))).toEqual({
      refused: ['No requirement of own-ai-chat passed; remove it from the config, or find out why.'],
    });
  });

  it('of a check of links without exchanges it is not: nothing is sent for them', () => {
    const catalogue = {
      'deep-links/is-https': { section: 's', level: 'must' as const, statement: 't', remediation: 'm' },
    };
    const report = buildReport(
      {
        ...cleanRun,
        configured: ['deep-links'],
        target: { 'deep-links': { file: 'links.txt' } },
        checks: [check('deep-links/is-https', 'pass')],
        exchanges: [],
      },
      catalogue,
    );
    const text = certified(report, { catalogue });
    const verification = verified(text, { report: Buffer.from(renderJson(report)), catalogue });
    expect(verification.outcome).toBe('genuine');
    const rendered = renderVerification(verification, { colour: false }).replaceAll(/\s+/g, ' ');
    expect(rendered).toContain('deep-links links.txt; 1 of 1 requirement passes');
    expect(rendered).toContain('The content of the file links.txt');
  });

  it.each([0, 367, 1.5, NaN])('for %d days', (validDays) => {
    expect(certifyReport(requestOf(cleanReport, { validDays }))).toEqual({
      refused: [`A certificate is valid for 1 to 366 days; received ${validDays}.`],
    });
  });

  it('of a run that is not conformant, or not complete', () => {
    const blocked = buildReport(
      {
        ...cleanRun,
        checks: [...cleanRun.checks, check('own-ai-chat/names-offered-skills', 'blocked', { message: 'm' })],
      },
      sampleCatalogue,
    );
    expect(certifyReport(requestOf(manyFailuresReport))).toEqual({
      refused: expect.arrayContaining(['The endpoint is not conformant: 3 MUST requirements failed.']),
    });
    expect(certifyReport(requestOf(blocked))).toEqual({
      refused: ['The run is incomplete: 1 requirement could not be judged.'],
    });
  });

  it('of a run that is older than the certificate would be valid', () => {
    expect(certifyReport(requestOf(cleanReport, { now: later(90) }))).toEqual({
      refused: ['The run is older than the 90 days for which its certificate would be valid.'],
    });
  });
});

describe('verifying', () => {
  const certificate = certified(cleanReport);
  const reportText = renderJson(cleanReport);

  it('finds a certificate genuine, and reports the result of each point', () => {
    const { outcome, points } = verified(certificate);
    expect(outcome).toBe('genuine');
    expect(points.map(({ what, state }) => `${what} ${state}`)).toEqual([
      'signature valid',
      'report.json valid',
      'verdict valid',
      'catalogue valid',
      'kill matrix valid',
      'validity valid',
    ]);
  });

  it('finds any byte of the certificate that was changed', () => {
    const bytes = Buffer.from(certificate);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ difference;
        expect(verified(changed).outcome).toBe('not-genuine');
      }),
      { numRuns: 1500 },
    );
  });

  it('finds any byte of the report that was changed', () => {
    const bytes = Buffer.from(reportText);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, difference) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ difference;
        expect(broken(verified(certificate, { report: changed }))[0]).toMatch(
          /^report\.json: This is not the certified report/,
        );
      }),
      { numRuns: 500 },
    );
  });

  it('finds anything that was added, omitted or moved, in either file', () => {
    const edit = (text: string) =>
      fc
        .tuple(fc.nat(text.length), fc.nat(40), fc.string({ maxLength: 5 }))
        .map(([at, length, added]) => text.slice(0, at) + added + text.slice(at + length))
        .filter((edited) => edited !== text);
    fc.assert(
      fc.property(edit(certificate), (edited) => {
        expect(verified(edited).outcome).toBe('not-genuine');
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(edit(reportText), (edited) => {
        expect(verified(certificate, { report: Buffer.from(edited) }).outcome).toBe('not-genuine');
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, (envelope: any) => unknown]>([
    ['an additional field', (envelope) => ({ ...envelope, note: 'x' })],
    ['fields in another order', ({ payload, ...rest }) => ({ ...rest, payload })],
    ['another key id', (envelope) => ({ ...envelope, signatures: [{ ...envelope.signatures[0], keyid: '' }] })],
    ['more padding', (envelope) => ({ ...envelope, payload: `${envelope.payload}=` })],
  ])('rejects a file with %s around the signed content', (_, change) => {
    const changed = `${JSON.stringify(change(JSON.parse(certificate)), undefined, 2)}\n`;
    expect(broken(verified(changed))[0]).toMatch(
      /^signature: The signed statement is unchanged, but the file around it/,
    );
    expect(broken(verified(JSON.stringify(JSON.parse(certificate))))[0]).toMatch(/the file around it/);
  });

  it.each([
    ['an empty file', ''],
    ['text', 'PASSED'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a report', reportText],
    ['an envelope without a signature', '{"payload":"","payloadType":"","signatures":[]}'],
    ['an envelope with an invalid signature', '{"payload":"","payloadType":"","signatures":[null]}'],
  ])('says of %s that it is not a certificate', (_, text) => {
    expect(broken(verified(text))[0]).toMatch(/^signature: It is not a certificate/);
  });

  it('distinguishes a key that did not sign from a changed certificate', () => {
    const other = newKeyPair();
    const [words] = broken(verified(certificate, { publicKey: publicKeyOf(other.publicKey) }));
    expect(words).toBe(
      `signature: The signature was not made with this key: expected key ${other.keyId}, received one that names key ${keys.keyId}.`,
    );
  });

  it('rejects a signature over another type of payload', () => {
    const envelope = JSON.parse(certificate);
    const body = Buffer.from(envelope.payload, 'base64');
    const sig = sign(null, preAuthenticationEncoding('text/plain', body), key).toString('base64');
    const changed = { ...envelope, payloadType: 'text/plain', signatures: [{ ...envelope.signatures[0], sig }] };
    expect(verified(`${JSON.stringify(changed, undefined, 2)}\n`).outcome).toBe('not-genuine');
  });

  it.each<[string, (statement: any) => unknown]>([
    ['passedTests', (s) => s.predicate.passedTests.push('own-ai-chat/names-offered-skills')],
    ['subject', (s) => (s.subject[0].uri = 'https://other.example.com/crm')],
    ['verdict', (s) => (s.predicate.svcConform.verdict = 'conformant-with-warnings')],
    ['harness version', (s) => (s.predicate.svcConform.harnessVersion = '9.9.9')],
    [
      'an additional field',
      (s) => (s.predicate.svcConform.surfaces['own-ai-phone'] = { ...s.predicate.svcConform.surfaces['own-ai-chat'] }),
    ],
  ])('rejects a signed statement that differs from its report: %s', (_, change) => {
    const statement = statementIn(certificate);
    change(statement);
    expect(broken(verified(signed(statement)))).toContain('verdict: The certificate does not match its report.');
  });

  it('rejects a signed statement of a run that cannot be certified', () => {
    const report = { ...cleanReport, selection: { surfaces: ['crm-webhook'] } };
    const terms = { ...termsOf(certificate), reportDigest: sha256(renderJson(report)) };
    const verification = verified(signed(statementOf(report, terms)), { report: Buffer.from(renderJson(report)) });
    expect(broken(verification)).toEqual([
      'verdict: The report cannot be certified. Only some surfaces were run (crm-webhook).',
    ]);
  });

  it.each([
    ['that began after it was signed', { issuedAt: later(-1).toISOString() }, /began at .*, which is later than/],
    ['that would be valid for a lifetime', { validUntil: later(18_000).toISOString() }, /expected at most 366 days/],
    ['that ends before it begins', { validUntil: later(0).toISOString() }, /Its validity is empty/],
    ['without a real time', { validUntil: 'for ever' }, /Its validity is empty/],
  ])('rejects a signed statement of a run %s', (_, change, words) => {
    const terms = { ...termsOf(certificate), ...change };
    const verification = verified(signed(statementOf(cleanReport, terms)));
    expect(verification.outcome).toBe('not-genuine');
    expect(broken(verification).join('\n')).toMatch(words);
  });

  it('reports that an incomplete signed statement is not a certificate, and shows nothing of it', () => {
    const paths = pathsIn(statementIn(certificate)).filter((path) => path.join('.') !== 'predicate.failedTests.0');
    const crippled = paths.flatMap((path) => [undefined, null, 7, {}].map((value) => ({ path, value })));
    expect(crippled.length).toBeGreaterThan(100);
    for (const { path, value } of crippled) {
      const statement = statementIn(certificate);
      const holder = path.slice(0, -1).reduce((at: any, key) => at[key], statement);
      holder[path.at(-1) ?? ''] = value;
      const report = Buffer.from('{}');
      for (const verification of [verified(signed(statement)), verified(signed(statement), { report })]) {
        if (JSON.stringify(statement) !== JSON.stringify(statementIn(certificate))) {
          expect(verification.outcome, `${path.join('.')}: ${JSON.stringify(value)}`).toBe('not-genuine');
        }
        expect(renderVerification(verification, { colour: false })).not.toContain('undefined');
        expect(() => verificationJson(verification)).not.toThrow();
      }
    }
    const other = statementIn(certificate);
    other.predicate.svcConform.layout = 2;
    expect(broken(verified(signed(other)))).toEqual([
      expect.stringMatching(/^statement: The signed statement is not a certificate of this kind/),
    ]);
  });

  it.each([
    ['no statement', 'hello'],
    ['null', 'null'],
    [
      'another statement',
      '{"_type":"https://in-toto.io/Statement/v1","predicateType":"https://slsa.dev/provenance/v1"}',
    ],
  ])('reports that a signed %s is not a certificate of this kind', (_, payload) => {
    expect(broken(verified(signed(payload)))[0]).toMatch(/^statement: The signed statement is not a certificate/);
  });

  it.each([
    ['after its time', later(90), 'outdated', /was valid until .*Certify again/],
    ['long before it', later(-1), 'outdated', /in the future by the clock/],
    ['with a clock a minute behind', new Date(ranAt - 60_000), 'genuine', undefined],
  ])('checks the time: %s', (_, now, outcome, words) => {
    const verification = verified(certificate, { now });
    expect(verification.outcome).toBe(outcome);
    expect(broken(verification)).toEqual(words ? [expect.stringMatching(words)] : []);
  });

  it('compares catalogue and kill matrix with its own, if the version is the same', () => {
    expect(broken(verified(certificate, { killMatrix: 'other' }))).toEqual([
      expect.stringMatching(/^kill matrix: It differs from that of svc-conform 0\.1\.0/),
    ]);
    const other = verified(certificate, { killMatrix: 'other', version: '0.2.0', catalogue: {} });
    expect(other.outcome).toBe('genuine');
    expect(other.points.filter(({ state }) => state === 'unknown').map(({ what }) => what)).toEqual([
      'catalogue',
      'kill matrix',
    ]);
    expect(renderVerification(other, { colour: false })).toContain('verify with that version');
  });
});

describe('is described', () => {
  const certificate = certified(cleanReport);
  const shown = (verification: ReturnType<typeof verified>) =>
    renderVerification(verification, { colour: false }).replaceAll(/\s+/g, ' ');

  it('a genuine certificate: its statement, the evidence, and what it does not state', () => {
    const text = shown(verified(certificate));
    expect(text).toMatch(/^✓ genuine/);
    expect(text).toContain('exercised 8 requirements pass');
    expect(text).toContain('crm-webhook http://127.0.0.1:8080/crm; 4 of 6 requirements pass');
    expect(text).toContain('own-ai-chat http://127.0.0.1:8080/chat; 2 of 3 requirements pass');
    expect(text).toContain('refers to the exchanges that are its evidence, the first and the last of a long series');
    expect(text).not.toContain('every verdict');
    expect(text).toContain(`The key ${keys.keyId}`);
    expect(text).toContain('crm-webhook, api-webhooks, own-ai-chat had addresses on the certifying machine');
    expect(text).toContain('Anything about own-ai-phone, api-client, deep-links: not configured.');
    expect(text).toContain('2 requirements for which there was nothing to judge; report.json lists them');
    expect(text).toContain('1 requirement that cannot be observed from outside.');
  });

  it('the parts in the image, the parts elsewhere, and those that were not inspected', () => {
    const target = { ...targetInImage, 'crm-webhook': { url: 'https://crm.example.com/hook' } };
    const report = { ...cleanReport, target, container: imageRun };
    const text = shown(verified(certified(report), { report: Buffer.from(renderJson(report)) }));
    expect(text).toContain('Which program answered at crm-webhook: the program at an address can be replaced');
    expect(text).toContain('The content of the file links.txt: the certificate has only its name.');
    const other = { ...cleanReport, target: { ...cleanReport.target, 'crm-webhook': { command: 'npm run sync' } } };
    const rendered = shown(verified(certified(other), { report: Buffer.from(renderJson(other)) }));
    expect(rendered).toContain('Which program npm run sync started');
  });

  it('one that is not genuine: its faults, and nothing to rely on', () => {
    const text = shown(verified(certificate, { report: Buffer.from('{}') }));
    expect(text).toMatch(/^✗ not genuine/);
    expect(text).toContain('Signed content (do not rely on it)');
    expect(text).not.toContain('It relies on');
    expect(shown(verified('x'))).not.toContain('What');
  });

  it('one of a run that failed: that it did', () => {
    const statement = statementIn(certificate);
    statement.predicate.svcConform.verdict = 'non-conformant';
    statement.subject[0].name = 'constructor';
    const text = shown(verified(signed(statement)));
    expect(text).toContain('verdict non-conformant exercised');
    expect(text).not.toContain('NaN');
  });

  it('nothing that affects a terminal', () => {
    const url = `http://127.0.0.1:8080/${Object.values(hostile).join('')}`;
    const report = { ...cleanReport, target: { ...cleanReport.target, 'own-ai-chat': { url } } };
    const verification = verified(certified(report), { report: Buffer.from(renderJson(report)) });
    expect(verification.outcome).toBe('genuine');
    expect(renderVerification(verification, { colour: false })).toMatch(
      /^[\n\u0020-\u007e\u00a0-\u200a\u2010-\u2027\u2030-\u2065\u206a-\ufdcf]*$/,
    );
  });

  it('as JSON: the outcome, each point, and the statement', () => {
    expect(JSON.parse(verificationJson(verified(certificate)))).toMatchObject({
      outcome: 'genuine',
      keyId: keys.keyId,
      points: expect.arrayContaining([
        { what: 'validity', state: 'valid', words: `Valid until ${later(90).toISOString()}.` },
      ]),
      doesNotSay: expect.arrayContaining(['That there are no other faults.']),
      statement: statementIn(certificate),
    });
    expect(JSON.parse(verificationJson(verified('x')))).not.toHaveProperty('statement');
  });
});

describe('keys', () => {
  it('are a matching Ed25519 pair in PEM', () => {
    expect(keys.privateKey).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(keys.publicKey).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
    expect(keyIdOf(createPublicKey(key))).toBe(keys.keyId);
  });

  it('are read from one line, if an environment cannot contain line breaks', () => {
    const oneLine = keys.privateKey.trim().replaceAll('\n', '\\n');
    expect(sealEnvelope('x', privateKeyOf(oneLine))).toBe(sealEnvelope('x', key));
  });

  it.each([
    ['a public key', () => privateKeyOf(keys.publicKey), /received a public one/],
    ['a private key', () => publicKeyOf(keys.privateKey), /received a private one, which only the signer should have/],
    ['no key', () => privateKeyOf('hunter2'), /received other text/],
    ['no public key', () => publicKeyOf('hunter2'), /received other text/],
    [
      'a key of another kind',
      () =>
        privateKeyOf(
          generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
            type: 'pkcs8',
            format: 'pem',
          }) as string,
        ),
      /expected an Ed25519 key, received one of type ec/,
    ],
    [
      'an encrypted key',
      () =>
        privateKeyOf(
          generateKeyPairSync('ed25519').privateKey.export({
            type: 'pkcs8',
            format: 'pem',
            cipher: 'aes-256-cbc',
            passphrase: 'x',
          }) as string,
        ),
      /received an encrypted one/,
    ],
  ])('of other kinds are refused, and not shown: %s', (_, read, message) => {
    expect(read).toThrow(message);
    expect(read).not.toThrow(/hunter2/);
  });

  it('certify nothing that is nested deeper than a certificate', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const { payload } = openEnvelope(Buffer.from(certified(cleanReport)), publicKey) as { payload: string };
    const { outcome, points } = verified(sealEnvelope(payload.replace(/\}\s*$/, `,"more":${deep}}`), key));
    expect(outcome).toBe('not-genuine');
    expect(points.at(-1)?.words).toMatch(/^The signed statement is not a certificate of this kind/);
  });

  it('sign what DSSE says is to be signed', () => {
    // The example of the protocol document of DSSE 1.0.2.
    const encoded = preAuthenticationEncoding('http://example.com/HelloWorld', Buffer.from('hello world'));
    expect(encoded.toString()).toBe('DSSEv1 29 http://example.com/HelloWorld 11 hello world');
    expect(preAuthenticationEncoding('é', Buffer.from('ü')).toString()).toBe('DSSEv1 2 é 2 ü');
    expect(openEnvelope(Buffer.from(sealEnvelope('{"a":"ü"}', key)), publicKey)).toEqual({ payload: '{"a":"ü"}' });
  });
});

function termsOf(certificate: string) {
  const { svcConform, configuration } = statementIn(certificate).predicate;
  return {
    issuedAt: svcConform.issuedAt,
    validUntil: svcConform.validUntil,
    reportDigest: svcConform.report.digest.sha256,
    catalogueDigest: configuration[1].digest.sha256,
    killMatrixDigest: configuration[2].digest.sha256,
  };
}

/** The location of each field and each element of a statement. */
function pathsIn(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => [[...path, key], ...pathsIn(field, [...path, key])]);
}
