import type { Answer } from './observation.ts';

/** The status of a body that is too large. */
export const payloadTooLarge = 413;

/** Any 2xx status. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** A 3xx or 4xx status: a refusal, neither an acceptance nor a crash. */
export function isRefusal(answer: Answer): boolean {
  return answer.outcome === 'answered' && answer.status >= 300 && answer.status < 500;
}
