import { isLoopback } from '../../specs/is-loopback.ts';

/** Addresses in a line of output: up to a space, a quotation mark or a bracket. */
const addressPattern = /https?:\/\/[^\s"'`<>()[\]{}|,;\\]+|https?:\/\/\[[0-9a-f:]+\](?::\d+)?/gi;

/**
 * The addresses in the output of a tunnel program that may lead to a port of this machine, each once. A tunnel has an
 * origin without a path, unlike a page of documentation; `http:` is for loopback only, because callbacks contain
 * credentials.
 *
 * @param port our own port, whose loopback address needs no tunnel
 */
export function tunnelAddresses(lines: readonly string[], port: number): string[] {
  const origins = lines.flatMap((line) =>
    Array.from(line.matchAll(addressPattern), ([text]) => URL.parse(text.replace(/[.:!?]+$/, ''))).flatMap((url) => {
      if (!url || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') return [];
      const isHere = isLoopback(url.hostname);
      if (isHere ? url.port === String(port) : url.protocol !== 'https:') return [];
      return [url.origin];
    }),
  );
  return [...new Set(origins)];
}
