import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import { nameStage, type ResolveName } from '../../diagnosis/stages/name-stage.ts';
import type { StageNotes } from '../../diagnosis/stages/stage.ts';
import { tcpStage, type ConnectResult } from '../../diagnosis/stages/tcp-stage.ts';
import { listening } from '../server-fixture.ts';

async function connectionTo(url: string): Promise<Connection> {
  const config = {
    apiWebhooks: { url, secret: 'whk_for-the-network-tests' },
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
  };
  return await Connection.open('api-webhooks', config, { seed: 1, withinMs: 20_000 });
}

const fresh = (...addresses: string[]): StageNotes => ({ addresses, doubts: [] });

describe('the stage of names', () => {
  const lookedUp = async (url: string, lookUp: ResolveName) => {
    await using connection = await connectionTo(url);
    const notes = fresh();
    return { outcome: await nameStage(connection, notes, lookUp), notes };
  };
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

  it('passes every address of both families to later stages', async () => {
    const { outcome, notes } = await lookedUp('https://hooks.example/a', () =>
      Promise.resolve([
        { address: '2001:db8::7', family: 6 },
        { address: '192.0.2.7', family: 4 },
      ]),
    );
    expect(notes.addresses).toEqual(['2001:db8::7', '192.0.2.7']);
    expect(outcome).toMatchObject({
      suspects: [],
      seen: [/IPv6 address 2001:db8::7/, /IPv4 address 192\.0\.2\.7/].map(
        (pattern) => expect.stringMatching(pattern) as string,
      ),
    });
  });

  it('looks nothing up for an IP address', async () => {
    const never: ResolveName = () => Promise.reject(new Error('was asked'));
    const { outcome, notes } = await lookedUp('https://[2001:db8::7]/a', never);
    expect(outcome.isNotApplicable).toBe(true);
    expect(notes.addresses).toEqual(['2001:db8::7']);
  });

  it('reports a name that does not exist, as the real resolver does for .invalid', async () => {
    const { outcome } = await lookedUp('https://hooks.example/a', failing('ENOTFOUND'));
    expect(outcome.found).toMatchObject({
      id: 'network/name-unknown',
      summary: expect.stringContaining('hooks.example') as string,
    });
    await using connection = await connectionTo('https://no-such-host.invalid/a');
    const { found, suspects } = await nameStage(connection, fresh());
    // A machine without a name server cannot know whether a name exists.
    expect([found?.id, suspects[0]?.id]).toContainEqual(
      expect.stringMatching(/^network\/name-(?:unknown|server-fails)$/),
    );
  });

  it('does not confuse a failing name server with a name that does not exist', async () => {
    const { outcome } = await lookedUp('https://hooks.example/a', failing('EAI_AGAIN'));
    expect(outcome).toMatchObject({ suspects: [{ id: 'network/name-server-fails' }], ends: true });
    expect(outcome.found).toBeUndefined();
  });
});

describe('the stage of TCP', () => {
  const tried = async (hows: Record<string, ConnectResult>, url = 'https://hooks.example/a') => {
    await using connection = await connectionTo(url);
    const tries: string[] = [];
    const outcome = await tcpStage(connection, fresh(...Object.keys(hows)), (address) => {
      tries.push(address);
      return Promise.resolve({ how: hows[address] ?? 'accepted', ms: 1 });
    });
    return { ...outcome, tries };
  };

  it('passes a listening port, and reports one where nothing listens', async () => {
    const server = await listening(createServer((socket) => socket.destroy()));
    const { port } = server;
    await using connection = await connectionTo(`http://127.0.0.1:${port}/a`);
    const open = await tcpStage(connection, fresh('127.0.0.1'));
    expect(open).toMatchObject({ suspects: [], passed: [`Port ${port} accepts connections at 127.0.0.1.`] });
    await server[Symbol.asyncDispose]();
    const shut = await tcpStage(connection, fresh('127.0.0.1'));
    expect(shut).toMatchObject({
      found: { id: 'network/refused', summary: `Nothing listens at port ${port} of 127.0.0.1.` },
      passed: [],
    });
  });

  it.each([
    ['silent', 'network/filtered'],
    ['refused', 'network/refused'],
    ['no-route', 'network/no-route'],
  ] as const)('reports the result of every address, after trying each twice: %s', async (how, id) => {
    const { found, tries } = await tried({ '192.0.2.1': how, '2001:db8::1': how });
    expect(found?.id).toBe(id);
    expect(tries).toHaveLength(4);
  });

  it('judges only addresses to which this machine has a route', async () => {
    const { found, suspects } = await tried({ '192.0.2.1': 'refused', '2001:db8::1': 'no-route' });
    expect(found?.id).toBe('network/refused');
    expect(suspects).toEqual([]);
    const mixed = await tried({ '192.0.2.1': 'refused', '192.0.2.2': 'silent' });
    expect(mixed.found).toBeUndefined();
    expect(mixed.suspects.map(({ id }) => id)).toEqual(['network/filtered', 'network/refused']);
  });

  it('reports private addresses only if they cannot be reached', async () => {
    expect((await tried({ '10.1.2.3': 'silent' })).found?.id).toBe('network/private-address');
    expect(await tried({ '10.1.2.3': 'accepted' })).toMatchObject({ suspects: [] });
  });

  it('suspects one dead address among living ones, but not that of localhost or one that has no route from here', async () => {
    const dead = await tried({ '192.0.2.1': 'accepted', '2001:db8::1': 'refused' });
    expect(dead.suspects).toMatchObject([
      { id: 'network/address-dead', why: expect.stringContaining('[2001:db8::1]') as string },
    ]);
    expect((await tried({ '127.0.0.1': 'accepted', '::1': 'refused' }, 'https://localhost/a')).suspects).toEqual([]);
    expect((await tried({ '192.0.2.1': 'accepted', '2001:db8::1': 'no-route' })).suspects).toEqual([]);
  });
});
