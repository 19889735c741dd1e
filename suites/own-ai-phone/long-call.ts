import type { CheckKit } from '../../harness/checks/check.ts';
import { CheckRecord, currentRecord, withRecord } from '../../harness/checks/check-record.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { once } from '../once.ts';
import { requireAnswers } from './talk.ts';

/** Sentences of the call from which the rules about answers are judged. */
export const sentences = 10;
const label = `a call of ${sentences} sentences`;

const early = new WeakMap<CheckKit['session'], Promise<CallObservation>>();

/**
 * Begins the long call from a check that has the endpoint to itself, since nothing takes longer. It continues alongside
 * what follows. In a partial run, the checks that need it make it.
 */
export function beginLongCall(kit: CheckKit): void {
  if (kit.settings.only.length > 0 || early.has(kit.session)) return;
  // Not evidence of the check that begins it.
  const record = new CheckRecord();
  record.part = currentRecord()?.part;
  record.alone = true;
  const call = withRecord(record, () => kit.phone.hold({ label }, (held) => sayAll(kit, held)));
  call.catch(() => undefined);
  early.set(kit.session, call);
}

/** One call with many plain sentences, each answered before the next; it serves several checks. */
export async function longCall(kit: CheckKit): Promise<CallObservation> {
  await requireAnswers(kit);
  const { session, phone } = kit;
  return await once(session, 'phone long call', () =>
    phone.holdSeveral(1, async (dial) => {
      // Known only now: the check that may begin it goes first.
      const known = await early.get(session)?.catch(() => undefined);
      // It ran alongside other calls, so it shows nothing of an endpoint that accepts only one or mixes them up.
      return known && phone.acceptsConcurrentCalls ? known : await sayAll(kit, await dial({ label }));
    }),
  );
}

async function sayAll({ sample }: CheckKit, call: Call): Promise<CallObservation> {
  for (let at = 0; at < sentences && call.isUp; at++) {
    const { outcome } = await call.ask(sample.callerSentence);
    if (outcome === 'nothing') break;
  }
  return call.observation;
}
