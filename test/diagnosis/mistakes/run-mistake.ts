import { Connection } from '../../../diagnosis/connection.ts';
import { diagnose, isPassed } from '../../../diagnosis/diagnose.ts';
import type { ResolvedConfig } from '../../../harness/config/settings.ts';
import type { Diagnosis } from '../../../specs/generated/types.ts';
import { endpointPath, secret, token, type Mistake } from './mistake.ts';

/** Milliseconds for one diagnosis, as for a user who gives no `--within`. */
const withinMs = 120_000;

export interface MistakeResult {
  verdict: 'correct' | 'partial' | 'silent' | 'wrong';
  diagnosis: Diagnosis;
}

/** Diagnoses an endpoint in full, as the command does. */
export async function runMistake(mistake: Mistake): Promise<MistakeResult> {
  await using running = await mistake.start();
  const url = `${running.origin}${endpointPath}`;
  const config: ResolvedConfig = {
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0, apiKey: 'svc_sk_of-the-mistakes' },
    ...(mistake.surface === 'own-ai-chat' && { chat: { url, secret, timeoutSeconds: 2 } }),
    ...(mistake.surface === 'api-webhooks' && { apiWebhooks: { url, secret } }),
    ...(mistake.surface === 'crm-webhook' && { crmWebhook: { url, token } }),
  };
  await using connection = await Connection.open(mistake.surface, config, { seed: 3, withinMs });
  const diagnosis = await diagnose(connection);
  return { verdict: verdictOf(mistake, diagnosis), diagnosis };
}

/** A diagnosis that names a cause must name a correct one; without a cause, the first suspect counts. */
function verdictOf({ causes, and = [], isSuspected }: Mistake, diagnosis: Diagnosis): MistakeResult['verdict'] {
  const { cause, suspects } = diagnosis;
  if (causes.length === 0) return isPassed(diagnosis) ? 'correct' : 'wrong';
  const expected: readonly string[] = causes;
  const first = cause?.id ?? (isSuspected ? suspects[0]?.id : undefined);
  if (first === undefined) return 'silent';
  const reported: readonly string[] = [first, ...suspects.map(({ id }) => id)];
  if (!expected.includes(first))
    return cause && !and.some((id) => id === cause.id) ? 'wrong' : cause ? 'partial' : 'silent';
  return and.every((id) => reported.includes(id)) ? 'correct' : 'partial';
}
