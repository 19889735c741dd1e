import { connect, isIP } from 'node:net';
import { connectTimeoutMs } from '../../harness/wire/connect.ts';
import { isLoopback } from '../../specs/loopback.ts';
import type { Connection } from '../connection.ts';
import type { Found, Suspect } from '../outcome.ts';
import { isPrivate } from './name-stage.ts';
import type { StageNotes, StageOutcome } from './stage.ts';

/** How one address took a connection. `no-route`: the network of this machine has no way there. */
export type Reached = 'taken' | 'refused' | 'silent' | 'no-route' | 'reset';

export type TryAddress = (address: string, port: number, patienceMs: number) => Promise<{ how: Reached; ms: number }>;

/** Addresses that are tried; a host with more is a large one. */
const mostAddresses = 6;

const words = {
  taken: 'takes connections',
  refused: 'refuses the connection',
  silent: 'does not answer',
  'no-route': 'cannot be reached from this machine',
  reset: 'breaks the connection off while it comes about',
} as const satisfies Record<Reached, string>;

/** Connects to every address of the host. */
export async function tcpStage(
  connection: Connection,
  { addresses }: StageNotes,
  tryOne: TryAddress = tryAddress,
): Promise<StageOutcome> {
  const url = new URL(connection.url);
  const port = portOf(url);
  const patienceMs = Math.min(connectTimeoutMs, connection.remainingMs);
  const tried = addresses.slice(0, mostAddresses);
  const tryAll = () =>
    Promise.all(tried.map(async (address) => ({ address, ...(await tryOne(address, port, patienceMs)) })));
  let results = await tryAll();
  // Once more before it counts: a server that is just starting again refuses for a moment.
  if (!results.some(({ how }) => how === 'taken')) results = await tryAll();
  const seen = results.map(
    ({ address, how, ms }) => `Port ${port} of ${shown(address)} ${words[how]} (${Math.round(ms)} ms).`,
  );
  const taken = results.filter(({ how }) => how === 'taken');
  if (taken.length === 0) {
    return { suspects: [], fine: [], ...whyNone(results, port, isLoopback(url.hostname)), seen, ends: true };
  }
  const fine = [`Port ${port} takes connections at ${taken.map(({ address }) => shown(address)).join(', ')}.`];
  const dead = results.filter(({ how }) => how !== 'taken' && how !== 'no-route');
  // That localhost is both 127.0.0.1 and ::1, and one of them is not listened to, is usual and harms nobody.
  if (dead.length === 0 || isLoopback(url.hostname)) return { suspects: [], fine, seen };
  const why = dead.map(({ address, how }) => `${shown(address)} ${words[how]}`).join(', ');
  return { suspects: [{ id: 'network/address-dead', why: `Of the addresses of the host, ${why}.` }], fine, seen };
}

/** The port of an address, also where it is that of the scheme. */
export function portOf({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
}

function whyNone(
  results: readonly { address: string; how: Reached }[],
  port: number,
  isHere: boolean,
): { found?: Found; suspects?: Suspect[] } {
  const places = results.map(({ address }) => shown(address)).join(' and ');
  // What this machine has no way to says nothing while it has one to the others.
  const routed = results.filter(({ how }) => how !== 'no-route');
  const every = (how: Reached) => routed.length > 0 && routed.every((result) => result.how === how);
  if (!isHere && results.every(({ address }) => isPrivate(address)) && !every('refused')) {
    return { found: { id: 'network/private-address', text: `The host leads to ${places}, of a private network.` } };
  }
  if (routed.length === 0) return { found: { id: 'network/no-route', text: `There is no way to ${places}.` } };
  if (every('refused')) {
    return { found: { id: 'network/refused', text: `Nothing listens at port ${port} of ${places}.` } };
  }
  if (every('silent')) {
    const text = `Nobody answers at port ${port} of ${places}: what is sent there is dropped, or the machine is off.`;
    return { found: { id: 'network/filtered', text } };
  }
  return {
    suspects: [
      { id: 'network/filtered', why: 'No address takes the connection, and not all of them refuse it.' },
      { id: 'network/refused', why: 'Some address refuses the connection, or breaks it off.' },
    ],
  };
}

function shown(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address;
}

function tryAddress(host: string, port: number, patienceMs: number): Promise<{ how: Reached; ms: number }> {
  return new Promise((resolve) => {
    const from = performance.now();
    const socket = connect({ host, port });
    const end = (how: Reached) => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ how, ms: performance.now() - from });
    };
    const timer = setTimeout(() => end('silent'), patienceMs);
    socket.once('connect', () => end('taken'));
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => end(howOf(code)));
  });
}

function howOf(code: string): Reached {
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT') return 'silent';
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'reset' : 'no-route';
}
