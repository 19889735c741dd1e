import type { RequirementId } from '../specs/requirements/catalogue.ts';
import type { CheckResult, DiagnosedSurface } from '../specs/generated/types.ts';
import type { FaultCode } from '../harness/checks/faults.ts';
import type { CauseId } from './causes.ts';

/** The probes for failed requirements, cheapest first by what they usually send and wait for. */
export const probeNames = [
  'token',
  'upgrade',
  'weakness',
  'signature',
  'window',
  'answer',
  'call',
  'payload',
  'dialogue',
  'timing',
  'deduplication',
  'callback',
] as const;

export type ProbeName = (typeof probeNames)[number];

/** Probes that cover their whole subject regardless of the requirement: one run serves all requirements. */
export const wholeProbes: ReadonlySet<ProbeName> = new Set(['token', 'window', 'call', 'timing']);

type SlugOf<Surface extends string, Id extends string = RequirementId> = Id extends `${Surface}/${infer Slug}`
  ? Slug
  : never;

const signed = {
  signature: ['accepts-valid-signature', 'accepts-any-wire-form', 'refuses-reserialised-body', 'accepts-charset'],
  weakness: [
    'refuses-missing-signature',
    'refuses-empty-signature',
    'refuses-garbage-signature',
    'refuses-other-secret',
    'refuses-altered-timestamp',
    'refuses-short-v1',
    'refuses-long-v1',
    'refuses-non-hex-v1',
    'refuses-non-ascii-signature',
    'refuses-timestamp-only',
    'refuses-v1-only',
    'refuses-signature-without-timestamp',
  ],
  window: ['refuses-stale-timestamp', 'refuses-future-timestamp', 'accepts-timestamp-inside-tolerance'],
} as const;

/** The probe for each requirement: the cheapest one that can name its cause. */
const probed = {
  'crm-webhook': {
    token: [
      'accepts-the-token',
      'refuses-missing-token',
      'refuses-wrong-token',
      'refuses-truncated-token',
      'refuses-prefixed-token',
      'refuses-differently-cased-token',
      'refuses-other-scheme',
    ],
    payload: [
      'answers-every-event',
      'accepts-legacy-numbers',
      'unknown-event-name-204',
      'unknown-event-number-204',
      'accepts-null-members',
      'accepts-null-parts',
      'accepts-missing-members',
      'accepts-no-postal-addresses',
      'accepts-several-postal-addresses',
      'accepts-appointment-data',
      'accepts-unknown-members',
      'accepts-unknown-values',
      'answers-any-valid-event',
      'answers-long-and-large-values',
    ],
    timing: [
      'lookup-within-two-seconds',
      'new-conversation-within-two-seconds',
      'lookup-on-fresh-connection-within-two-seconds',
      'ten-lookups-at-once-within-two-seconds',
    ],
    deduplication: [
      'redelivery-has-the-same-outcome',
      'redelivery-at-once-has-the-same-outcome',
      'redelivery-has-one-effect',
      'one-callback-after-redelivery',
      'one-callback-after-redelivery-at-once',
    ],
    answer: [
      'answer-is-a-json-object',
      'flags-are-boolean',
      'flagged-part-is-present',
      'ids-are-strings',
      'field-types-as-listed',
      'null-only-where-listed',
      'times-in-listed-form',
      'crm-ai-info-within-5000-characters',
      'no-content-has-no-body',
    ],
    callback: [
      'calls-back-after-202',
      'calls-back-once',
      'callback-is-a-post',
      'callback-uses-the-address-given',
      'callback-is-a-json-object',
      'callback-carries-no-token',
    ],
  },
  'api-webhooks': {
    ...signed,
    weakness: [...signed.weakness, 'refuses-altered-body'],
    payload: [
      'accepts-other-number-forms',
      'accepts-every-event-type',
      'accepts-null-and-set-times',
      'accepts-metadata-with-unusual-keys',
      'accepts-unknown-members',
      'accepts-later-event-type',
      'accepts-any-valid-event',
      'accepts-long-and-large-values',
      'accepts-unknown-values',
    ],
    deduplication: [
      'accepts-redelivery',
      'accepts-redelivery-at-once',
      'redelivery-has-one-effect',
      'redelivery-at-once-has-one-effect',
    ],
  },
  'own-ai-chat': {
    signature: [...signed.signature, 'refuses-decoded-secret', 'refuses-stripped-secret'],
    weakness: [...signed.weakness, 'refuses-altered-body', 'refuses-ping-with-bad-signature'],
    window: signed.window,
    payload: [
      'accepts-other-number-forms',
      'answers-ping',
      'answers-messages',
      'accepts-empty-history',
      'accepts-30-turns',
      'accepts-every-role',
      'accepts-refused-skill-turn',
      'accepts-every-channel',
      'accepts-unknown-channel',
      'accepts-missing-contact-members',
      'accepts-every-auto-reply-state',
      'accepts-unknown-protocol-revision',
      'accepts-unknown-members',
      'accepts-unknown-values',
      'accepts-unknown-event-type',
      'answers-any-valid-event',
      'answers-long-and-large-values',
    ],
    timing: ['answers-in-time', 'answers-in-time-in-parallel'],
    answer: [
      'answers-with-a-listed-status',
      'answer-is-a-json-object',
      'answer-within-64-kb',
      'answer-within-64000-bytes',
      'answer-is-not-in-202-or-204',
      'action-is-known',
      'text-is-a-string',
      'text-within-4000-characters',
      'note-within-500-characters',
      'members-have-their-types',
      'no-null-members',
    ],
    callback: [
      'reply-uses-the-address-given',
      'reply-is-a-post',
      'reply-carries-the-api-key',
      'reply-is-a-json-object',
    ],
    deduplication: ['replayed-event-brings-no-second-reply'],
  },
  'own-ai-phone': {
    signature: [
      'accepts-valid-signature',
      'refuses-decoded-secret',
      'refuses-stripped-secret',
      'refuses-signature-over-body',
      'refuses-signature-over-path',
    ],
    weakness: [...signed.weakness, 'refuses-other-call-id', 'refuses-missing-call-id'],
    window: signed.window,
    call: ['connects-within-5-seconds', 'takes-a-connection-test'],
    dialogue: [
      'keeps-the-call-open',
      'survives-a-broken-call',
      'skill-frame-names-a-skill',
      'answers-a-prompt',
      'first-piece-within-timeout',
      'closes-each-answer',
      'answers-later-prompts',
      'answers-in-each-language',
      'accepts-call-without-skills',
      'accepts-any-call',
      'accepts-extreme-call-values',
      'survives-any-sentence',
      'accepts-later-protocol-revision',
      'ignores-unknown-members',
      'ignores-unknown-values',
      'ignores-unknown-frames',
      'takes-dtmf',
      'takes-a-prompt-during-an-answer',
      'stops-at-interrupt',
      'answers-after-interrupt',
      'takes-skill-results',
      'goes-on-after-refused-skill',
      'goes-on-after-failed-takeover',
      'leaves-the-greeting-to-the-service',
      'stops-at-session-ended',
      'closes-with-the-service',
      'keeps-calls-apart',
      'holds-any-dialogue',
      'frame-is-json',
      'frame-type-is-known',
      'frame-is-text',
      'frame-within-64-kb',
      'text-is-a-string',
      'text-is-there',
      'last-is-a-boolean',
      'action-is-known',
      'members-have-their-types',
      'no-null-members',
    ],
  },
} as const satisfies {
  [Surface in DiagnosedSurface]: Partial<Record<ProbeName, readonly SlugOf<Surface>[]>>;
};

