import { isLoopback } from '../../specs/is-loopback.ts';
import { callbackRouteProblem } from '../../harness/wire/callback-route.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { Found, ProbeOutcome, Suspect } from '../outcome.ts';
import { followsHostHeader } from './follows-host-header.ts';
import type { FollowUp } from './follow-event.ts';

/** Finds that the endpoint uses the host of the event instead of that of the given URL. */
export async function findOtherHost(
  connection: Connection,
  { events: [event] }: Pick<FollowUp, 'events'>,
  seen: string[],
): Promise<Found | undefined> {
  if (!event || !(await followsHostHeader(connection, event.made, seen))) return undefined;
  const [url, request] = connection.surface === 'crm-webhook' ? ['callbackUrl', 'callback'] : ['replyUrl', 'reply'];
  return {
    id: 'callback/other-host',
    summary: `The endpoint does not use the host of ${url}: it sends the ${request} to the host in the header Host or X-Forwarded-Host of the event. With another name of this machine in both headers, the request went to that name, twice.`,
  };
}

/** The questions for the developer about a request that does not arrive. */
export function questionsAbout(url: string): string {
  return `ask the developer: Which URL does the log show for the outgoing request, and which error? Does its host come from ${url}, or from a setting such as the base URL of the service?`;
}

/** Explains why no request reached the inbox after a 202: the cause or the suspects. Adds what it observes to `seen`. */
export async function explainMissing(
  connection: Connection,
  { waitedMs, events }: Pick<FollowUp, 'waitedMs' | 'events'>,
  seen: string[],
): Promise<Omit<ProbeOutcome, 'passed' | 'seen'> & { passed?: string }> {
  const { publicUrl, publicUrlCheck = true } = connection.config.service;
  const isCrm = connection.surface === 'crm-webhook';
  const isNear = isLoopback(new URL(connection.url).hostname);
  const address = events.find(({ made }) => made.box)?.made.box?.url ?? '';
  if (!isNear && isLoopback(new URL(address).hostname)) {
    return {
      found: {
        id: 'callback/no-way-back',
        summary:
          'The endpoint is on another machine, but the URL for callbacks and replies is a loopback address, so nothing can arrive.',
      },
      suspects: [],
    };
  }
  const astray = publicUrl === undefined ? undefined : await callbackRouteProblem(connection.session.inbox);
  if (astray !== undefined && publicUrlCheck) {
    return {
      found: { id: 'callback/public-url-broken', summary: `Our own request to service.publicUrl ${astray}.` },
      suspects: [],
    };
  }
  const url = isCrm ? 'callbackUrl' : 'replyUrl';
  const before = new Map(connection.callbackBoxes.map(({ box }) => [box, box.arrivals.length]));
  const found = await findOtherHost(connection, { events }, seen);
  if (found) return { found, suspects: [] };
  connection.isCallbackMissing = true;
  const seconds = Math.round(waitedMs / 1000);
  const why = `No connection arrived at the given URL within ${seconds} s.`;
  const never: Suspect = { id: 'callback/never-sent', why };
  const late: Suspect = {
    id: 'callback/not-yet',
    why: isCrm
      ? `The diagnosis waited only ${seconds} s, and the interface allows ${limits.crmCallbackWithinMs / 1000} s.`
      : `The diagnosis waited only ${seconds} s, and the interface sets no limit for a reply.`,
  };
  if (connection.callbackBoxes.some(({ box }) => box.arrivals.length > (before.get(box) ?? 0))) {
    return {
      suspects: [],
      notObserved: [`The first requests to ${url} came later than the diagnosis waits. ${late.why}`],
    };
  }
  const keptIn: Suspect = { id: 'callback/kept-in', why };
  const otherHost: Suspect = {
    id: 'callback/other-host',
    why: `${why} If one was sent, ${questionsAbout(url)}`,
  };
  return {
    suspects: isNear ? [never, late, otherHost, keptIn] : [never, keptIn, late, otherHost],
    ...(publicUrl !== undefined && astray === undefined && { passed: 'service.publicUrl reaches the inbox.' }),
  };
}
