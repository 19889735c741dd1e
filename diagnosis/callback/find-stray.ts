import { shortJson } from '../../specs/explain-violations.ts';
import type { Found } from '../outcome.ts';
import type { InboxRequest } from './inbox-watch.ts';

/** Where a request went that should have gone to one of the addresses that were given out. */
export interface StrayRequest extends Found {
  /** The same for every request that misses its address in the same way. */
  way: string;
}

/** Why a request missed all of the addresses that were given out; `undefined` for one that went to one of them. */
export function findStray({ target }: InboxRequest, given: readonly URL[]): StrayRequest | undefined {
  const isGiven = ({ pathname, search }: URL) => target.endsWith(pathname + search) || target === listedOf(pathname);
  if (given.some(isGiven)) return undefined;
  for (const { pathname, search } of given) {
    const isCallback = search !== '';
    const name = isCallback ? 'callbackUrl' : 'replyUrl';
    if (isCallback && target.endsWith(pathname)) {
      return {
        id: 'callback/without-query',
        way: 'without-query',
        summary:
          'The callback goes to callbackUrl without its query, that is without what stands behind the question mark.',
      };
    }
    const how = alteration(target, pathname, search);
    if (how !== undefined) {
      return { id: 'callback/address-altered', way: how, summary: `The request goes to ${name}, but ${how}.` };
    }
  }
  const path = target.split('?')[0] ?? '';
  return {
    id: 'callback/wrong-place',
    way: path.replace(/\d+/g, '#'),
    summary: `The request goes to ${shortJson(path.replace(/[0-9a-f]{32}/g, '…'))} of the host that was given, which is not the path that was given.`,
  };
}

/** The address of agent-replies as the API lists it is as good as replyUrl. */
function listedOf(pathname: string): string | undefined {
  return /\/v1\/projects\/\d+\/agent-replies$/.exec(pathname)?.[0];
}

/** How a target differs from an address whose unguessable part it bears. */
function alteration(target: string, pathname: string, search: string): string | undefined {
  const mark = marksOf(pathname);
  const isMarked = mark.some((one) => target.toLowerCase().includes(one));
  if (!isMarked) return undefined;
  const [path = '', query] = target.split('?', 2);
  if (path === `${pathname}/`) return 'a slash is appended to its path';
  if (path === pathname && query !== undefined) return 'its query is another one';
  if (path.startsWith(pathname)) return 'something is appended to its path';
  if (decoded(target).includes(pathname + search)) return 'it is encoded once more';
  if (path !== pathname && path.toLowerCase() === pathname.toLowerCase()) return 'its letters have another case';
  if (pathname.endsWith(path)) return 'the beginning of its path is missing';
  return 'its path is another one';
}

/** The parts of a path that nobody can guess: 32 hex digits. */
function marksOf(pathname: string): string[] {
  // The first is that of the whole run; each address has one of its own behind it.
  return (pathname.match(/[0-9a-f]{32}/g) ?? []).slice(-1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