/** Requirements without a probe, by reason. */
export const unprobed = {
  'The received value is the whole finding, and the message shows it.': [
    'crm-webhook/refuses-with-401',
    'crm-webhook/bad-token-is-answered',
    'api-webhooks/refuses-with-401',
    'api-webhooks/bad-signature-is-answered',
    'api-webhooks/answers-200',
    'own-ai-chat/refuses-with-401',
    'own-ai-chat/bad-signature-is-answered',
    'own-ai-phone/refuses-with-4xx',
    'crm-webhook/svc-contact-id-unaltered',
    'crm-webhook/answers-now-or-by-callback',
    'own-ai-phone/text-within-4000-characters',
    'own-ai-phone/note-within-500-characters',
  ],
  'Several answers are compared, and the message shows where they differ.': [
    'crm-webhook/legacy-number-means-its-name',
    'own-ai-chat/keeps-conversations-apart',
    'own-ai-chat/same-text-sent-once',
  ],
  'The order of several events decides, which no single event shows.': ['api-webhooks/accepts-events-out-of-order'],
  'The AI decides which skills it names, and the message lists them.': [
    'own-ai-chat/at-most-five-skills',
    'own-ai-chat/at-most-one-forward',
    'own-ai-chat/names-known-skills',
    'own-ai-chat/names-only-offered-skills',
    'own-ai-chat/names-no-skill-while-not-on',
    'own-ai-chat/names-each-skill-once',
    'own-ai-phone/at-most-five-skills',
    'own-ai-phone/at-most-one-forward',
    'own-ai-phone/names-known-skills',
    'own-ai-phone/names-only-offered-skills',
    'own-ai-phone/names-each-skill-once',
  ],
  'Reproducing it requires the preceding exchanges, which the evidence of the check shows completely.': [
    'own-ai-chat/drops-the-reply-after-409',
    'own-ai-chat/stays-well-after-a-refused-reply',
    'own-ai-chat/stays-well-while-a-reply-is-slow',
  ],
} as const satisfies Readonly<Record<string, readonly RequirementId[]>>;

const probes = new Map(
  Object.entries<Partial<Record<ProbeName, readonly string[]>>>(probed).flatMap(([surface, byProbe]) =>
    Object.entries(byProbe).flatMap(([probe, slugs]) =>
      slugs.map((slug): [string, ProbeName] => [`${surface}/${slug}`, probe as ProbeName]),
    ),
  ),
);

/** The cheapest probe that can name why a requirement fails; `undefined` without one. */
export function probeFor(requirement: string): ProbeName | undefined {
  return probes.get(requirement);
}

/** Whether a probe can find the cause of this failed check; failed contracts name their own. */
export function isDiagnosedFailure({ verdict, requirement, source }: CheckResult): boolean {
  return verdict === 'fail' && source !== 'contract' && probeFor(requirement) !== undefined;
}

/** Faults that prevent any judgement until the connection works. */
const connectionFaults: readonly (string | undefined)[] = [
  'target-unreachable',
  'client-certificate-required',
  'target-silent',
  'control-failed',
];

/** Causes that the run itself has established, by fault code: they need no probe. */
const establishedCauses = {
  'target-stopped': 'http/crashes',
  'target-throttles': 'http/rate-limited',
} as const satisfies Partial<Record<FaultCode, CauseId>>;

/** The cause that the run itself has established for this check, if any. */
export function establishedCause({ code, surface }: CheckResult): CauseId | undefined {
  const isKnown = code !== undefined && Object.hasOwn(establishedCauses, code) && surface in probed;
  return isKnown ? establishedCauses[code as keyof typeof establishedCauses] : undefined;
}

/** Whether a fault of the connection, which a diagnosis can explain, blocked this check. */
export function isBlockedByConnection({ verdict, code, surface }: CheckResult): boolean {
  return verdict === 'blocked' && connectionFaults.includes(code) && surface in probed;
}
