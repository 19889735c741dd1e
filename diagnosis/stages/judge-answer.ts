import { requestedPauseMs, longestDiagnosisPauseMs } from '../../harness/wire/pace.ts';
import type { Answer, Answered } from '../../harness/wire/observation.ts';
import { header } from '../../harness/wire/observation.ts';
import { causeOf, type CauseId } from '../causes.ts';
import { longPatienceMs, type Connection } from '../connection.ts';
import { isSamePage, type HttpControls } from './http-controls.ts';
import { otherCredential } from './other-credential.ts';
import { speaksTls } from './speaks-tls.ts';
import { judgeMalformed } from './judge-malformed.ts';
import { judgeNotFound } from './judge-not-found.ts';
import { isHtml, knownPage } from './known-pages.ts';
import { saidTwice } from './said-twice.ts';
import type { StageOutcome } from './stage.ts';

/** How much longer the second of two is waited for where there is a limit. */
const timesPatience = 2;

/** Nothing to say at this stage. */
export const passedOn: StageOutcome = { suspects: [], fine: [], seen: [] };

const byStatus: Readonly<Record<number, { id: CauseId; text: string }>> = {
  411: { id: 'http/length-wanted', text: 'The server answers 411, although the length is given.' },
  413: { id: 'http/too-large', text: 'A delivery of the usual size is refused as too large (413).' },
  414: { id: 'http/too-large', text: 'The address is refused as too long (414).' },
  415: { id: 'http/media-type-refused', text: 'The endpoint does not take application/json (415).' },
  431: { id: 'http/too-large', text: 'The headers of a delivery are refused as too large (431).' },
};

/** Sends another right delivery or upgrade; waits for its answer as long as usual when no milliseconds are given. */
export type Again = (patienceMs?: number) => Promise<Answer>;

/** What the answer to a right delivery says about who answered. */
export async function judgeAnswer(
  answer: Answer,
  connection: Connection,
  controls: HttpControls,
  again: Again,
): Promise<StageOutcome> {
  switch (answer.outcome) {
    case 'answered': {
      const said = await judgeStatus(answer, connection, controls);
      if (said) return await saidTwice(answer, said, again);
      return (await judgeGateway(answer, controls, again)) ?? judgeLimited(answer) ?? met(answer);
    }
    case 'no-answer':
      return await judgeSilence(answer, connection, controls, again);
    case 'malformed':
      return await saidTwice(answer, await judgeMalformed(answer.detail, connection), again);
    case 'closed':
    case 'unreachable':
      return await saidTwice(answer, await judgeEnd(answer, connection, controls), again);
  }
}

