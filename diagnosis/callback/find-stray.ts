import { shortJson } from '../../specs/explain-violations.ts';
import type { Found } from '../outcome.ts';
import type { InboxRequest } from './inbox-watch.ts';

/** A request that missed the URLs that the harness gave out. */
export interface StrayRequest extends Found {
  /** Groups requests that miss their URL in the same way. */
  way: string;
}

/** Explains why a request missed the URLs that were given out; `undefined` if it reached one of them. */
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
        summary: 'The callback goes to callbackUrl without its query, the part after the question mark.',
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
    summary: `The request goes to ${shortJson(path.replace(/[0-9a-f]{32}/g, '…'))} on the given host, which is not the given path.`,
  };
}

/** The API also documents this path of agent-replies, so it is valid in place of replyUrl. */
function listedOf(pathname: string): string | undefined {
  return /\/v1\/projects\/\d+\/agent-replies$/.exec(pathname)?.[0];
}

/** Describes the difference between a target and a URL whose random part it contains. */
function alteration(target: string, pathname: string, search: string): string | undefined {
  const mark = marksOf(pathname);
  const isMarked = mark.some((one) => target.toLowerCase().includes(one));
  if (!isMarked) return undefined;
  const [path = '', query] = target.split('?', 2);
  if (path === `${pathname}/`) return 'a slash is appended to its path';
  if (path === pathname && query !== undefined) return 'its query differs';
  if (path.startsWith(pathname)) return 'something is appended to its path';
  if (decoded(target).includes(pathname + search)) return 'it is percent-encoded twice';
  if (path !== pathname && path.toLowerCase() === pathname.toLowerCase()) return 'its letter case differs';
  if (pathname.endsWith(path)) return 'the beginning of its path is missing';
  return 'its path differs';
}

/** The random parts of a path: 32 hex digits. */
function marksOf(pathname: string): string[] {
  // The first belongs to the run; each URL has its own after it.
  return (pathname.match(/[0-9a-f]{32}/g) ?? []).slice(-1);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
