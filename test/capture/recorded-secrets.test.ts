import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { message } from './chat-cases.ts';
import { crmEvent } from './crm-cases.ts';
import { addresses, apiKey, base, harOf, secret, token, type RecordedMessage } from './recorded.ts';

const subscription = 'Zm9vYmFyU2VjcmV0VmFsdWU5';
const agent = 'b3RoZXIgc2VjcmV0IG9mIG91cnM';
const inQuery = 'Kq71VaLue/99';
const key = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' };

/** The files and the output of a check of a recording. */
async function outputOf(all: readonly RecordedMessage[], ...args: string[]) {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('shop-of-mara.har'), harOf(all));
  const ended = await runCommand(
    ['check', '--capture', 'shop-of-mara.har', '--out', 'out', '--format', 'html', '--format', 'har', ...args],
    { cwd: directory.path, env: { CRM_TOKEN: token, SECRET: secret } },
  );
  const files = ['report.json', 'report.html', 'report.har'].map((name) =>
    readFile(directory.at(`out/${name}`), 'utf8'),
  );
  return { ...ended, files: await Promise.all(files) };
}

it('redacts recorded secrets in the report', async () => {
  const event = crmEvent('FinishedCall', {
    status: 500,
    answer: `Not for ${token}, nor for ${inQuery}`,
    callbackUrl: `${base}/callbacks/cb_1?id=7&access_token=V8hook%2Bname12`,
  });
  const subscribe = { url: 'https://shop.example/hooks', events: ['appointment.created'], description: 'x' };
  const { stdout, stderr, files } = await outputOf([
    { ...event, url: `${addresses.crm}?page=conversation&token=${encodeURIComponent(inQuery)}` },
    { url: `${base}/v1/webhooks`, headers: key, body: subscribe, at: 1, status: 201, answer: { secret: subscription } },
    // The exchange is shown because it breaks a rule.
    { url: `${base}/v1/webhooks`, headers: key, body: subscribe, at: 2, status: 201, answer: { secret: subscription } },
    { url: `${base}/v1/agents/5/secret`, headers: key, at: 3, answer: { secret: agent } },
    { url: `${base}/v1/agents/5/secret`, headers: key, at: 4, answer: { secret: `${agent}2` } },
  ]);
  expect(files[0]).toContain('webhook secret]');
  expect(files[0]).toContain('agent secret]');
  expect(files[0]).toContain('page=conversation&token=[redacted');
  expect(files[0]).toContain('id=7&access_token=[redacted');
  const forms = [subscription, agent, inQuery, encodeURIComponent(inQuery), 'V8hook%2Bname12', 'V8hook+name12', token];
  for (const text of [...files, stdout, stderr]) {
    for (const form of forms) expect(text).not.toContain(form);
  }
});

it('names no host and no file of the recording where it is anonymised', async () => {
  const all = [message(), { method: 'GET', url: 'https://secret-customer.example/v1/me', at: 1 }];
  const open = await outputOf(all);
  expect(open.stderr).toContain('shop-of-mara.har: judging recorded traffic');
  expect(open.stderr).toContain('nothing shows that secret-customer.example is the service');
  const discreet = await outputOf(all, '--anonymize');
  expect(discreet.stderr).toContain('The recording: judging recorded traffic');
  expect(discreet.stderr).toContain('nothing shows that its host is the service');
  for (const text of [discreet.stdout, discreet.stderr, ...discreet.files]) {
    expect(text).not.toMatch(/secret-customer|shop-of-mara/);
  }
});
