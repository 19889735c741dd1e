import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { Balancer, listenError } from '../../harness/start/balancer.ts';
import { freePort } from '../../harness/wire/free-port.ts';

const host = '127.0.0.1';

interface Instance extends AsyncDisposable {
  place: { host: string; port: number };
  sockets: Socket[];
  stop: () => Promise<void>;
}

/** A server that answers with its name and the received data. */
async function instance(name: string, serve = echo): Promise<Instance> {
  const sockets: Socket[] = [];
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    serve(socket, name);
  });
  // A port that no other test uses meanwhile: some tests listen on it again.
  await once(server.listen(await freePort(), host), 'listening');
  const stop = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { place: { host, port: (server.address() as AddressInfo).port }, sockets, stop, [Symbol.asyncDispose]: stop };
}

function echo(socket: Socket, name: string): void {
  socket.on('data', (chunk: Buffer) => socket.write(`${name}:${chunk.toString()}`));
  socket.on('end', () => socket.end(`${name}:end`));
}

async function balancer(...instances: Instance[]): Promise<Balancer & { port: number }> {
  const port = await freePort();
  const made = new Balancer({ host, port });
  for (const [index, { place }] of instances.entries()) made.setPlace(index, place);
  await made.open();
  return Object.assign(made, { port });
}

/** Sends bytes on a new connection and returns the first received bytes. */
async function ask(port: number, text: string): Promise<string> {
  const socket = connect(port, host);
  const [answer] = (await once(
    socket.setEncoding('utf8').on('connect', () => socket.write(text)),
    'data',
  )) as [string];
  socket.destroy();
  return answer;
}

const isRefused = async (port: number) =>
  (await once(connect(port, host), 'connect').catch(() => 'refused')) === 'refused';

describe('several instances behind one address', () => {
  it('get connections in turn, as soon as the client has sent something', async () => {
    await using a = await instance('a');
    await using b = await instance('b');
    await using front = await balancer(a, b);
    expect(front.latest).toBeUndefined();
    expect(await ask(front.port, '1')).toBe('a:1');
    const probe = connect(front.port, host);
    await once(probe, 'connect');
    expect(await ask(front.port, '2')).toBe('b:2');
    expect(front.latest).toBe(1);
    expect(await ask(front.port, '3')).toBe('a:3');
    expect(front.latest).toBe(0);
    probe.destroy();
    expect([a.sockets.length, b.sockets.length]).toEqual([2, 1]);
  });

  it('keep a connection, on which the latest bytes count', async () => {
    await using a = await instance('a');
    await using b = await instance('b');
    await using front = await balancer(a, b);
    const kept = connect(front.port, host).setEncoding('utf8');
    kept.write('1');
    expect(await once(kept, 'data')).toEqual(['a:1']);
    expect(await ask(front.port, '2')).toBe('b:2');
    kept.write('3');
    expect(await once(kept, 'data')).toEqual(['a:3']);
    expect(front.latest).toBe(0);
    kept.destroy();
  });

  it('are passed over while they are not ready or refuse connections', async () => {
    await using a = await instance('a');
    await using b = await instance('b');
    await using front = await balancer(a, b);
    front.setPlace(0, undefined);
    expect([await ask(front.port, '1'), await ask(front.port, '2')]).toEqual(['b:1', 'b:2']);
    front.setPlace(0, a.place);
    await a.stop();
    expect([await ask(front.port, '3'), await ask(front.port, '4')]).toEqual(['b:3', 'b:4']);
    const again = createServer((socket) => echo(socket, 'again'));
    await once(again.listen(a.place.port, host), 'listening');
    await vi.waitFor(async () => expect(await ask(front.port, '5')).toBe('again:5'), { timeout: 10_000 });
    again.close();
  });

  it('refuse connections while none is ready, and end those without any bytes', async () => {
    await using a = await instance('a');
    await using front = await balancer(a);
    const silent = connect(front.port, host);
    await once(silent, 'connect');
    // Once a later connection is served, this one has been accepted.
    expect(await ask(front.port, '1')).toBe('a:1');
    const ended = once(silent.resume(), 'close');
    front.setPlace(0, undefined);
    await ended;
    expect(await isRefused(front.port)).toBe(true);
    front.setPlace(0, a.place);
    await vi.waitFor(async () => expect(await ask(front.port, '2')).toBe('a:2'), { timeout: 10_000 });
  });

  it('refuse connections when the only instance does not accept any', async () => {
    await using a = await instance('a');
    await using front = await balancer(a);
    await a.stop();
    const lost = connect(front.port, host);
    lost.on('error', () => undefined).write('1');
    await once(lost.resume(), 'close');
    expect(await isRefused(front.port)).toBe(true);
  });
});

describe('a connection', () => {
  it('is half-closed in both directions', async () => {
    await using a = await instance('a');
    await using front = await balancer(a);
    const client = connect({ port: front.port, host, allowHalfOpen: true }).setEncoding('utf8');
    let received = '';
    client.on('data', (text: string) => (received += text)).end('1');
    await once(client, 'end');
    expect(received).toBe('a:1a:end');
    client.destroy();
  });

  it('carries more bytes than fit into buffers', async () => {
    const size = 8 << 20;
    await using a = await instance('a', (socket) => {
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
      socket.on('end', () => socket.end(Buffer.alloc(size, String(bytes === size))));
    });
    await using front = await balancer(a);
    const client = connect({ port: front.port, host, allowHalfOpen: true });
    client.end(Buffer.alloc(size));
    let bytes = 0;
    client.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await once(client, 'end');
    expect(bytes).toBe(size);
    client.destroy();
  });

  it.each(['client', 'instance'] as const)('is reset by its %s', async (which) => {
    await using a = await instance('a');
    await using front = await balancer(a);
    const client = connect(front.port, host);
    client.write('1');
    await once(client, 'data');
    const [socket] = a.sockets;
    if (!socket) throw new Error('no connection arrived');
    const [from, to] = which === 'client' ? [client, socket] : [socket, client];
    const failed = new Promise((resolve) => to.once('error', resolve));
    from.resetAndDestroy();
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
  });
});

it('reports why nothing can listen at an address', async () => {
  await using a = await instance('a');
  expect(await listenError(a.place)).toMatchObject({ code: 'EADDRINUSE' });
  expect(await listenError({ host, port: await freePort() })).toBeUndefined();
});
