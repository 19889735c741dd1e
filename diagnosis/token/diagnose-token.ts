import { emptyOutcome, type Outcome, type Probe } from '../outcome.ts';
import { findComparedPart, findCheckedPart, differentToken } from './find-compared-part.ts';
import { findExpectedForm } from './find-expected-form.ts';
import { describeReception, attemptStatus, TokenProber, type TokenAttempt } from './token-prober.ts';

/** Times that the right token is sent when it is refused and accepted by turns. */
const timesByTurns = 6;

/**
 * Which part of the bearer token the receiver of the CRM webhook compares, or in which form it expects the token
 * (interface: Authentication). Of other surfaces nothing is looked at.
 */
export const diagnoseToken: Probe = async (connection, failing) => {
  if (connection.surface !== 'crm-webhook') return emptyOutcome;
  const prober = new TokenProber(connection);
  const sendRight = () => prober.ask('the right token', { authorization: `Bearer ${prober.token}` });
  const right = [await sendRight()];
  const [first] = right as [TokenAttempt];
  if (first.reception === 'not-answered') return { ...emptyOutcome, seen: prober.seen };
  if (first.reception !== 'accepted' || failing?.requirement === 'crm-webhook/accepts-the-token') {
    right.push(await sendRight());
    if (new Set(right.map(({ reception }) => reception)).size > 1) {
      while (right.length < timesByTurns) right.push(await sendRight());
      return byTurns(prober, right);
    }
  }
  const rubbish = await prober.ask('another token of the same length', {
    authorization: `Bearer ${differentToken(prober.token)}`,
  });
  const none = await prober.ask('no Authorization header', { authorization: null });
  const answers = { right: first, rubbish, none };
  if (first.reception === 'accepted') {
    return rubbish.reception === 'accepted' ? findCheckedPart(prober, answers) : findComparedPart(prober, answers);
  }
  if (rubbish.reception === 'accepted') return inverted(prober);
  const [status, otherStatus] = [attemptStatus(first), attemptStatus(rubbish)];
  if (status !== otherStatus && (otherStatus === 401 || otherStatus === 403)) {
    const passed = [
      `A wrong token is refused with ${otherStatus}; the right one gets past that, to a ${String(status)}.`,
    ];
    return { suspects: [], passed, seen: prober.seen };
  }
  return await findExpectedForm(prober, answers);
};

/** The very same token, accepted and refused. */
function byTurns(prober: TokenProber, right: readonly TokenAttempt[]): Outcome {
  const refused = right.filter(({ observation }) => [401, 403].includes(statusIn(observation.answer)));
  const accepted = right.filter(({ reception }) => reception === 'accepted');
  const id = 'token/not-always-accepted';
  const text = `The endpoint accepts the right token only at times: ${refused.length} of ${right.length} events were ${describeReception((refused[0] ?? right[0] ?? never()).observation.answer)}.`;
  // Once may be anything; both twice, and of nothing else, is not an accident.
  if (refused.length >= 2 && accepted.length >= 2 && refused.length + accepted.length === right.length) {
    return { found: { id, summary: text }, suspects: [], passed: [], seen: prober.seen };
  }
  const why = 'The same token was accepted and refused, but not often enough to be sure of it.';
  return { suspects: refused.length === 0 ? [] : [{ id, summary: text, why }], passed: [], seen: prober.seen };
}

async function inverted(prober: TokenProber): Promise<Outcome> {
  const another = await prober.surelyAcceptsToken('a third token', `${differentToken(prober.token)}q`);
  const outcome = { suspects: [], passed: [], seen: prober.seen };
  if (another) return { ...outcome, found: { id: 'token/inverted' } };
  const why = 'The right token was refused, and another one accepted.';
  return { ...outcome, suspects: [{ id: 'token/inverted', why }] };
}

function statusIn(answer: TokenAttempt['observation']['answer']): number {
  return answer.outcome === 'answered' ? answer.status : 0;
}

function never(): never {
  throw new RangeError('expected at least one answer');
}
