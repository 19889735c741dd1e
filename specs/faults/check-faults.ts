import type { FaultRow } from './fault-row.ts';

/** Faults that leave one check without a verdict. */
export const checkFaults = {
  'not-read': {
    exitCode: 3,
    meaning: 'An answer or request was too large, too deep or not complete, so its content is not known.',
    remediation: 'Send the documented fields only, and complete each body.',
    message: {
      body: ({ received, exchange, more }: { received: string; exchange: string; more: string }) =>
        `Not judged: received ${received}, ${exchange}${more}. Send the documented fields only, and end each body.`,
      frame: ({ unread }: { unread: string }) => `Not judged: a frame of the AI is ${unread}, and was not read.`,
      'too-much': ({ sent }: { sent: string }) => `Not judged: the AI sent ${sent}, so we ended the call.`,
      omitted: ({ omitted }: { omitted: string }) => omitted,
    },
  },
  'not-reproducible': {
    exitCode: 3,
    meaning: 'A failure did not occur again when the same input was repeated.',
    remediation: 'Look for state, timing or concurrency in the endpoint, and run again with the same seed.',
    message: {
      event: ({ received, times, seed }: { received: string; times: number; seed: number }) =>
        `One event was answered with ${received}, but not when it was sent again ${times} times. Run with --seed ${seed} to see whether it occurs again.`,
      dialogue: 'A dialogue broke a rule, but not when it was repeated.',
    },
  },
  'control-failed': {
    exitCode: 3,
    meaning: 'The valid counterpart of a negative case was not accepted, so the case proves nothing.',
    remediation: 'First let the endpoint accept the valid request or call; its own check shows why it does not.',
    message: {
      counterpart: ({ counterpart, received }: { counterpart: string; received: string }) =>
        `Not judged: ${counterpart} must be accepted first, or a refusal proves nothing; received ${received}.`,
      refused: ({ received }: { received: string }) =>
        `Not timed: received ${received}; the time of a refusal does not show how long an accepted request takes.`,
      call: ({ url, received }: { url: string; received: string }) =>
        `Not judged: expected a correctly signed call to ${url} to be accepted, received ${received}.`,
      sentence: ({ sentence, received }: { sentence: string; received: string }) =>
        `Not judged: ${sentence} must be answered first; received ${received}.`,
      'plain-call': ({ received }: { received: string }) =>
        `Not judged: a plain call must be answered and stay connected first; received ${received}.`,
      'ended-unanswered': 'Not timed: the call ended before it was answered.',
      'ended-unasked': 'Not judged: the call ended before anything was asked.',
      'large-frame': ({ bytes }: { bytes: number }) =>
        `Not judged: the AI sent a frame over ${bytes} bytes, which ended the call.`,
      'left-open':
        'Not judged: an earlier answer was left open for the whole timeout, or this one did not end, so we stopped waiting for its end.',
    },
  },
  'not-tried': {
    exitCode: 3,
    meaning: 'The endpoint refuses valid requests like forged ones, so the other checks of the surface were not run.',
    remediation: 'First let the endpoint accept a valid request; the check of this requirement shows why it does not.',
    message: ({ surface, status }: { surface: string; status: number }) =>
      `Not tried: two valid requests to ${surface} and a forged one were all refused with status ${status}.`,
  },
  'run-stopped': {
    exitCode: 3,
    meaning: 'The run was stopped before this was judged: --bail stops it after the first failure.',
    remediation: 'Fix the failure, and run all checks without --bail.',
    message: 'Not judged: --bail stopped the run after the first failure.',
  },
  'nothing-judged': {
    exitCode: 3,
    meaning: 'A check ended without a judgement.',
    remediation: 'Use a matcher in each check of your own suites. For a check of svc-conform, report it as a defect.',
    message: 'The check ended without a judgement.',
  },
  'budget-used': {
    exitCode: 3,
    meaning: 'The time budget of the run was used up before this could be judged.',
    remediation: 'Give the run more time with --budget, or make the endpoint answer faster.',
    message: ({ seconds, suggested }: { seconds: number; suggested: number }) =>
      `Not judged: the time budget of ${seconds} s was used up; --budget ${suggested} gives the run more time.`,
  },
  'limit-used': {
    exitCode: 3,
    meaning:
      'The limits of the config allow no more messages or calls, or not as many at once, so this could not be judged.',
    remediation: 'Raise the limit in the config, or select the most important checks with --only.',
    message: {
      spent: ({ kind, most }: { kind: 'messages' | 'calls'; most: number }) =>
        `Not sent: limits.${kind} of the config is ${most}, and ${most} ${kind} have been sent.`,
      minute: ({ perMinute }: { perMinute: number }) =>
        `Not sent: limits.perMinute of the config is ${perMinute}, and as many have been sent in the last minute.`,
      'at-once': ({ kind, count, perMinute }: { kind: 'messages' | 'calls'; count: number; perMinute: number }) =>
        `Not sent: this needs ${count} ${kind} at once, and limits.perMinute of the config is ${perMinute}.`,
    },
  },
  'own-delay': {
    exitCode: 3,
    meaning: 'The process of svc-conform was delayed, so a time could not be compared with its limit.',
    remediation: 'Run again on a less busy machine.',
    message: ({ ms, limitMs, lagMs }: { ms: number; limitMs: number; lagMs: number }) =>
      `Not timed: measured ${Math.round(ms)} ms, of which up to ${Math.ceil(lagMs)} ms are a delay of svc-conform itself; the limit is ${limitMs} ms. Run again on a less busy machine.`,
  },
  'proxy-delay': {
    exitCode: 3,
    meaning: 'The answer came through a proxy, whose share of the time decides whether the limit was met.',
    remediation: 'Run again from a machine that reaches the endpoint without a proxy, or with "proxy": false.',
    message: ({ ms, limitMs, proxyMs }: { ms: number; limitMs: number; proxyMs: number }) =>
      `Not timed: measured ${Math.round(ms)} ms, of which the proxy may have added up to ${Math.ceil(proxyMs)} ms; the limit is ${limitMs} ms. Run again without the proxy.`,
  },
  'still-open': {
    exitCode: 3,
    meaning: 'What was awaited may still arrive; the wait was shortened, or it could not arrive.',
    remediation: 'Omit --callback-wait, or set service.publicUrl to an address that the endpoint can reach.',
    message: {
      'no-route':
        'No callback came, but the endpoint is on another machine and was given an address of this one. Set service.publicUrl.',
      callback: ({
        missing,
        of,
        found,
        seconds,
        limitSeconds,
      }: {
        missing: number;
        of: number;
        found: string;
        seconds: number;
        limitSeconds: number;
      }) =>
        `${missing} of ${of} events answered 202 had ${found} after ${seconds} s; it may still come within ${limitSeconds} s. Omit --callback-wait to wait for it.`,
      request: ({ reason }: { reason: string }) => reason,
    },
  },
  'check-broken': {
    exitCode: 3,
    meaning: 'A check itself threw an error.',
    remediation: 'For a check of your own, correct the error. For a check of svc-conform, report it as a defect.',
    message: {
      threw: ({ reason }: { reason: string }) => `The check itself threw: ${reason}`,
      verification: ({ reason }: { reason: string }) => `The verification itself threw: ${reason}`,
      'not-configured': ({ key }: { key: string }) => `${key} is not configured.`,
      'no-body': 'A phone call has no body.',
      undocumented: ({ what, violation }: { what: string; violation: string }) =>
        `The check itself would send what the interface does not document (${what}: ${violation}).`,
    },
  },
} as const satisfies Record<string, FaultRow>;
