import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpStates, tearDownStates } from '../../contracts/set-up-states.ts';
import { Session } from '../../harness/checks/session.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

const states = [{ name: 'a known caller', params: { caller: '+4930555000' } }];
const timeoutMs = 50;

let asked = 0;
let isSilent = true;
const server = createServer((request, response) => {
  asked++;
  request.resume();
  if (!isSilent) response.writeHead(200).end('{"caller":"+4930555111"}');
});
let session: Session;

beforeEach(async () => {
  asked = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/states`;
  session = await Session.open(settingsOf(configOf({}, { pact: { providerStates: { url } } })));
});

afterEach(async () => {
  await session[Symbol.asyncDispose]();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

it('an address that gives no answer is asked once more, and ends nothing', async () => {
  isSilent = true;
  for (let interaction = 1; interaction <= 4; interaction++) {
    const { missing } = await setUpStates(states, session, timeoutMs);
    expect(missing).toContain('The state “a known caller” was not set up (the address of pact.providerStates gave no');
    expect(missing).not.toContain('--answer-timeout');
    await tearDownStates(states, session, timeoutMs);
  }
  expect(asked).toBe(2);
});

it('an address that answers again counts as one that never failed', async () => {
  for (const silent of [true, false, true, false]) {
    isSilent = silent;
    const { missing } = await setUpStates(states, session, silent ? timeoutMs : 20_000);
    expect(missing === undefined).toBe(!silent);
  }
  expect(asked).toBe(4);
});
