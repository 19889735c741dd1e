import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../specs/is-loopback.ts';

/** The scheme that an address must have; the unencrypted form is allowed on this machine only. */
export type SafeScheme = 'https' | 'wss';

const openOf = { https: 'http:', wss: 'ws:' } as const satisfies Record<SafeScheme, string>;

/** Networks that are not public: those of RFC 6890 that are not global, 6to4, and multicast. */
const notPublic = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  notPublic.ipv4.addSubnet(network, bits, 'ipv4');
}
// A separate list: a single one would match each IPv4 address as the mapped one of ::ffff:0:0/96.
for (const [network, bits] of [
  ['::', 127],
  ['::ffff:0:0', 96],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  notPublic.ipv6.addSubnet(network, bits, 'ipv6');
}

/**
 * Whether the service may send to an address: absolute, without user name or password, https or wss, and not in a
 * network that is not public (interface: Errors, invalid_chat_url). This machine is allowed, with http and ws as well,
 * so that an endpoint under development can be reached. Names are not resolved.
 */
export function isAllowedAddress(address: string, scheme: SafeScheme): boolean {
  // URL removes white space at the ends, and line breaks in the middle.
  if (!URL.canParse(address) || /\s/.test(address)) return false;
  const { protocol, hostname: host, username, password, hash } = new URL(address);
  // A name may end in the dot of the root.
  const hostname = host.replace(/\.$/, '');
  if (username !== '' || password !== '') return false;
  // The address of a WebSocket has no fragment (RFC 6455, 3).
  if (scheme === 'wss' && hash !== '') return false;
  if (isLoopback(hostname)) return protocol === `${scheme}:` || protocol === openOf[scheme];
  return protocol === `${scheme}:` && isPublic(hostname);
}

function isPublic(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(address)) return !notPublic.ipv4.check(address, 'ipv4');
  if (isIPv6(address)) return !notPublic.ipv6.check(address, 'ipv6');
  return true;
}
