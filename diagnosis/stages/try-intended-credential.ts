import type { Answer } from '../../harness/wire/observation.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import type { Doubt } from './stage.ts';

/**
 * Tests whether the endpoint refuses the configured credential and accepts the intended one, each twice. Sends nothing if
 * the configured one looks normal.
 */
export async function tryIntendedCredential(connection: Connection, doubts: readonly Doubt[]): Promise<ProbeOutcome> {
  const seen: string[] = [];
  for (const { id, why, intended: meant } of doubts) {
    if (meant === undefined || meant === '') continue;
    const ask = async (credential: string, label: string) => await isAccepted(connection, credential, label);
    if (await ask(connection.credential, 'the configured credential')) return { suspects: [], passed: [], seen };
    const isIntendedAccepted = await ask(meant, 'the intended credential');
    seen.push(`${why} The corrected credential is ${isIntendedAccepted ? 'accepted' : 'refused as well'}.`);
    if (!isIntendedAccepted || (await ask(connection.credential, 'the configured credential, again'))) continue;
    if (await ask(meant, 'the intended credential, again')) return { found: { id }, suspects: [], passed: [], seen };
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
