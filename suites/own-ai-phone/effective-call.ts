import type { CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { showsEffect } from '../observed-effects.ts';
import { once } from '../once.ts';
import { settleMs } from './speech.ts';

/** Whether an effect of a call can be seen. */
export function isEffective(kit: CheckKit): Promise<boolean> {
  return once(kit.session, 'phone effective call', () => showsEffect(kit, () => holdCall(kit, 'a call, observed')));
}

/** A call in which one sentence is said, to its end. */
export async function holdCall(
  kit: CheckKit,
  label: string,
  { started, sentence = kit.sample.callerSentence }: { started?: Partial<SessionStarted>; sentence?: string } = {},
): Promise<CallObservation> {
  const isSilent = (await kit.phone.silentCall()) !== undefined;
  return await kit.phone.hold({ label, started, needsNoAnswer: isSilent }, (call) => talk(call, sentence, isSilent));
}

/** Says one sentence, and waits for the answer unless this AI gives none. */
export async function talk(call: Call, sentence: string, isSilent: boolean): Promise<CallObservation> {
  if (isSilent) call.speak(sentence);
  else await call.ask(sentence);
  await call.settle(settleMs);
  return call.observation;
}
