import type { CauseId } from './causes.ts';
import { signatureWeakCauses } from './causes/signature-weak.ts';

const others: ReadonlySet<CauseId> = new Set<CauseId>([
  'signature/window-too-wide',
  'signature/window-missing',
  'token/not-checked',
  'token/optional',
  'token/only-presence',
  'token/only-scheme',
  'token/only-length',
  'token/first-characters-compared',
  'token/last-characters-compared',
  'token/contains-compared',
  'token/part-suffices',
  'token/case-ignored',
  'token/scheme-ignored',
  'token/refused-with-2xx',
  'token/refused-with-another-status',
  'token/wrong-token-breaks',
]);

/** Whether a cause concerns only requests that the service never sends: it cannot explain why a valid one fails. */
export function isWeakness(id: CauseId): boolean {
  return others.has(id) || Object.hasOwn(signatureWeakCauses, id);
}
