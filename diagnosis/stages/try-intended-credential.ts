import type { Answer } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Connection } from '../connection.ts';
import type { Outcome } from '../outcome.ts';
import type { Doubt } from './stage.ts';

/**
 * Whether the endpoint refuses the secret or token as it was given, and accepts it as it was meant, each twice. Sends
 * nothing where nothing looks odd.
 */
export async function tryIntendedCredential(connection: Connection, doubts: readonly Doubt[]): Promise<Outcome> {
  const seen: string[] = [];
  for (const { id, why, intended: meant } of doubts) {
    if (meant === undefined || meant === '') continue;
    const ask = async (credential: string, label: string) => await isAccepted(connection, credential, label);
    if (await ask(connection.credential, 'the credential as it was given')) return { suspects: [], passed: [], seen };
    const isMeant = await ask(meant, 'the credential as it was meant');
    seen.push(`${why} Without that it is ${isMeant ? 'accepted' : 'refused too'}.`);
    if (!isMeant || (await ask(connection.credential, 'the credential as it was given, again'))) continue;
    if (await ask(meant, 'the credential as it was meant, again'))
      return { found: { id }, suspects: [], passed: [], seen };
  }
  return { suspects: [], passed: [], seen };
}

async function isAccepted(connection: Connection, credential: string, label: string): Promise<boolean> {
  if (connection.surface === 'own-ai-phone') {
    const upgrade = connection.session.phone.upgrade().with({ secret: credential });
    return isConnected((await connection.dial(upgrade, label)).answer);
  }
  const { delivery } = connection.case();
  const made =
    connection.surface === 'crm-webhook'
      ? delivery.withHeader('Authorization', `Bearer ${credential}`)
      : delivery.with({ secret: credential });
  return isTaken((await connection.ask(made, { label, toBeRefused: true })).answer);
}

function isTaken(answer: Answer): boolean {
  return answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
}
