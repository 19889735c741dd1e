/**
 * Host and port, an IPv6 address in brackets: HTTP and WebSocket addresses of one process have different origins.
 */
export function hostAndPort(url: string): string {
  const { hostname, port } = endpointOf(url);
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** Names of this machine: a process that listens on one of them usually listens on all. */
const namesOfLoopback: readonly string[] = ['localhost', '127.0.0.1', '::1'];

/** The places of the latest addresses: each exchange asks several times. */
const places = new Map<string, string>();
const mostPlaces = 100;

/** Key of the process behind an address: {@link hostAndPort}, the same for all names of this machine. */
export function placeAt(url: string): string {
  let place = places.get(url);
  if (place === undefined) {
    const { hostname, port } = endpointOf(url);
    place = namesOfLoopback.includes(hostname) ? `localhost:${port}` : hostAndPort(url);
    if (places.size === mostPlaces) places.clear();
    places.set(url, place);
  }
  return place;
}

/** {@link placeAt}, and the key of an address there: without its query, which may differ from one exchange to the next. */
export function placesOf(url: string): { place: string; address: string } {
  const place = placeAt(url);
  return { place, address: `${place}${new URL(url).pathname}` };
}

/** Host, without brackets, and port of an address. */
export function endpointOf(url: string): { hostname: string; port: number } {
  const { hostname, port, protocol } = new URL(url);
  const isSecure = protocol === 'https:' || protocol === 'wss:';
  return { hostname: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (isSecure ? 443 : 80) : Number(port) };
}
