import { randomBytes, randomInt } from 'node:crypto';
import { causeOf, type CauseId } from '../../diagnosis/causes.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnose } from '../../diagnosis/diagnose.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Diagnosis, DiagnosedSurface } from '../../specs/generated/types.ts';
import { largestSeed } from '../run-input.ts';

/** Milliseconds for one endpoint: long enough for several timeouts of an address that does not answer. */
const probingMs = 20_000;

/** The result of probing one address. */
export interface EndpointProbe {
  surface: DiagnosedSurface;
  url: string;
  /** The first requests were accepted, as far as they could be sent. */
  isReached: boolean;
  /** Observations, a sentence each. */
  seen: readonly string[];
  fix?: string;
}

/**
 * Probes an address with the first stages of `diagnose`: name, TCP and TLS, and with a secret one request or call. A probe
 * sends no more than the question whether a request is accepted needs.
 */
export async function probeEndpoint(
  surface: DiagnosedSurface,
  config: ResolvedConfig,
  { hasSecret, variable }: { hasSecret: boolean; variable: string },
): Promise<EndpointProbe> {
  await using connection = await Connection.open(surface, config, {
    seed: randomInt(largestSeed),
    withinMs: probingMs,
  });
  const diagnosis = await diagnose(connection, { through: hasSecret ? 'http' : 'tls' });
  return summarised(surface, diagnosis, hasSecret ? variable : undefined);
}

/** A secret of the right form for an address whose secret is not known yet; nothing that is signed with it is sent. */
export function placeholderSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

function summarised(
  surface: DiagnosedSurface,
  { url, stage, cause, suspects, stages, agentTest }: Diagnosis,
  variable: string | undefined,
): EndpointProbe {
  const last = stages.find(({ name }) => name === stage);
  // Without TLS, the last stage of a probe without a secret is not applicable.
  const isPassed = last?.result === 'passed' || (last?.name === 'tls' && last.result === 'not-applicable');
  const isReached = !cause && suspects.length === 0 && isPassed && agentTest?.success !== false;
  const base = { surface, url, isReached };
  if (isReached) return { ...base, seen: stages.filter(({ name }) => name !== 'config').flatMap(({ seen }) => seen) };
  const wrong = stages.find(({ result }) => result === 'cause' || result === 'suspect') ?? last;
  const [likeliest] = suspects;
  const reason = cause?.summary ?? (likeliest && `${likeliest.summary} ${likeliest.why}`);
  const more = `npx svc-conform diagnose ${surface}`;
  const isAsked = stage === 'http' && variable !== undefined;
  // A private CA and a client certificate, for example, need a fix each.
  const further = cause ? suspects : [];
  return {
    ...base,
    seen: reason === undefined ? (wrong?.seen ?? []) : [reason, ...further.map(({ why }) => why)],
    fix: cause
      ? [cause.remediation, ...further.map(({ id }) => causeOf(id as CauseId).remediation)].join(' ')
      : isAsked
        ? `Check ${variable}, or run ${more}.`
        : `Run ${more}.`,
  };
}
