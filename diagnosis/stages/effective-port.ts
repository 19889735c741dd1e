/** The port of a URL, by default that of its scheme. */
export function effectivePort({ port, protocol }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' || protocol === 'wss:' ? 443 : 80;
}
