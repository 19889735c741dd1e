import { emptyOutcome, type ProbeOutcome, type Probe } from '../outcome.ts';
import { findComparedPart, findCheckedPart, differentToken } from './find-compared-part.ts';
import { findExpectedForm } from './find-expected-form.ts';
import { describeReception, attemptStatus, TokenProber, type TokenAttempt } from './token-prober.ts';

/** Times the correct token is sent when it is sometimes accepted and sometimes refused. */
const timesInconsistent = 6;

const bothRefused = 'Another token and a missing one are refused with 401.';
const notTried =
  'Other invalid tokens were not sent, because a problem was found or is suspected; repeat the diagnosis after the fix.';

/**
 * Determines which part of the bearer token the receiver of the CRM webhook compares, or in which form it expects the
 * token (interface: Authentication). Does nothing on other surfaces.
 */
export const diagnoseToken: Probe = async (connection, failing, { requests, isBrief } = {}) => {
  if (connection.surface !== 'crm-webhook') return emptyOutcome;
  const prober = new TokenProber(connection);
  const sendCorrect = () => prober.ask('the correct token', { authorization: `Bearer ${prober.token}` });
  const sendWrong = async () => ({
    garbage: await prober.ask('another token of the same length', {
      authorization: `Bearer ${differentToken(prober.token)}`,
    }),
    none: await prober.ask('no Authorization header', { authorization: null }),
  });
  const areRefused = ({ garbage, none }: Awaited<ReturnType<typeof sendWrong>>) =>
    [garbage, none].every((one) => attemptStatus(one) === 401);
  if (requests === 'invalid' && failing === undefined) {
    const wrong = await sendWrong();
    if (isBrief && areRefused(wrong)) {
      return { suspects: [], passed: [bothRefused], seen: prober.seen, notObserved: [notTried] };
    }
    if (wrong.garbage.reception !== 'accepted') return await findComparedPart(prober, wrong);
    return await findCheckedPart(prober, { ...wrong, right: await sendCorrect() });
  }
  const right = [await sendCorrect()];
  const [first] = right as [TokenAttempt];
  if (first.reception === 'not-answered') return { ...emptyOutcome, seen: prober.seen };
  if (first.reception !== 'accepted' || failing?.requirement === 'crm-webhook/accepts-the-token') {
    right.push(await sendCorrect());
    if (new Set(right.map(({ reception }) => reception)).size > 1) {
      while (right.length < timesInconsistent) right.push(await sendCorrect());
      return inconsistent(prober, right);
    }
  }
  if (requests === 'valid' && first.reception === 'accepted') {
    return { suspects: [], passed: ['The correct token is accepted.'], seen: prober.seen };
  }
  const wrong = await sendWrong();
  const { garbage } = wrong;
  const answers = { right: first, ...wrong };
  if (isBrief && areRefused(wrong)) {
    return { suspects: [], passed: [bothRefused], seen: prober.seen, notObserved: [notTried] };
  }
  if (first.reception === 'accepted') {
    return garbage.reception === 'accepted' ? findCheckedPart(prober, answers) : findComparedPart(prober, answers);
  }
  if (garbage.reception === 'accepted') return inverted(prober);
  const [status, otherStatus] = [attemptStatus(first), attemptStatus(garbage)];
  if (status !== otherStatus && (otherStatus === 401 || otherStatus === 403)) {
    const passed = [
      `A wrong token is refused with ${otherStatus}; the correct token passes that check and gets ${String(status)}.`,
    ];
    return { suspects: [], passed, seen: prober.seen };
  }
  const outcome = await findExpectedForm(prober, answers);
  if (outcome.found ?? outcome.suspects.length === 0) return outcome;
  // Only lookups were sent: an endpoint may refuse these and accept others.
  const isOpen = status !== otherStatus || (await prober.acceptsOtherType());
  return isOpen ? outcome : { ...outcome, ends: true };
};

/** The same token was both accepted and refused. */
function inconsistent(prober: TokenProber, right: readonly TokenAttempt[]): ProbeOutcome {
  const refused = right.filter(({ observation }) => [401, 403].includes(statusIn(observation.answer)));
  const accepted = right.filter(({ reception }) => reception === 'accepted');
  const id = 'token/not-always-accepted';
  const text = `The endpoint accepts the correct token only sometimes: ${refused.length} of ${right.length} events were ${describeReception((refused[0] ?? right[0] ?? never()).observation.answer)}.`;
  // A single result may be chance. Both results twice, and no other result, are not.
  if (refused.length >= 2 && accepted.length >= 2 && refused.length + accepted.length === right.length) {
    return { found: { id, summary: text }, suspects: [], passed: [], seen: prober.seen };
  }
  const why = 'The same token was accepted and refused, but not often enough to be certain.';
  return { suspects: refused.length === 0 ? [] : [{ id, summary: text, why }], passed: [], seen: prober.seen };
}

async function inverted(prober: TokenProber): Promise<ProbeOutcome> {
  const another = await prober.acceptsTokenTwice('a third token', `${differentToken(prober.token)}q`);
  const outcome = { suspects: [], passed: [], seen: prober.seen };
  if (another) return { ...outcome, found: { id: 'token/inverted' } };
  const why = 'The correct token was refused, and another one was accepted.';
  return { ...outcome, suspects: [{ id: 'token/inverted', why }] };
}

function statusIn(answer: TokenAttempt['observation']['answer']): number {
  return answer.outcome === 'answered' ? answer.status : 0;
}

function never(): never {
  throw new RangeError('expected at least one answer');
}
