import { requestedPauseMs, longestDiagnosisPauseMs } from '../../harness/wire/requested-pause.ts';
import { type Answer, type Answered, header } from '../../harness/wire/observation.ts';
import { causeOf, type CauseId } from '../causes.ts';
import { longTimeoutMs, type Connection } from '../connection.ts';
import { isSamePage } from '../is-same-page.ts';
import type { HttpControls } from './http-controls.ts';
import { otherCredential } from './other-credential.ts';
import { speaksTls } from './speaks-tls.ts';
import { judgeGate } from './judge-gate.ts';
import { judgeMalformed } from './judge-malformed.ts';
import { judgeNotFound } from './judge-not-found.ts';
import { isHtml, knownPage } from './known-pages.ts';
import { confirmOutcome } from './confirm-outcome.ts';
import type { StageOutcome } from './stage.ts';

/** Factor by which the second timeout is longer if there is a limit. */
const timeoutFactor = 2;

const tooMany = 429;

/** The outcome of a stage without a finding. */
export const noFinding: StageOutcome = { suspects: [], passed: [], seen: [] };

const byStatus: Readonly<Record<number, { id: CauseId; text: string }>> = {
  411: { id: 'http/length-wanted', text: 'The server answers 411, although the length is given.' },
  413: { id: 'http/too-large', text: 'A delivery of typical size is refused as too large (413).' },
  414: { id: 'http/too-large', text: 'The URL is refused as too long (414).' },
  415: { id: 'http/media-type-refused', text: 'The endpoint does not accept application/json (415).' },
  431: { id: 'http/too-large', text: 'The headers of a delivery are refused as too large (431).' },
};

/** Sends another valid delivery or upgrade, by default with the usual timeout. */
export type SendAnother = (timeoutMs?: number) => Promise<Answer>;

/** Determines from the answer to a valid delivery which component answered. */
export async function judgeAnswer(
  answer: Answer,
  connection: Connection,
  controls: HttpControls,
  again: SendAnother,
): Promise<StageOutcome> {
  switch (answer.outcome) {
    case 'answered': {
      const said = await judgeStatus(answer, connection, controls);
      if (said) return await confirmOutcome(answer, said, again);
      const gate = await judgeGate(answer, controls);
      if (gate) return await confirmOutcome(answer, gate, again);
      return (
        (await judgeGateway(answer, controls, again)) ??
        (await judgeLimited(answer, connection, controls)) ??
        answeredOutcome(answer)
      );
    }
    case 'no-answer':
      return await judgeSilence(answer, connection, controls, again);
    case 'malformed':
      return await confirmOutcome(answer, await judgeMalformed(answer, connection), again);
    case 'closed':
    case 'unreachable':
      return await confirmOutcome(answer, await judgeEnd(answer, connection, controls), again);
  }
}

