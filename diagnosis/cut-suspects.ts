import type { CallObservation, Observation, WireExchange } from '../harness/wire/observation.ts';
import { limits } from '../specs/limits.ts';
import type { StageName } from '../specs/generated/types.ts';
import type { Connection } from './connection.ts';
import type { Suspect } from './outcome.ts';

/** Milliseconds without an answer that count as silence if the interface sets no limit. */
const unlimitedMs = 8_000;

/**
 * Possible causes if the silence of an endpoint used up the time of a stage. None if no answer was awaited for as long as
 * the interface allows.
 */
export function cutSuspects(
  stage: StageName,
  exchanges: readonly WireExchange[],
  { surface, limitMs = unlimitedMs }: Pick<Connection, 'surface' | 'limitMs'>,
): Suspect[] {
  const isCall = surface === 'own-ai-phone';
  const allowedMs = isCall ? limits.phoneSetupMs : limitMs;
  const sent = exchanges.filter(isSent);
  const silent = sent.filter(({ answer }) => answer.outcome === 'no-answer' && answer.afterMs >= allowedMs);
  const [one] = silent;
  if (one?.answer.outcome !== 'no-answer') return [];
  const waited = `within ${Math.round(one.answer.afterMs / 100) / 10} s`;
  if (stage === 'http') {
    const right = sent.filter(isSigned);
    if (right.some(({ answer }) => answer.outcome !== 'no-answer')) return [];
    const others = sent.filter((exchange) => !isSigned(exchange) && exchange.answer.outcome === 'answered');
    const why = `${counted(silent.length, sent.length)} got no complete answer ${waited}, and then the time ran out.`;
    if (others.length === 0) return [{ id: 'http/silent', why }];
    const isRefusing = others.every(({ answer }) => answer.outcome === 'answered' && answer.status >= 400);
    return isRefusing && !isCall ? [{ id: 'http/hangs-when-accepted', why }] : [];
  }
  // A refusal, for example of an invalid signature, may be slow.
  if (isCall || (stage !== 'protocol' && stage !== 'behaviour')) return [];
  const why = `${counted(silent.length, sent.length)} of this stage got no complete answer ${waited}, and then the time ran out.`;
  return [{ id: silent.length === sent.length ? 'timing/never-answers' : 'timing/at-random', why }];
}

function counted(some: number, all: number): string {
  return all === 1 ? 'The one request' : `${some} of ${all} requests`;
}

function isSent(exchange: WireExchange): exchange is Observation | CallObservation {
  return exchange.kind === 'http' || exchange.kind === 'call';
}

function isSigned({ request }: Observation | CallObservation): boolean {
  return request.headers.some(([name]) => ['x-svc-signature', 'authorization'].includes(name.toLowerCase()));
}
