import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { HarnessFault } from '../checks/faults.ts';

/** One link of a list. */
export interface ListedLink {
  /** Line in the file, from 1. */
  line: number;
  /** The link, trimmed. */
  text: string;
}

/** The links of the config; can be posted to a worker. */
export interface LinkList {
  /** The file name as in the config. */
  file: string;
  links: readonly ListedLink[];
}

/** The list of a config without links. */
export const noLinks: LinkList = { file: '', links: [] };

/** Maximum bytes of a list, which is about ten thousand links; a larger file is most likely a mistake. */
export const largestListBytes = 2 ** 20;

/**
 * Reads the list named in a config. Throws {@link HarnessFault} `config-invalid` for a file that cannot be read or is
 * too large.
 *
 * @param directory base of relative paths: the directory of the config file
 * @param source name of the config in messages
 */
export function readLinkList(file: string, { directory, source }: { directory: string; source: string }): LinkList {
  const read = linksInFile(resolve(directory, file));
  if ('links' in read) return { file, links: read.links };
  const received = `${file} (${read.problem})`;
  const problem = { key: 'deepLinks.file', expected: 'a list of deep links that can be read', received };
  throw new HarnessFault('config-invalid:problems', { source, problems: [problem] });
}

/**
 * Reads a file of deep links: one per line; empty lines and lines that begin with # are skipped. Returns the problem if
 * it cannot be read.
 */
export function linksInFile(path: string): { links: ListedLink[] } | { problem: string } {
  let bytes: Uint8Array;
  try {
    bytes = firstBytes(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: `${path} does not exist` };
    if (code === 'EISDIR') return { problem: `${path} is a directory` };
    return { problem: `${path} cannot be read: ${message}` };
  }
  if (bytes.length > largestListBytes) return { problem: `${path} is larger than ${largestListBytes} bytes` };
  return { links: parseLinkList(bytes) };
}

/**
 * Parses a list into links with line numbers. Accepts UTF-8, and UTF-16 with a byte order mark, as PowerShell writes
 * it.
 */
export function parseLinkList(bytes: Uint8Array): ListedLink[] {
  return new TextDecoder(charsetOf(bytes))
    .decode(bytes)
    .split(/\r\n|\n|\r/)
    .map((text, at) => ({ line: at + 1, text: text.trim() }))
    .filter(({ text }) => text !== '' && !text.startsWith('#'));
}

function charsetOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Reads at most one byte more than allowed, whatever the path refers to: a device may be endless. */
function firstBytes(path: string): Uint8Array {
  const buffer = new Uint8Array(largestListBytes + 1);
  const file = openSync(path, 'r');
  try {
    let length = 0;
    while (length < buffer.length) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return buffer.subarray(0, length);
  } finally {
    closeSync(file);
  }
}
