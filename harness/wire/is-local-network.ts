import { BlockList, isIPv4, isIPv6 } from 'node:net';
import { isLoopback } from '../../specs/is-loopback.ts';

/** Private, shared and link-local addresses (RFC 1918, RFC 3927, RFC 4193, RFC 4291, RFC 6598). */
const local = new BlockList();
local.addSubnet('10.0.0.0', 8);
local.addSubnet('100.64.0.0', 10);
local.addSubnet('172.16.0.0', 12);
local.addSubnet('192.168.0.0', 16);
local.addSubnet('169.254.0.0', 16);
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');

/**
 * Whether a `URL.hostname` is this machine or reachable from its local network only: containers address the Docker host
 * by such addresses, by a name without a dot, or by a name in `.internal`.
 */
export function isLocalNetwork(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIPv4(address) || isIPv6(address)) return isLocalAddress(address);
  return isLoopback(hostname) || /^[^.]+$|\.internal$/.test(hostname);
}

/** Whether an IP address is one of this machine or of a private network. */
export function isLocalAddress(address: string): boolean {
  // A socket for both families reports IPv4 addresses in this form (RFC 4291, 2.5.5.2).
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (isIPv4(plain)) return isLoopback(plain) || local.check(plain, 'ipv4');
  return isIPv6(plain) && (isLoopback(`[${plain}]`) || local.check(plain, 'ipv6'));
}
