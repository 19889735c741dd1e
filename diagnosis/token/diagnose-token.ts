import { nothingSeen, type Outcome, type Probe } from '../outcome.ts';
import { findComparedPart, findWhatIsChecked, unlike } from './find-compared-part.ts';
import { findExpectedForm } from './find-expected-form.ts';
import { receptionText, statusOf, TokenDesk, type Asked } from './token-desk.ts';

/** Times that the right token is sent when it is refused and accepted by turns. */
const timesByTurns = 6;

/**
 * Which part of the bearer token the receiver of the CRM webhook compares, or in which form it expects the token
 * (interface: Authentication). Of other surfaces nothing is looked at.
 */
export const diagnoseToken: Probe = async (connection, failing) => {
  if (connection.surface !== 'crm-webhook') return nothingSeen;
  const desk = new TokenDesk(connection);
  const sendRight = () => desk.ask('the right token', { authorization: `Bearer ${desk.token}` });
  const right = [await sendRight()];
  const [first] = right as [Asked];
  if (first.reception === 'not-answered') return { ...nothingSeen, seen: desk.seen };
  if (first.reception !== 'accepted' || failing?.requirement === 'crm-webhook/accepts-the-token') {
    right.push(await sendRight());
    if (new Set(right.map(({ reception }) => reception)).size > 1) {
      while (right.length < timesByTurns) right.push(await sendRight());
      return byTurns(desk, right);
    }
  }
  const rubbish = await desk.ask('another token of the same length', { authorization: `Bearer ${unlike(desk.token)}` });
  const none = await desk.ask('no Authorization header', { authorization: null });
  const answers = { right: first, rubbish, none };
  if (first.reception === 'accepted') {
    return rubbish.reception === 'accepted' ? findWhatIsChecked(desk, answers) : findComparedPart(desk, answers);
  }
  if (rubbish.reception === 'accepted') return inverted(desk);
  const [status, otherStatus] = [statusOf(first), statusOf(rubbish)];
  if (status !== otherStatus && (otherStatus === 401 || otherStatus === 403)) {
    const fine = [
      `A wrong token is refused with ${otherStatus}; the right one gets past that, to a ${String(status)}.`,
    ];
    return { suspects: [], fine, seen: desk.seen };
  }
  return await findExpectedForm(desk, answers);
};

/** The very same token, accepted and refused. */
function byTurns(desk: TokenDesk, right: readonly Asked[]): Outcome {
  const refused = right.filter(({ observation }) => [401, 403].includes(statusIn(observation.answer)));
  const accepted = right.filter(({ reception }) => reception === 'accepted');
  const id = 'token/not-always-accepted';
  const text = `The endpoint accepts the right token only at times: ${refused.length} of ${right.length} events were ${receptionText((refused[0] ?? right[0] ?? never()).observation.answer)}.`;
  // Once may be anything; both twice, and of nothing else, is not an accident.
  if (refused.length >= 2 && accepted.length >= 2 && refused.length + accepted.length === right.length) {
    return { found: { id, text }, suspects: [], fine: [], seen: desk.seen };
  }
  const why = 'The same token was accepted and refused, but not often enough to be sure of it.';
  return { suspects: refused.length === 0 ? [] : [{ id, text, why }], fine: [], seen: desk.seen };
}

async function inverted(desk: TokenDesk): Promise<Outcome> {
  const another = await desk.surelyAcceptsToken('a third token', `${unlike(desk.token)}q`);
  const outcome = { suspects: [], fine: [], seen: desk.seen };
  if (another) return { ...outcome, found: { id: 'token/inverted' } };
  const why = 'The right token was refused, and another one accepted.';
  return { ...outcome, suspects: [{ id: 'token/inverted', why }] };
}

function statusIn(answer: Asked['observation']['answer']): number {
  return answer.outcome === 'answered' ? answer.status : 0;
}

function never(): never {
  throw new RangeError('expected at least one answer');
}
