import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import { describeReception, draft, offer, type Offer } from './reception.ts';
import { invalidValue } from './judge-refusals.ts';
import { validPrefix } from './weaknesses.ts';
import { edgeMarginSeconds } from './window-edges.ts';

interface Forgery {
  label: string;
  spoil: (valid: SignedDelivery) => SignedDelivery;
  /** Of a ping, which some endpoints do not verify. */
  asPing?: boolean;
}

const outsideSeconds = limits.signatureToleranceSeconds + edgeMarginSeconds;

/** One of each frequent kind: every weakness that leaves an endpoint open to anyone accepts one of them. */
const forgeries: readonly Forgery[] = [
  { label: invalidValue, spoil: validPrefix(0) },
  { label: `${invalidValue}, of a ping`, spoil: validPrefix(0), asPing: true },
  { label: 'without X-Svc-Signature', spoil: forgedSignatures.noHeader },
  { label: 'without the last characters of v1', spoil: forgedSignatures.shortV1 },
  { label: `signed ${outsideSeconds} s ago`, spoil: (valid) => valid.with({ offsetSeconds: -outsideSeconds }) },
  { label: `signed ${outsideSeconds} s ahead`, spoil: (valid) => valid.with({ offsetSeconds: outsideSeconds }) },
];

const notTried =
  'Of the invalid signatures only the most frequent kinds were sent, since the cause of the failure is known; repeat the diagnosis after the fix.';

/**
 * Sends the most frequent invalid signatures, where the cause of a failure is known already. Deliveries are sent at once:
 * their answers do not depend on each other.
 */
export async function tryFrequentForgeries(
  connection: Connection,
): Promise<{ isAccepted: boolean; outcome: ProbeOutcome }> {
  const isCall = connection.surface === 'own-ai-phone';
  const send = async ({ label, spoil, asPing = false }: Forgery) =>
    await offer(connection, `a ${isCall ? 'call' : 'delivery'} ${label}`, spoil(draft(connection, { asPing })));
  const sent = forgeries.filter(({ asPing }) => !asPing || connection.surface === 'own-ai-chat');
  const offers: Offer[] = [];
  // An AI may handle one call at a time.
  if (isCall) for (const forgery of sent) offers.push(await send(forgery));
  else offers.push(...(await Promise.all(sent.map(send))));
  const refused = offers.filter(({ reception }) => reception === 'refused');
  const passed = `${refused.length} frequent kinds of invalid signatures are refused.`;
  return {
    isAccepted: offers.some(({ reception }) => reception === 'accepted' || reception === 'refused-with-2xx'),
    outcome: {
      suspects: [],
      passed: refused.length > 0 ? [passed] : [],
      seen: offers.map((one) => `A ${one.label.slice(2)}: ${describeReception(one)}.`),
      notObserved: [notTried],
    },
  };
}
