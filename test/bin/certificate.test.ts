import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { grantCertificate } from '../../run/publish/grant-certificate.ts';
import { sealEnvelope } from '../../reports/certificate/envelope.ts';
import { newKeyPair, privateKeyOf } from '../../reports/certificate/keys.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { certifiableReport } from '../reports/certifiable-report.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const keys = newKeyPair();

const report = certifiableReport();
const certifiedText = sealEnvelope('{}', privateKeyOf(keys.privateKey));

async function certifiedDirectory() {
  const directory = await temporaryDirectory();
  await writeFile(directory.at('report.json'), renderJson(report));
  expect(
    await grantCertificate(
      report,
      { key: privateKeyOf(keys.privateKey), out: directory.path, now: new Date() },
      () => undefined,
    ),
  ).toBe(true);
  await writeFile(directory.at('public.pem'), keys.publicKey);
  return directory;
}

const verify = ['report', 'verify', 'certificate.json'];

describe('keygen', () => {
  it('writes a key that only its owner can read, and a public one', async () => {
    await using directory = await temporaryDirectory();
    const { code, stdout } = await runCommand(['keygen', '--out', 'keys', '--json'], { cwd: directory.path });
    expect(code).toBe(0);
    const { privateKey, publicKey, keyId } = JSON.parse(stdout);
    expect(keyId).toMatch(/^[0-9a-f]{64}$/);
    expect((await stat(join(directory.path, privateKey))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(directory.path, privateKey), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
    expect(await readFile(join(directory.path, publicKey), 'utf8')).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });

  it('replaces no key, and never leaves half of a pair behind', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('svc-conform.pub.pem'), 'mine');
    const { code, stderr } = await runCommand(['keygen'], { cwd: directory.path });
    expect(code).toBe(2);
    expect(stderr).toMatch(/svc-conform\.pub\.pem already exists\..*--out/);
    expect(await readFile(directory.at('svc-conform.pub.pem'), 'utf8')).toBe('mine');
    await expect(stat(directory.at('svc-conform.key.pem'))).rejects.toThrow(/ENOENT/);
  });
});

describe('report verify', () => {
  let directory: Awaited<ReturnType<typeof certifiedDirectory>>;
  beforeAll(async () => {
    directory = await certifiedDirectory();
    return () => directory[Symbol.asyncDispose]();
  });

  it('ends with 0 for a genuine certificate next to its report, and prints what it is based on', async () => {
    const { code, stdout, stderr } = await runCommand([...verify, '--public-key', 'public.pem'], {
      cwd: directory.path,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^✓ genuine\n/);
    expect(stdout).toContain('own-ai-chat   https://ai.example.com/chat');
    expect(stdout).toContain('It relies on');
    expect(stdout).toContain('It does not certify');
  });

  it('ends with 1 for another report, in words and as JSON', async () => {
    await writeFile(directory.at('other.json'), renderJson({ ...report, seed: 2 }));
    const args = [...verify, '--report', 'other.json', '--public-key', 'public.pem'];
    const result = await runCommand(args, { cwd: directory.path });
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^✗ not genuine\n/);
    const { code, stdout } = await runCommand([...args, '--json'], { cwd: directory.path });
    expect({ code, outcome: JSON.parse(stdout).outcome }).toEqual({ code: 1, outcome: 'not-genuine' });
  });

  it('takes the key from the environment', async () => {
    const args = [...verify, '--public-key', 'env:PUBLIC_KEY'];
    const env = { PUBLIC_KEY: keys.publicKey.replaceAll('\n', '\\n') };
    expect((await runCommand(args, { cwd: directory.path, env })).code).toBe(0);
    const { code, stderr } = await runCommand(args, { cwd: directory.path, env: { PUBLIC_KEY: '' } });
    expect(code).toBe(2);
    expect(stderr).toContain('expected a key in the environment variable PUBLIC_KEY, received nothing');
  });

  it.each([
    [
      ['nowhere.json', '--public-key', 'public.pem'],
      /nowhere\.json cannot be read: there is no such file or directory\. Expected a certificate\./,
    ],
    [
      ['certificate.json', '--report', 'nowhere.json', '--public-key', 'public.pem'],
      /nowhere\.json cannot be read: there is no such file or directory\. Expected the report of the certificate\./,
    ],
    [
      ['certificate.json', '--public-key', 'nowhere.pem'],
      /--public-key nowhere\.pem cannot be read: there is no such file or directory\. Expected a PEM file\./,
    ],
    [['certificate.json', '--public-key', 'report.json'], /expected a public key \(SPKI, PEM\).*keygen creates a pair/],
    [['certificate.json'], /--public-key/],
  ])('ends with 2 for wrong usage: %j', async (args, words) => {
    const { code, stdout, stderr } = await runCommand(['report', 'verify', ...args], { cwd: directory.path });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });
});

describe('check --certificate', () => {
  it.each([
    [['--certificate'], /--certificate needs --key/],
    [['--key', 'x.pem'], /--key signs a certificate: add --certificate/],
    [
      ['--certificate', '--key', 'x.pem', '--only', 'own-ai-chat/answers-ping'],
      /Only some requirements were run \(own-ai-chat\/answers-ping\)/,
    ],
    [['--certificate', '--key', 'x.pem', '--runs', '3'], /Fewer generated events than usual were sent \(3\)/],
    [['--certificate', '--key', 'x.pem', '--anonymize'], /--anonymize removes the evidence/],
    [['--certificate', '--key', 'x.pem', '--valid-days', '0'], /expected a whole number of days from 1 to 366/],
    [
      ['--certificate', '--key', 'nowhere.pem'],
      /--key nowhere\.pem cannot be read: there is no such file or directory\. Expected a PEM file\./,
    ],
  ])('is refused before anything is sent: %j', async (args, words) => {
    await using directory = await temporaryDirectory();
    const target = ['--chat-url', 'http://127.0.0.1:9/chat', '--chat-secret', 'env:S'];
    const env = { S: 'whsec_0123456789abcdef' };
    const { code, stderr } = await runCommand(['check', ...target, ...args], { cwd: directory.path, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(words);
  });
});

describe('check --certificate of a run that cannot be certified', () => {
  const bad = 'https://app.example.com/somewhere';

  it('ends with 1 although the gate alone ends with 0, and leaves no certificate behind', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('links.txt'), `${bad}\n`);
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ deepLinks: { file: 'links.txt' } }));
    await writeFile(directory.at('key.pem'), keys.privateKey);
    const first = await runCommand(['check', '--out', 'first'], { cwd: directory.path });
    expect(first.code).toBe(1);
    const again = ['check', '--baseline', 'first', '--out', 'again'];
    expect((await runCommand(again, { cwd: directory.path })).code).toBe(0);
    await writeFile(directory.at('again/certificate.json'), certifiedText);
    const { code, stderr } = await runCommand([...again, '--certificate', '--key', 'key.pem'], { cwd: directory.path });
    expect(code).toBe(1);
    expect(stderr).toMatch(/No certificate was signed\. The endpoint is not conformant/);
    await expect(stat(directory.at('again/certificate.json'))).rejects.toThrow(/ENOENT/);
  });
});
