/**
 * Host and port, an IPv6 address in brackets: HTTP and WebSocket addresses of one process have different origins.
 */
export function hostAndPort(url: string): string {
  const { hostname, port } = endpointOf(url);
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** Host, without brackets, and port of an address. */
export function endpointOf(url: string): { hostname: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
}
