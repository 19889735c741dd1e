import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { HarnessFault } from '../checks/faults.ts';

/** One link of a list. */
export interface ListedLink {
  /** Line in the file, from 1. */
  line: number;
  /** As it stands there, without the white space around it. */
  text: string;
}

/** The links that the config lists, ready to be sent to a worker. */
export interface LinkList {
  /** The file as the config names it. */
  file: string;
  links: readonly ListedLink[];
}

/** What checks are given where the config lists no links. */
export const noLinks: LinkList = { file: '', links: [] };

/** Bytes of a list that are read; some ten thousand links. More is a mistake in the config rather than a list. */
export const largestListBytes = 2 ** 20;

/**
 * Reads the list that a config names. Throws {@link HarnessFault} `config-invalid` for a file that cannot be read or is
 * too large.
 *
 * @param directory what a relative path starts from: the directory of the config file
 * @param source the config, as messages call it
 */
export function readLinkList(file: string, { directory, source }: { directory: string; source: string }): LinkList {
  const read = linksInFile(resolve(directory, file));
  if ('links' in read) return { file, links: read.links };
  throw new HarnessFault('config-invalid', `${source}: deepLinks.file is ${file}, but ${read.problem}.`);
}

/**
 * Reads a file of deep links: one on each line; empty lines and lines that begin with # are omitted. Returns what
 * keeps it from being read, where something does.
 */
export function linksInFile(path: string): { links: ListedLink[] } | { problem: string } {
  let bytes: Uint8Array;
  try {
    bytes = firstBytes(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { problem: `there is no file ${path}` };
    if (code === 'EISDIR') return { problem: `${path} is a directory` };
    return { problem: `${path} cannot be read: ${message}` };
  }
  if (bytes.length > largestListBytes) return { problem: `${path} is larger than ${largestListBytes} bytes` };
  return { links: parseLinkList(bytes) };
}

/** The links of a list with their lines. Takes UTF-8, and UTF-16 with its mark, as PowerShell writes it. */
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

/** Up to one byte more than a list may have, whatever the path leads to: a device may never end. */
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
