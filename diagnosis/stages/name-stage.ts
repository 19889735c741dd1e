import { lookup as systemLookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isLocalNetwork } from '../../harness/wire/is-local-network.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import type { Connection } from '../connection.ts';
import type { StageNotes, StageOutcome } from './stage.ts';

/** Resolves a name to all addresses, as a client on this machine does. */
export type ResolveName = (name: string) => Promise<readonly { address: string; family: number }[]>;

/** Milliseconds for a lookup; resolvers give up after about five seconds themselves. */
const lookUpMs = 8_000;
/** Codes for a name that does not exist or has no address. */
const unknownCodes = new Set(['ENOTFOUND', 'ENODATA', 'ENONAME']);

const systemLookUp: ResolveName = (name) => systemLookup(name, { all: true, verbatim: true });

/** Resolves the host in both address families. */
export async function nameStage(
  connection: Connection,
  notes: StageNotes,
  lookUp: ResolveName = systemLookUp,
): Promise<StageOutcome> {
  const { hostname } = new URL(connection.url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) {
    notes.addresses = [host];
    const seen = [`The URL contains the address ${host}, so no name is resolved.`];
    return { suspects: [], passed: [], seen, isNotApplicable: true };
  }
  const { proxy } = connection.session.routes.to(connection.url);
  if (proxy) {
    notes.addresses = [];
    const seen = [`The proxy ${proxy.shown} resolves the name ${host}.`];
    return { suspects: [], passed: [], seen, isNotApplicable: true };
  }
  let found: Awaited<ReturnType<ResolveName>>;
  try {
    found = await within(lookUp(host), Math.min(lookUpMs, connection.remainingMs));
  } catch (error) {
    return failed(host, error as NodeJS.ErrnoException);
  }
  notes.addresses = [...new Set(found.map(({ address }) => address))];
  if (notes.addresses.length === 0) return failed(host, { code: 'ENODATA' });
  const isHere = isLoopback(hostname);
  const isOnlyPrivate = !isHere && notes.addresses.every(isPrivate);
  return {
    suspects: [],
    passed: [`The name ${host} resolves to ${notes.addresses.join(', ')}.`],
    seen: [
      ...found.map(({ address, family }) => `${host} has the IPv${family} address ${address}.`),
      ...(isOnlyPrivate ? ['All of them belong to a private network, which the service cannot reach.'] : []),
    ],
  };
}

/** Whether an address cannot be reached from another network. */
export function isPrivate(address: string): boolean {
  return (
    isLocalNetwork(isIP(address) === 6 ? `[${address}]` : address) ||
    /^(?:0\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(address)
  );
}

function failed(host: string, { code = 'no code' }: { code?: string | undefined }): StageOutcome {
  if (unknownCodes.has(code)) {
    const text = `The host name ${host} does not exist, or has no address.`;
    return {
      found: { id: 'network/name-unknown', summary: text },
      suspects: [],
      passed: [],
      seen: [`Looking up ${host} ended with ${code}: the name does not exist or has no address.`],
    };
  }
  const why = `Looking up ${host} ended with ${code}, which does not say whether the name exists.`;
  return { suspects: [{ id: 'network/name-server-fails', why }], passed: [], seen: [why], ends: true };
}

async function within<T>(what: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('no answer'), { code: 'a timeout' })), ms);
  });
  try {
    return await Promise.race([what, late]);
  } finally {
    clearTimeout(timer);
  }
}
