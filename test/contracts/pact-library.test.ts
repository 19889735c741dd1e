import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pactJs from '@pact-foundation/pact';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifySimulator } from '../../contracts/verify-simulator.ts';
import {
  addInteraction,
  apiInteractionNames,
  apiProvider,
  describeInteraction,
  exampleApiKey,
  type ApiInteractionChanges,
  type ApiInteractionName,
} from '../../entry/pact.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { PactV4 } = pactJs;

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(join(tmpdir(), 'svc-conform-consumer-'))));
afterAll(async () => await rm(directory, { recursive: true, force: true }));

const newPact = () => new PactV4({ consumer: 'shop', provider: apiProvider, dir: directory, logLevel: 'error' });

/** Sends a request to the mock server. */
async function send(url: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'X-Api-Key': exampleApiKey, ...(body && { 'Content-Type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

describe('the library of interactions', () => {
  it('describes each of them for people', () => {
    expect(apiInteractionNames.length).toBeGreaterThan(80);
    for (const name of apiInteractionNames) {
      const { method, path, status, description } = describeInteraction(name);
      expect({ name, method, path, description }).toEqual({
        name,
        method: expect.stringMatching(/^(GET|POST|PATCH|DELETE)$/) as string,
        path: expect.stringMatching(/^\/v1\//) as string,
        description: expect.stringMatching(/\w \w/) as string,
      });
      expect(status).toBeGreaterThanOrEqual(200);
    }
  });

  it('reports what the interface leaves open', () => {
    expect(describeInteraction('get-transcript/found').notShown.map(({ id }) => id)).toContain('project-resource');
    expect(describeInteraction('add-note/unknown-project').notShown.map(({ id }) => id)).toEqual(['api-target-form']);
    expect(describeInteraction('get-transcript/unknown-project').notShown).toEqual([]);
  });

  it('lets a client send and read custom values', async () => {
    const answered = await addInteraction(newPact(), 'get-agent/found', {
      description: 'the shop reads its assistant',
      parameters: { id: 99 },
      reads: ['agentId', 'timeoutSeconds'],
      answer: { agentId: 99, timeoutSeconds: 30 },
      bearer: true,
    }).executeTest(({ url }) =>
      send(url, 'GET', '/v1/agents/99', undefined, { Authorization: `Bearer ${exampleApiKey}` }),
    );
    expect(answered).toEqual({ status: 200, body: { agentId: 99, timeoutSeconds: 30 } });
  });

  it('derives states from the values that the client sends', () => {
    const { states } = describeInteraction('send-message/marketing-with-consent', {
      body: { phone: '+4930123456', text: 'New.', purpose: 'marketing' },
    });
    expect(states.map(({ params }) => params?.['phone'])).toEqual(['+4930123456', '+4930123456']);
    expect(describeInteraction('get-agent/unknown', { parameters: { id: 8 } }).states).toEqual([
      { name: 'no such assistant', params: { agentId: 8 } },
    ]);
  });

  it('accepts only requests that the client declares', async () => {
    const run = addInteraction(newPact(), 'add-note/created', {
      body: { projectId: 812, text: 'Wants an invoice.' },
    }).executeTest(({ url }) => send(url, 'POST', '/v1/notes', { projectId: 813, text: 'Wants an invoice.' }));
    await expect(run).rejects.toThrow('Expected 813 (Integer) to be equal to 812');
  });

  it.each<[string, ApiInteractionName, ApiInteractionChanges, string]>([
    ['a body that API v1 rejects', 'add-note/created', { body: { projectId: 'x', text: 'y' } }, 'an integer'],
    ['an answer that it does not give', 'add-note/created', { answer: { noteId: 'x' } }, 'an integer'],
    ['a field that the answer does not have', 'get-agent/found', { reads: ['secret'] }, 'received secret'],
    [
      'another outcome by another value',
      'send-message/marketing-without-consent',
      { body: { phone: '+4930901820', text: 'New.', purpose: 'service' } },
      'expected purpose to stay "marketing"',
    ],
    ['another outcome by another answer', 'test-agent/passed', { answer: { success: false } }, 'success unchanged'],
    ['fields of an error', 'get-agent/unknown', { reads: ['detail'] }, 'no change of an error'],
    ['an unknown name', 'get-agent/lost' as ApiInteractionName, {}, 'received get-agent/lost'],
  ])('refuses %s', (_, name, changes, message) => {
    expect(() => addInteraction(newPact(), name, changes)).toThrow(message);
  });
});

describe('the example', () => {
  it('gives a contract that the simulated service meets', async () => {
    const place = join(directory, 'shop');
    await cp(join(root, 'examples/pact'), place, { recursive: true });
    await mkdir(join(place, 'node_modules/@pact-foundation'), { recursive: true });
    await symlink(
      join(root, 'node_modules/@pact-foundation/pact'),
      join(place, 'node_modules/@pact-foundation/pact'),
      'dir',
    );
    // As in an installation, but from the sources.
    const own = join(place, 'node_modules/svc-conform');
    await mkdir(own);
    await writeFile(join(own, 'package.json'), '{ "type": "module", "exports": { "./pact": "./pact.js" } }');
    const source = new URL('../../entry/pact.ts', import.meta.url);
    await writeFile(join(own, 'pact.js'), `export * from ${JSON.stringify(source.href)};`);
    const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
    await promisify(execFile)(process.execPath, ['--test'], { cwd: place, env });
    const contract = await readFile(join(place, 'pacts/shop-api-v1.json'), 'utf8');
    const verdicts = await verifySimulator(contract);
    expect(verdicts.flatMap(({ troubles }) => troubles)).toEqual([]);
    expect(verdicts).toHaveLength(3);
  }, 60_000);
});
