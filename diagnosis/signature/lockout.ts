import { isGatewayStatus } from '../gateway-status.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { describeAnswer, describeReception, type Offer } from './reception.ts';

/** The outcome if valid signatures are refused after invalid ones; empty for a rate limit. */
export type Lockout = Pick<ProbeOutcome, 'found' | 'suspects' | 'ends'>;

/**
 * A lockout with the same answer as an invalid signature is a fault; one with another answer (such as the page of a
 * firewall) is intentional and may be correct.
 */
export function lockoutOutcome(wrong: Offer | undefined, last: Offer): Lockout {
  const id = 'signature/locks-out';
  if (last.reception === 'throttled') return { suspects: [] };
  const { answer } = last.observation;
  if (answer.outcome === 'answered' && answer.status >= 500) {
    const failing = `Valid signatures were accepted first; then every signature, valid or not, got ${answer.status}, a status that does not refuse a signature.`;
    if (!isGatewayStatus(answer.status)) return { suspects: [{ id, why: failing }], ends: true };
    return {
      suspects: [
        { id: 'http/rate-limited', why: `${failing} Many proxies answer so when a limit is exceeded.` },
        { id: 'http/gateway', why: failing },
      ],
      ends: true,
    };
  }
  if (wrong === undefined || describeAnswer(wrong) === describeAnswer(last))
    return { found: { id }, suspects: [], ends: true };
  const why = `Invalid signatures of this diagnosis got: ${describeReception(wrong)}; a valid one after them: ${describeReception(last)}. The service never sends invalid ones, but the lockout may also count those of other clients.`;
  return { suspects: [{ id, why }], ends: true };
}

/** The outcome if valid signatures are sometimes accepted and sometimes refused: refusals are inconclusive then. */
export function inconsistentOutcome(refused: Offer): Lockout {
  const why = `Consecutive valid signatures of the same kind were sometimes accepted and sometimes refused (${describeReception(refused)}).`;
  return { suspects: [{ id: 'signature/not-always-the-same', why }], ends: true };
}
