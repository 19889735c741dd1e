import type { ApiTroubleStep } from '../specs/generated/types.ts';
import type { ApiTrouble, ArrivedRequest } from './api/install-recording.ts';

/** Seconds until a slow answer, by default: more than most clients wait. */
const slowSeconds = 15;
/** Seconds of Retry-After, by default. */
const retryAfterSeconds = 1;

/** Failures ordered for the next requests to API v1, oldest first. */
export class ApiTroubles {
  readonly #ordered: { step: ApiTroubleStep; left: number }[] = [];

  order(step: ApiTroubleStep): void {
    this.#ordered.push({ step, left: step.times ?? 1 });
  }

  /** Requests that are still going to fail. */
  get left(): number {
    return this.#ordered.reduce((sum, { left }) => sum + left, 0);
  }

  /** Removes and returns the failure that applies to this request. */
  take({ operation: id }: Pick<ArrivedRequest, 'operation'>): ApiTrouble | undefined {
    const at = this.#ordered.findIndex(({ step: { operation } }) => operation === undefined || operation === id);
    const found = this.#ordered[at];
    if (!found) return undefined;
    found.left--;
    if (found.left === 0) this.#ordered.splice(at, 1);
    return troubleOf(found.step);
  }
}

function troubleOf({ kind, seconds }: ApiTroubleStep): ApiTrouble {
  switch (kind) {
    case 'cut':
      return { kind: 'cut-after' };
    case 'slow':
      return { kind: 'slow', ms: (seconds ?? slowSeconds) * 1000 };
    case 'unavailable':
      return refusal(503, seconds);
    case 'rate-limited':
      return refusal(429, seconds ?? retryAfterSeconds);
  }
}

/** Retry-After is in whole seconds (RFC 9110, 10.2.3). */
function refusal(status: number, seconds: number | undefined): ApiTrouble {
  return {
    kind: 'answer-instead',
    status,
    ...(seconds !== undefined && { retryAfterSeconds: Math.ceil(seconds) }),
  };
}
