import { Connection } from '../../../diagnosis/connection.ts';
import type { ProbeOutcome, Probe } from '../../../diagnosis/outcome.ts';
import type { ResolvedConfig } from '../../../harness/config/settings.ts';
import type { Trial } from './every-scheme.ts';
import { startReceiver } from './receiver.ts';

/** Time limit of a probe for one endpoint, in milliseconds. */
const withinMs = 60_000;

export interface TrialResult {
  outcome: ProbeOutcome;
  /** The named cause, then the suspects, without `signature/`. */
  named: string | undefined;
  suspected: readonly string[];
  verdict: 'right' | 'partly' | 'none' | 'wrong';
  deliveries: number;
  seconds: number;
}

/** Runs a probe against one endpoint. */
export async function runTrial(
  { scheme, surface }: Trial,
  probe: Probe,
  { seed = 1, isThorough = true } = {},
): Promise<TrialResult> {
  await using receiver = await startReceiver(scheme, surface);
  const { url, secret } = receiver;
  const config: ResolvedConfig = {
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
    ...(surface === 'own-ai-chat' && { chat: { url, secret, timeoutSeconds: 10 } }),
    ...(surface === 'own-ai-phone' && { phone: { url, secret, timeoutSeconds: 10 } }),
    ...(surface === 'api-webhooks' && { apiWebhooks: { url, secret } }),
  };
  await using connection = await Connection.open(surface, config, {
    seed,
    withinMs,
    oldSecret: scheme.old,
    isThorough,
  });
  const from = performance.now();
  const outcome = await probe(connection);
  const named = slug(outcome.found?.id);
  const suspected = outcome.suspects.map(({ id }) => slug(id) ?? '');
  return {
    outcome,
    named,
    suspected,
    verdict: verdictOf(scheme, named, suspected),
    deliveries: connection.deliveries,
    seconds: (performance.now() - from) / 1000,
  };
}

function slug(id: string | undefined): string | undefined {
  return id?.replace(/^signature\//, '');
}

/** Both of two mistakes must be reported: one named, the other named or suspected. */
function verdictOf(
  { ids, or = [] }: Trial['scheme'],
  named: string | undefined,
  suspected: readonly string[],
): TrialResult['verdict'] {
  if (named === undefined) return ids.length === 0 ? 'right' : 'none';
  if (![...ids, ...or].includes(named)) return 'wrong';
  if (ids.length < 2) return 'right';
  return ids.every((id) => id === named || suspected.includes(id)) ? 'right' : 'partly';
}
