import type { CheckKit } from '../../harness/checks/check.ts';
import type { Call } from '../../harness/wire/call.ts';
import { header, type CallObservation } from '../../harness/wire/observation.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { showsEffect } from '../observed-effects.ts';
import { once } from '../once.ts';
import { settleMs } from './speech.ts';
import { plainCall } from './talk.ts';

/** Earlier calls that must have left a trace, if calls have late effects. */
const tracedCalls = 2;

/** Whether an effect of a call can be seen. The plain call of the run serves for it, if it has not been made. */
export function isEffective(kit: CheckKit): Promise<boolean> {
  return once(kit.session, 'phone effective call', async () => {
    const send = () => holdCall(kit, 'a call, observed');
    const sendPlain = async () => {
      const made = kit.phone.calls.length;
      await plainCall(kit);
      if (kit.phone.calls.length === made) await send();
    };
    return (
      (await showsEffect(kit, sendPlain, { isLate: false })) ||
      ((await mayActLate(kit)) && (await showsEffect(kit, send)))
    );
  });
}

/**
 * Whether calls may have late effects: some earlier ones have left their ids in the state or at API v1, or too few have
 * ended long enough ago. Most AIs do nothing else than speak, and nothing is waited for.
 */
async function mayActLate({ phone, observe, inbox, settings: { retryWatchMs } }: CheckKit): Promise<boolean> {
  const longAgo = performance.now() - retryWatchMs;
  const earlier = phone.calls.filter(({ at, end }) => end && at + end.atMs < longAgo);
  if (earlier.length < tracedCalls) return true;
  const state = observe ? JSON.stringify(await observe.read('the state after earlier calls')) : '';
  const requests = inbox.apiEffects.after(0).map(({ signature }) => signature);
  const seen = [state, ...requests].join('\n');
  return earlier.some((call) => idsOf(call).some((id) => seen.includes(id)));
}

/** The identity of a call: its id, and those of its contact and project. */
function idsOf({ request, frames }: CallObservation): string[] {
  const started = frames.find(({ from }) => from === 'service')?.value as Partial<SessionStarted> | undefined;
  const ids = [header(request, 'x-svc-call-id'), started?.projectId, started?.contact?.id, started?.from];
  return ids.filter((id) => id !== undefined && id !== null).map(String);
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
