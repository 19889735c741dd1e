import { writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { ClientUnderTest } from '../../harness/client/client-under-test.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const mebibyte = 1_048_576;

/** Sends this many notes of nearly 1 MiB, one at a time; the service refuses them. */
const clientOf = (requests: number) => `
for (let at = 0; at < ${requests}; at++) {
  await fetch(process.env.SVC_BASE_URL + '/v1/contacts', {
    method: 'POST',
    headers: { 'X-Api-Key': process.env.SVC_API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'x'.repeat(${mebibyte - 100}) }),
  }).then((answer) => answer.text(), () => undefined);
}
`;

async function trafficOf(requests: number) {
  await using directory = await temporaryDirectory();
  await writeFile(directory.at('client.mjs'), clientOf(requests));
  const apiClient = { command: `"${process.execPath}" client.mjs`, timeoutSeconds: 60, directory: directory.path };
  return await new ClientUnderTest(settingsOf(configOf({}, { apiClient }))).traffic();
}

it('keeps requests of a client only while there is room, and says so', async () => {
  const { exchanges, omitted, cutShort } = await trafficOf(40);
  const bytes = exchanges.reduce((sum, { request }) => sum + request.body.length, 0);
  expect(exchanges.length).toBeGreaterThan(30);
  expect(bytes).toBeLessThanOrEqual(32 * mebibyte);
  expect(omitted).toMatch(
    /^\d+ requests of the client were not kept and could not be judged; the maximum is 5000 requests and 32 MiB of bodies\./,
  );
  expect(cutShort).toBe(true);
}, 120_000);

it('keeps all of a client that sends less', async () => {
  const traffic = await trafficOf(3);
  expect(traffic.exchanges.length).toBeGreaterThanOrEqual(6);
  expect(traffic).not.toHaveProperty('omitted');
  expect(traffic).not.toHaveProperty('cutShort');
}, 120_000);