/** What a status or page says by itself, of requests and upgrades alike; `undefined` where it says nothing. */
export async function judgeStatus(
  answer: Answered,
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome | undefined> {
  const { status } = answer;
  const page = knownPage(answer);
  if (page) {
    const text = `${causeOf(page.id).summary.replace(/\.$/, '')} (${page.who}, status ${status}).`;
    if (page.doubt === undefined) return found(page.id, text);
    // Only what comes before anything is looked at comes for a request without all of it as well.
    const isForAll = isSamePage(answer, await controls.ask('unsigned'), [controls.path]);
    return isForAll ? { ...passedOn, suspects: [{ id: page.id, text, why: page.doubt }] } : undefined;
  }
  if (status >= 300 && status < 400) return judgeRedirect(answer, connection);
  if (status === 404 || status === 410) return await judgeNotFound(answer, controls);
  if (status === 405 || status === 501) return judgeMethod(answer, connection);
  const known = byStatus[status];
  if (known) return found(known.id, known.text);
  if (status === 401 || status === 407) return await judgeChallenge(answer, controls);
  if (status >= 200 && status < 300 && isHtml(answer)) {
    const others = [await controls.ask('get'), await controls.ask('get-no-such-path')];
    const paths = [controls.path, controls.nowhere];
    if (others.every((other) => isSamePage(answer, other, paths))) {
      return found('http/web-page', 'A website answers with the same page whatever is asked.');
    }
  }
  return undefined;
}

/** What a 5xx says; twice, since gateways fail for a moment now and then. */
export async function judgeGateway(
  answer: Answered,
  controls: HttpControls,
  again: Again,
): Promise<StageOutcome | undefined> {
  const { status } = answer;
  if (status < 500) return undefined;
  const nowhere = await controls.ask('get-no-such-path');
  if (nowhere.outcome !== 'answered' || nowhere.status < 500) return undefined;
  const second = await again();
  if (second.outcome !== 'answered' || second.status !== status) return undefined;
  if ([502, 503, 504].includes(status)) {
    return found(
      'http/gateway',
      `A proxy answers ${status} to everything: it gets nothing from the application behind it.`,
    );
  }
  const why = `What is right and a path that nobody has both get ${status}; an application in which every refusal and every unknown path becomes an exception looks like this too.`;
  return { ...passedOn, suspects: [{ id: 'http/application-fails', why }], ifRefused: otherCredential(controls) };
}

/** A 429 that outlasts the pauses it asks for, or asks for one that is too long; nothing was sent before. */
export function judgeLimited(answer: Answered): StageOutcome | undefined {
  if (answer.status !== 429) return undefined;
  const pauseMs = requestedPauseMs(answer) ?? 0;
  const asks =
    pauseMs > longestDiagnosisPauseMs
      ? `and asks for a pause of ${Math.round(pauseMs / 1000)} s (Retry-After)`
      : 'and so is the same after a pause';
  return found('http/rate-limited', `The first delivery is answered 429 (too many requests), ${asks}.`);
}

/** Somebody who speaks HTTP has answered. */
function met({ status }: Answered): StageOutcome {
  const isTaken = status >= 200 && status < 300;
  return {
    ...passedOn,
    ...(isTaken && { isTaken }),
    fine: [isTaken ? `What is right is answered with ${status}.` : 'An HTTP server answers at the address.'],
  };
}

function judgeRedirect(answer: Answered, { url }: Connection): StageOutcome {
  const location = header(answer, 'location') ?? '';
  const from = new URL(url.replace(/^ws/, 'http'));
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isLogin =
    to !== undefined &&
    /\/(?:log[-_]?in|sign[-_]?in|auth|oauth2?|sso|session\/new|accounts)(?:[/.?]|$)/i.test(to.pathname);
  if (isLogin) return found('http/redirects-to-login', `The address leads to a login: ${to.origin + to.pathname}.`);
  const where = to ? to.href : '(no place is named)';
  const onlySlash =
    to !== undefined &&
    to.origin === from.origin &&
    to.pathname.replace(/\/$/, '') === from.pathname.replace(/\/$/, '');
  const hint = onlySlash ? ' The only difference is the slash at the end.' : '';
  return found('http/redirects', `The address only leads on to ${where} (status ${answer.status}).${hint}`);
}

function judgeMethod(answer: Answered, { surface }: Connection): StageOutcome {
  const allow = header(answer, 'allow');
  const method = surface === 'own-ai-phone' ? 'GET with an upgrade' : 'POST';
  const takes = allow === undefined ? '' : `; it takes ${allow}`;
  return found('http/method-not-allowed', `The path does not take ${method} (status ${answer.status})${takes}.`);
}

/** A password is wanted in front of everything, and not by the endpoint itself. */
async function judgeChallenge(answer: Answered, controls: HttpControls): Promise<StageOutcome | undefined> {
  const challenge = challengeOf(answer);
  if (challenge === undefined) return undefined;
  const others = [await controls.ask('get'), await controls.ask('no-such-path')];
  if (!others.every((other) => other.outcome === 'answered' && challengeOf(other) === challenge)) return undefined;
  return found(
    'http/password-wanted',
    `The web server wants a user name and a password (${challenge}) for every path.`,
  );
}

function challengeOf(answer: Answered): string | undefined {
  if (answer.status === 407) return 'Proxy-Authenticate';
  if (answer.status !== 401) return undefined;
  return /^(?:Basic|Digest|Negotiate|NTLM)\b/i.exec(header(answer, 'www-authenticate') ?? '')?.[0];
}

async function judgeSilence(
  answer: Answer & { outcome: 'no-answer' },
  connection: Connection,
  controls: HttpControls,
  again: Again,
): Promise<StageOutcome> {
  const [unsigned, get] = await Promise.all([controls.ask('unsigned'), controls.ask('get')]);
  if (unsigned.outcome === 'no-answer' && get.outcome === 'no-answer') return silent(answer.afterMs);
  if (unsigned.outcome !== 'answered' || unsigned.status < 400) return passedOn;
  const { limitMs } = connection;
  // Some are slow and not stuck: that is not a fault where the interface names no limit, and another one where it does.
  const longerMs = limitMs === undefined ? longPatienceMs : timesPatience * connection.patienceMs;
  const from = performance.now();
  const second = await again(longerMs);
  const ms = performance.now() - from;
  const first = `one that is right was not answered within ${answer.afterMs / 1000} s`;
  if (second.outcome === 'no-answer') {
    return found(
      'http/hangs-when-accepted',
      `What has no signature or token is answered with ${unsigned.status} at once, and what is right not within ${second.afterMs / 1000} s.`,
    );
  }
  if (limitMs === undefined) connection.waitUpTo(longerMs);
  else if (second.outcome === 'answered' && ms > connection.patienceMs) {
    return found(
      'timing/always-slow',
      `Of two deliveries ${first}, and the other one after ${Math.round(ms / 1000)} s; the limit is ${limitMs / 1000} s.`,
    );
  }
  const isTaken = second.outcome === 'answered' && second.status >= 200 && second.status < 300;
  return {
    ...passedOn,
    ...(isTaken && { isTaken }),
    seen: [`Of two deliveries ${first}, and the other one after ${Math.round(ms / 100) / 10} s.`],
  };
}

/** What a connection that is ended without an answer says, to a delivery or an upgrade. */
export async function judgeEnd(
  answer: Answer & { outcome: 'closed' | 'unreachable' },
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome> {
  if (answer.outcome === 'unreachable' && answer.needsClientCertificate === true) {
    return found('tls/client-certificate', 'The server requires a client certificate.');
  }
  if (await speaksTls(connection)) {
    return found('http/speaks-tls', 'The port speaks TLS, and the address has the plain scheme.');
  }
  const isCall = connection.surface === 'own-ai-phone';
  const get = await controls.ask('get');
  const unsigned = isCall ? get : await controls.ask('unsigned');
  const ended = (answer: Answer) => answer.outcome === 'closed' || answer.outcome === 'unreachable';
  const isAll = ended(unsigned) && ended(get);
  const why = isAll
    ? 'What is right, what is not signed and a plain GET are all ended without an answer.'
    : 'What is right is ended without an answer, and other requests are answered.';
  // Some endpoints refuse in this way, so the signature or token may be what they do not like.
  return {
    ...passedOn,
    suspects: [{ id: 'http/closes', why }],
    ...(isAll && { ifRefused: otherCredential(controls) }),
  };
}

/** Nothing was answered for as long as is waited. */
export function silent(afterMs: number): StageOutcome {
  return found('http/silent', `The server takes requests and answers none of them within ${afterMs / 1000} s.`);
}

/** A cause that is told at this stage. */
export function found(id: CauseId, text: string): StageOutcome {
  return { found: { id, text }, suspects: [], fine: [], seen: [] };
}
