import type { Capture, CapturedDelivery } from '../../harness/capture/capture.ts';
import type { CredentialFault } from '../../harness/capture/credential-state.ts';
import { toBeAccepted, toBeRefused, toHaveClientError } from '../matchers/answer-matchers.ts';
import { isRefusal, isSuccess } from '../../harness/wire/answer-status.ts';
import type { CaptureRule } from './capture-rules.ts';
import { answered, judgeable, notJudgedReason, withStatus, type AnsweredDelivery } from './deliveries.ts';

/** Label of each fault of a signature, and the rule that requires its refusal. */
export const signatureFaults = {
  'missing-signature': ['refuses-missing-signature', 'a delivery without a signature'],
  'empty-signature': ['refuses-empty-signature', 'a delivery with an empty signature'],
  'garbage-signature': ['refuses-garbage-signature', 'a delivery with a misshapen signature'],
  'timestamp-only': ['refuses-timestamp-only', 'a signature without v1'],
  'v1-only': ['refuses-v1-only', 'a signature without t'],
  'short-v1': ['refuses-short-v1', 'a v1 that is too short'],
  'long-v1': ['refuses-long-v1', 'a v1 that is too long'],
  'non-hex-v1': ['refuses-non-hex-v1', 'a v1 that is not hexadecimal'],
  stale: ['refuses-stale-timestamp', 'a delivery with a stale time'],
  future: ['refuses-future-timestamp', 'a delivery with a time in the future'],
  unfitting: ['refuses-other-secret', 'a delivery whose signature does not fit'],
} as const satisfies Record<Exclude<CredentialFault, 'wrong-token'>, readonly [slug: string, what: string]>;

/** Faults of a header that contains a signature which could be compared; with any other, none can be read. */
const readableFaults = new Set<CredentialFault>(['stale', 'future', 'unfitting']);

function isUnreadable({ credential }: CapturedDelivery): boolean {
  return credential.is === 'invalid' && !readableFaults.has(credential.fault);
}

/** Rules about the status by which a header that cannot be read is refused. */
function unreadableHeaderRules(
  surface: 'api-webhooks' | 'own-ai-chat',
  deliveriesOf: (capture: Capture) => readonly AnsweredDelivery[],
): CaptureRule[] {
  const needs = 'The recording does not show an unreadable signature header that was refused.';
  const refused = (capture: Capture) => deliveriesOf(capture).filter(({ answer }) => isRefusal(answer));
  return [
    {
      requirement: `${surface}/refuses-with-4xx-if-unreadable`,
      title: 'an unreadable signature header is refused with a 4xx status',
      needs,
      judge: (capture) => refused(capture).map((exchange) => ({ exchange, finding: toHaveClientError(exchange) })),
    },
    {
      requirement: `${surface}/refuses-with-401-if-unreadable`,
      title: 'an unreadable signature header is refused with 401',
      needs,
      judge: (capture) => withStatus(refused(capture), 401),
    },
  ];
}

/** Known types only: whether an unknown one is accepted is a separate rule. */
const knownTypes =
  /^(message\.received|ping|appointment\.(created|confirmed|rescheduled|cancelled|finished|reminder_sent))$/;

/** Rules about signatures that both signed surfaces share (interface: Authentication). */
export function signatureRules(
  surface: 'api-webhooks' | 'own-ai-chat',
  of: (capture: Capture) => readonly CapturedDelivery[],
): CaptureRule[] {
  const spoilt = (capture: Capture) => answered(of(capture)).filter(({ credential }) => credential.is === 'invalid');
  return [
    {
      requirement: `${surface}/accepts-valid-signature`,
      title: 'a delivery with a valid signature is accepted',
      needs: (capture) =>
        `The recording has no answer to a delivery whose signature fits.${notJudgedReason(of(capture))}`,
      judge: (capture) =>
        judgeable(of(capture))
          .filter(({ credential, event }) => credential.is === 'authentic' && knownTypes.test(String(event?.type)))
          // Any other refusal or error says nothing about the signature.
          .filter(({ answer }) => isSuccess(answer.status) || answer.status === 401)
          .map((exchange) => ({ exchange, finding: toBeAccepted(exchange) })),
    },
    ...Object.entries(signatureFaults).map(([fault, [slug, what]]): CaptureRule => ({
      requirement: `${surface}/${slug}`,
      title: `${what} is refused`,
      needs: `The recording does not show ${what}.`,
      judge: (capture) =>
        spoilt(capture)
          .filter(({ credential }) => credential.is === 'invalid' && credential.fault === fault)
          .map((exchange) => ({ exchange, finding: toBeRefused(exchange, what) })),
    })),
    {
      requirement: `${surface}/refuses-with-401`,
      title: 'what is refused for its signature gets 401',
      needs: 'The recording does not show a bad signature that was refused.',
      judge: (capture) => {
        const refused = spoilt(capture).filter(({ answer }) => isRefusal(answer));
        // For a header that cannot be read, 401 is not stated (interface: Errors).
        return withStatus(
          refused.filter((one) => !isUnreadable(one)),
          401,
        );
      },
    },
    ...unreadableHeaderRules(surface, (capture) => spoilt(capture).filter(isUnreadable)),
    {
      requirement: `${surface}/bad-signature-is-answered`,
      title: 'a bad signature is not a server error',
      needs: 'The recording does not show a bad signature.',
      judge: (capture) =>
        spoilt(capture)
          .filter(({ answer }) => !isSuccess(answer.status))
          .map((exchange) => ({
            exchange,
            finding:
              exchange.answer.status < 500
                ? undefined
                : {
                    expected: 'an answer below 500 to a bad signature',
                    received: `status ${exchange.answer.status}`,
                    part: { status: true },
                  },
          })),
    },
  ];
}
