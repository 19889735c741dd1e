import { isLoopback } from '../../specs/loopback.ts';
import { callbackRouteProblem } from '../../harness/wire/callback-route.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { Outcome, Suspect } from '../outcome.ts';
import type { FollowUp } from './follow.ts';

/** Why nothing came to any address of ours after a 202: what can be told of it, and what may be. */
export async function nothingCame(
  connection: Connection,
  { waitedMs, events }: Pick<FollowUp, 'waitedMs' | 'events'>,
): Promise<Omit<Outcome, 'fine' | 'seen'> & { fine?: string }> {
  const { publicUrl, publicUrlCheck = true } = connection.config.service;
  const isNear = isLoopback(new URL(connection.url).hostname);
  const address = events.find(({ made }) => made.box)?.made.box?.url ?? '';
  if (!isNear && isLoopback(new URL(address).hostname)) {
    return {
      found: {
        id: 'callback/no-way-back',
        text: 'The endpoint is on another machine, and the address for what follows leads to this one (loopback), so nothing can arrive.',
      },
      suspects: [],
    };
  }
  const astray = publicUrl === undefined ? undefined : await callbackRouteProblem(connection.session.inbox);
  if (astray !== undefined && publicUrlCheck) {
    return {
      found: { id: 'callback/public-url-broken', text: `A request of our own to service.publicUrl ${astray}.` },
      suspects: [],
    };
  }
  const seconds = Math.round(waitedMs / 1000);
  const why = `In ${seconds} s not even a connection arrived at the address that was given.`;
  const isCrm = connection.surface === 'crm-webhook';
  const never: Suspect = { id: 'callback/never-sent', why };
  const late: Suspect = {
    id: 'callback/not-yet',
    why: isCrm
      ? `Only ${seconds} s were waited, and the interface allows ${limits.crmCallbackWithinMs / 1000} s.`
      : `Only ${seconds} s were waited, and the interface names no limit for a reply.`,
  };
  const keptIn: Suspect = { id: 'callback/kept-in', why };
  const otherHost: Suspect = { id: 'callback/other-host', why };
  return {
    suspects: isNear ? [never, late, otherHost, keptIn] : [never, keptIn, late, otherHost],
    ...(publicUrl !== undefined && astray === undefined && { fine: 'service.publicUrl leads to our inbox.' }),
  };
}
