import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../specs/is-loopback.ts';
import type { ProxyAddress } from './route.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment sets for an address: HTTPS_PROXY for https: and wss:, HTTP_PROXY for http: and ws:,
 * except for hosts in NO_PROXY. A name in lower case has precedence. Loopback addresses are always reached directly:
 * the loopback of the proxy is another machine. Throws if the variable does not contain an address.
 */
export function environmentProxy(url: URL, environment: Environment): ProxyAddress | undefined {
  if (isLoopback(url.hostname)) return undefined;
  const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
  const [name, value] = variable(environment, isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY');
  if (value === '' || isExcepted(url, variable(environment, 'NO_PROXY')[1], isSecure)) return undefined;
  // As for curl, an address without a scheme is one of an HTTP proxy.
  const proxy = proxyAddress(value.includes('://') ? value : `http://${value}`);
  if (!proxy) throw new ProxyVariableError(name);
  return proxy;
}

/** A variable of the environment that should contain the address of a proxy contains something else. */
export class ProxyVariableError extends Error {
  override readonly name = 'ProxyVariableError';
  readonly variable: string;

  constructor(variable: string) {
    super(`${variable}: expected the address of an HTTP proxy, such as http://proxy.example.com:3128 (hidden)`);
    this.variable = variable;
  }
}

/** Parses the address of a proxy; `undefined` if it is not an http: or https: one. */
export function proxyAddress(text: string): ProxyAddress | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  if ((protocol !== 'http:' && protocol !== 'https:') || hostname === '') return undefined;
  const isSecure = protocol === 'https:';
  const number = port === '' ? (isSecure ? 443 : 80) : Number(port);
  return {
    host: bare(hostname),
    port: number,
    isSecure,
    shown: `${protocol}//${hostname}:${number}`,
    ...((username !== '' || password !== '') && {
      credentials: { user: unescaped(username), password: unescaped(password) },
    }),
  };
}

function variable(environment: Environment, name: string): [name: string, value: string] {
  const lower = name.toLowerCase();
  const value = environment[lower]?.trim();
  return value === undefined || value === '' ? [name, environment[name]?.trim() ?? ''] : [lower, value];
}

/** NO_PROXY as curl reads it: hosts with their subdomains, addresses, ranges of addresses, `*`; each with or without a port. */
function isExcepted(url: URL, list: string, isSecure: boolean): boolean {
  const host = bare(url.hostname);
  const port = url.port === '' ? (isSecure ? '443' : '80') : url.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [, whole = '', given] = /^(\[.*\]|[^:]*(?::[^:]*:.*)?)(?::(\d+))?$/.exec(entry) ?? [];
      if (given !== undefined && given !== port) return false;
      const name = bare(whole)
        .replace(/^\*?\./, '')
        .toLowerCase();
      if (name === '') return false;
      if (isIP(host) !== 0) return name === host || isInRange(host, name);
      return host === name || host.endsWith(`.${name}`);
    });
}

function isInRange(address: string, range: string): boolean {
  const [net = '', bits = ''] = range.split('/');
  const family = isIP(net);
  if (family === 0 || family !== isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(net, Number(bits), type);
  return list.check(address, type);
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
