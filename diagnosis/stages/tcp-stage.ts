import { connect, isIP, type TcpNetConnectOpts } from 'node:net';
import { connectTimeoutMs } from '../../harness/wire/connect.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import type { Connection } from '../connection.ts';
import type { Found, Suspect } from '../outcome.ts';
import { isPrivate } from './name-stage.ts';
import { effectivePort } from './effective-port.ts';
import { proxyStage } from './proxy-stage.ts';
import type { StageNotes, StageOutcome } from './stage.ts';

/** Result of connecting to one address. `no-route`: unreachable from the network of this machine. */
export type ConnectResult = 'accepted' | 'refused' | 'silent' | 'no-route' | 'reset';

export type TryAddress = (
  address: string,
  port: number,
  timeoutMs: number,
) => Promise<{ how: ConnectResult; ms: number }>;

/** Most addresses that are tried. */
const mostAddresses = 6;

const words = {
  accepted: 'accepts connections',
  refused: 'refuses the connection',
  silent: 'does not answer',
  'no-route': 'cannot be reached from this machine',
  reset: 'resets the connection while it is established',
} as const satisfies Record<ConnectResult, string>;

/** Connects to every address of the host. */
export async function tcpStage(
  connection: Connection,
  { addresses }: StageNotes,
  tryOne: TryAddress = addressTrier(connection),
): Promise<StageOutcome> {
  const url = new URL(connection.url);
  const { proxy, ...route } = connection.session.routes.to(connection.url);
  if (proxy) return await proxyStage(connection, { ...route, proxy });
  const port = effectivePort(url);
  const timeoutMs = Math.min(connectTimeoutMs, connection.remainingMs);
  const tried = addresses.slice(0, mostAddresses);
  const tryAll = () =>
    Promise.all(tried.map(async (address) => ({ address, ...(await tryOne(address, port, timeoutMs)) })));
  let results = await tryAll();
  // Repeated before it counts: a restarting server refuses briefly.
  if (!results.some(({ how }) => how === 'accepted')) results = await tryAll();
  const seen = results.map(
    ({ address, how, ms }) => `Port ${port} of ${shown(address)} ${words[how]} (${Math.round(ms)} ms).`,
  );
  const accepting = results.filter(({ how }) => how === 'accepted');
  if (accepting.length === 0) {
    return { suspects: [], passed: [], ...whyNone(results, port, isLoopback(url.hostname)), seen, ends: true };
  }
  const passed = [`Port ${port} accepts connections at ${accepting.map(({ address }) => shown(address)).join(', ')}.`];
  const dead = results.filter(({ how }) => how !== 'accepted' && how !== 'no-route');
  // A server that listens on only one of 127.0.0.1 and ::1 is common and harmless.
  if (dead.length === 0 || isLoopback(url.hostname)) return { suspects: [], passed, seen };
  const why = dead.map(({ address, how }) => `${shown(address)} ${words[how]}`).join(', ');
  return {
    suspects: [{ id: 'network/address-dead', why: `Of the addresses of the host, ${why}.` }],
    passed,
    seen,
  };
}

function whyNone(
  results: readonly { address: string; how: ConnectResult }[],
  port: number,
  isHere: boolean,
): { found?: Found; suspects?: Suspect[] } {
  const places = results.map(({ address }) => shown(address)).join(' and ');
  // Unroutable addresses say nothing if there is a route to others.
  const routed = results.filter(({ how }) => how !== 'no-route');
  const every = (how: ConnectResult) => routed.length > 0 && routed.every((result) => result.how === how);
  if (!isHere && results.every(({ address }) => isPrivate(address)) && !every('refused')) {
    return {
      found: { id: 'network/private-address', summary: `The host resolves to ${places}, in a private network.` },
    };
  }
  if (routed.length === 0) return { found: { id: 'network/no-route', summary: `There is no route to ${places}.` } };
  if (every('refused')) {
    return { found: { id: 'network/refused', summary: `Nothing listens at port ${port} of ${places}.` } };
  }
  if (every('silent')) {
    const text = `Port ${port} of ${places} does not respond: packets are dropped, or the machine is off.`;
    return { found: { id: 'network/filtered', summary: text } };
  }
  return {
    suspects: [
      { id: 'network/filtered', why: 'No address accepts the connection, and not all of them refuse it.' },
      { id: 'network/refused', why: 'At least one address refuses or resets the connection.' },
    ],
  };
}

function shown(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function addressTrier({ session, url }: Connection): TryAddress {
  const { localAddress } = session.routes.to(url);
  return (host, port, timeoutMs) =>
    tryAddress({ host, port, ...(localAddress !== undefined && { localAddress }) }, timeoutMs);
}

function tryAddress(options: TcpNetConnectOpts, timeoutMs: number): Promise<{ how: ConnectResult; ms: number }> {
  return new Promise((resolve) => {
    const from = performance.now();
    const socket = connect(options);
    const end = (how: ConnectResult) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ how, ms: performance.now() - from });
    };
    const timer = setTimeout(() => end('silent'), timeoutMs);
    socket.once('connect', () => end('accepted'));
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => end(howOf(code)));
  });
}

function howOf(code: string): ConnectResult {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT') return 'silent';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'no-route';
}