/** Judges a status or page alone, for requests and upgrades; `undefined` without a finding. */
export async function judgeStatus(
  answer: Answered,
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome | undefined> {
  const { status } = answer;
  const page = knownPage(answer);
  if (page) {
    const text = `${causeOf(page.id).summary.replace(/\.$/, '')} (${page.who}, status ${status}).`;
    if (page.doubt === undefined) return outcomeWith(page.id, text);
    // An answer that precedes any check of the request also comes for an empty one.
    const isForAll = isSamePage(answer, await controls.ask('unsigned'), [controls.path]);
    return isForAll ? { ...noFinding, suspects: [{ id: page.id, summary: text, why: page.doubt }] } : undefined;
  }
  if (status >= 300 && status < 400) return judgeRedirect(answer, connection);
  if (status === 404 || status === 410) return await judgeNotFound(answer, controls);
  if (status === 405 || status === 501) return judgeMethod(answer, connection);
  const known = byStatus[status];
  if (known) return outcomeWith(known.id, known.text);
  if (status === 401 || status === 407) return await judgeChallenge(answer, controls);
  if (status >= 200 && status < 300 && isHtml(answer)) {
    const others = [await controls.ask('get'), await controls.ask('get-no-such-path')];
    const paths = [controls.path, controls.nowhere];
    if (others.every((other) => isSamePage(answer, other, paths))) {
      return outcomeWith('http/web-page', 'A website answers every request with the same page.');
    }
  }
  return undefined;
}

/** Judges a 5xx, if it is repeated: gateways may fail briefly. */
export async function judgeGateway(
  answer: Answered,
  controls: HttpControls,
  again: SendAnother,
): Promise<StageOutcome | undefined> {
  const { status } = answer;
  if (status < 500) return undefined;
  const nowhere = await controls.ask('get-no-such-path');
  if (nowhere.outcome !== 'answered' || nowhere.status < 500) return undefined;
  const second = await again();
  if (second.outcome !== 'answered' || second.status !== status) return undefined;
  if ([502, 503, 504].includes(status)) {
    return outcomeWith(
      'http/gateway',
      `A proxy answers every request with ${status}: it gets no answer from the application behind it.`,
    );
  }
  const why = `A valid request and a nonexistent path both get ${status}; an application that throws for every refusal and unknown path behaves the same way.`;
  return { ...noFinding, suspects: [{ id: 'http/application-fails', why }], ifRefused: otherCredential(controls) };
}

/**
 * Judges a 429 on the first delivery that persists after the requested pause, or requests too long a pause. An endpoint may
 * refuse invalid signatures with 429 as well: then unsigned requests get it, other paths do not, and no pause is requested.
 */
export async function judgeLimited(
  answer: Answered,
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome | undefined> {
  if (answer.status !== tooMany) return undefined;
  const pauseMs = requestedPauseMs(answer) ?? 0;
  const asks =
    pauseMs > longestDiagnosisPauseMs
      ? `and asks for a pause of ${Math.round(pauseMs / 1000)} s (Retry-After)`
      : 'and so is its repetition after a pause';
  const summary = `The first delivery is answered 429 (too many requests), ${asks}.`;
  if (header(answer, 'retry-after') !== undefined || !(await isRefusal(controls))) {
    return outcomeWith('http/rate-limited', summary);
  }
  connection.pausesWhenLimited = false;
  const why = 'Unsigned requests to this path get 429 as well, and other paths do not; no pause is requested.';
  return { ...answeredOutcome(answer), ifRefused: { id: 'http/rate-limited', summary, why } };
}

/** Whether 429 may be how the endpoint refuses a signature or token. */
async function isRefusal(controls: HttpControls): Promise<boolean> {
  const statusOf = (one: Answer) => (one.outcome === 'answered' ? one.status : undefined);
  const unsigned = statusOf(await controls.ask('unsigned'));
  return unsigned === tooMany && statusOf(await controls.ask('get-no-such-path')) !== tooMany;
}

/** The outcome if an HTTP server answered. */
function answeredOutcome({ status }: Answered): StageOutcome {
  const isTaken = status >= 200 && status < 300;
  return {
    ...noFinding,
    ...(isTaken && { isAccepted: isTaken }),
    passed: [isTaken ? `Valid requests get ${status}.` : 'An HTTP server answers at the URL.'],
  };
}

function judgeRedirect(answer: Answered, { url }: Connection): StageOutcome {
  const location = header(answer, 'location') ?? '';
  const from = new URL(url.replace(/^ws/, 'http'));
  const to = URL.canParse(location, from.href) ? new URL(location, from.href) : undefined;
  const isLogin =
    to !== undefined &&
    /\/(?:log[-_]?in|sign[-_]?in|auth|oauth2?|sso|session\/new|accounts)(?:[/.?]|$)/i.test(to.pathname);
  if (isLogin)
    return outcomeWith('http/redirects-to-login', `The URL redirects to a login: ${to.origin + to.pathname}.`);
  const where = to ? to.href : '(no Location header)';
  const onlySlash =
    to !== undefined &&
    to.origin === from.origin &&
    to.pathname.replace(/\/$/, '') === from.pathname.replace(/\/$/, '');
  const hint = onlySlash ? ' The only difference is the trailing slash.' : '';
  return outcomeWith('http/redirects', `The URL redirects to ${where} (status ${answer.status}).${hint}`);
}

function judgeMethod(answer: Answered, { surface }: Connection): StageOutcome {
  const allow = header(answer, 'allow');
  const method = surface === 'own-ai-phone' ? 'GET with an upgrade' : 'POST';
  const takes = allow === undefined ? '' : `; it accepts ${allow}`;
  return outcomeWith(
    'http/method-not-allowed',
    `The path does not accept ${method} (status ${answer.status})${takes}.`,
  );
}

/** Judges a password prompt of the web server, which applies to every path. */
async function judgeChallenge(answer: Answered, controls: HttpControls): Promise<StageOutcome | undefined> {
  const challenge = challengeOf(answer);
  if (challenge === undefined) return undefined;
  const others = [await controls.ask('get'), await controls.ask('no-such-path')];
  if (!others.every((other) => other.outcome === 'answered' && challengeOf(other) === challenge)) return undefined;
  return outcomeWith(
    'http/password-wanted',
    `The web server requires a user name and a password (${challenge}) for every path.`,
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
  again: SendAnother,
): Promise<StageOutcome> {
  if (answer.status !== undefined && connection.limitMs !== undefined) return await judgeUnended(answer, again);
  const [unsigned, get] = await Promise.all([controls.ask('unsigned'), controls.ask('get')]);
  if (unsigned.outcome === 'no-answer' && get.outcome === 'no-answer') return silentOutcome(answer.afterMs);
  if (unsigned.outcome !== 'answered' || unsigned.status < 400) return noFinding;
  const { limitMs } = connection;
  // A slow endpoint is not stuck: without a limit it is not at fault, with one the cause is slowness.
  const longerMs = limitMs === undefined ? longTimeoutMs : timeoutFactor * connection.timeoutMs;
  const from = performance.now();
  const second = await again(longerMs);
  const ms = performance.now() - from;
  const first = `one valid delivery was not answered within ${answer.afterMs / 1000} s`;
  if (second.outcome === 'no-answer') {
    return outcomeWith(
      'http/hangs-when-accepted',
      `A request without a signature or token gets ${unsigned.status} immediately, but a valid one gets no answer within ${second.afterMs / 1000} s.`,
    );
  }
  if (limitMs === undefined) connection.waitUpTo(longerMs);
  else if (second.outcome === 'answered' && ms > connection.timeoutMs) {
    return outcomeWith(
      'timing/always-slow',
      `Of two deliveries ${first}, and the other one after ${Math.round(ms / 1000)} s; the limit is ${limitMs / 1000} s.`,
    );
  }
  const isTaken = second.outcome === 'answered' && second.status >= 200 && second.status < 300;
  return {
    ...noFinding,
    ...(isTaken && { isAccepted: isTaken }),
    seen: [`Of two deliveries ${first}, and the other one after ${Math.round(ms / 100) / 10} s.`],
  };
}

/** Judges an answer that began and did not end, if its repetition does not end either. */
async function judgeUnended(
  { status, afterMs }: Answer & { outcome: 'no-answer' },
  again: SendAnother,
): Promise<StageOutcome> {
  const second = await again();
  if (second.outcome !== 'no-answer' || second.status !== status) return noFinding;
  const text = `Of two deliveries, each gets status ${status} and a body that does not end within ${afterMs / 1000} s.`;
  return outcomeWith('timing/answer-never-ends', text);
}

/** Judges a connection that is closed without an answer, for deliveries and upgrades. */
export async function judgeEnd(
  answer: Answer & { outcome: 'closed' | 'unreachable' },
  connection: Connection,
  controls: HttpControls,
): Promise<StageOutcome> {
  if (answer.outcome === 'unreachable' && answer.needsClientCertificate) {
    const what = answer.needsClientCertificate === 'any' ? 'requires a' : 'rejects our';
    return outcomeWith('tls/client-certificate', `The server ${what} client certificate.`);
  }
  if (await speaksTls(connection)) {
    return outcomeWith('http/speaks-tls', 'The port speaks TLS, but the URL has a scheme without TLS.');
  }
  const isCall = connection.surface === 'own-ai-phone';
  const get = await controls.ask('get');
  const unsigned = isCall ? get : await controls.ask('unsigned');
  const ended = (answer: Answer) => answer.outcome === 'closed' || answer.outcome === 'unreachable';
  const isAll = ended(unsigned) && ended(get);
  const why = isAll
    ? 'Valid requests, unsigned requests and a plain GET all end without an answer.'
    : 'Valid requests end without an answer, but other requests are answered.';
  // Some endpoints refuse in this way, so the signature or token may be the cause.
  return {
    ...noFinding,
    suspects: [{ id: 'http/closes', why }],
    ...(isAll && { ifRefused: otherCredential(controls) }),
  };
}

/** The outcome if no request is answered within the timeout. */
export function silentOutcome(afterMs: number): StageOutcome {
  return outcomeWith('http/silent', `The server accepts requests but answers none within ${afterMs / 1000} s.`);
}

/** The outcome of a stage with a cause. */
export function outcomeWith(id: CauseId, text: string): StageOutcome {
  return { found: { id, summary: text }, suspects: [], passed: [], seen: [] };
}
