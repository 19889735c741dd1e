import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Connection } from '../connection.ts';
import { classifyReception } from './reception.ts';

/**
 * Whether the endpoint checks a signature over the callSid. The callSid arrives only with
 * `session.started`, so such an endpoint accepts every call and then closes it, unless callId and callSid are equal.
 */
export async function signsCallSid(connection: Connection, seen: string[]): Promise<boolean> {
  const usual = await connection.dial(connection.session.phone.upgrade(), 'a typical call');
  if (!isConnected(usual.answer) || classifyReception(usual) === 'accepted') return false;
  for (const times of ['once', 'twice']) {
    const callId = connection.session.ids.text();
    const continues = await connection.hold(
      { label: 'a call whose callSid is its callId', started: { callId, callSid: callId } },
      async (call) => {
        await call.firstPiece(call.speak(connection.session.sample.callerSentence));
        return classifyReception(call.observation) === 'accepted';
      },
    );
    seen.push(`A call whose callSid is its callId, ${times}: ${continues ? 'continues' : 'is closed'}.`);
    if (!continues) return false;
  }
  return true;
}
