import type {
  CallRecord,
  CheckResult,
  Counterexample,
  Exchange,
  Gate,
  Report,
  ReportComparison,
  RequirementResult,
  WaiverResult,
} from '../../specs/generated/types.ts';
import { isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import type { Group } from '../model/groups.ts';
import { isPartialSelection } from '../model/partial-run.ts';

/** Sign and word for each outcome and group, so that colour is never the only difference. */
export const outcomeLabels: Readonly<Record<Group, { readonly sign: string; readonly word: string }>> = {
  fail: { sign: '✗', word: 'fails' },
  blocked: { sign: '?', word: 'blocked' },
  warn: { sign: '!', word: 'warning' },
  advice: { sign: 'i', word: 'advice' },
  pass: { sign: '✓', word: 'passes' },
  'not-exercised': { sign: '–', word: 'not exercised' },
  unobservable: { sign: '○', word: 'not observable' },
  'not-selected': { sign: '·', word: 'not selected' },
  'not-applicable': { sign: '·', word: 'not applicable' },
};

/** The target of API v1 where no client is configured. */
export const observedTarget = 'requests of the endpoint during the run';

/** `1 check`, `2 checks`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Formats milliseconds for people: `0.4 ms`, `12 ms`, `4.2 s`, `5 min 12 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 9999.5) return `${Math.round(ms)} ms`;
  return formatLongDuration(ms);
}

/** Formats milliseconds in seconds and minutes. */
export function formatLongDuration(ms: number): string {
  if (ms < 59_950) return `${Number((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The verdict in one or two words. */
export function labelVerdict({ verdict }: Pick<Report, 'verdict'>): string {
  return verdict === 'conformant-with-warnings' ? 'conformant, with warnings' : verdict;
}

/** The reason for the verdict, as a sentence. */
export function verdictReason(report: Report): string {
  const { verdict, summary, selection } = report;
  const failing = `${counted(summary.fail, 'MUST requirement')} failed`;
  const checked = isPartialSelection(selection) ? 'was checked in this partial run' : 'could be checked';
  switch (verdict) {
    case 'non-conformant':
      return summary.blocked > 0
        ? `${failing}; ${counted(summary.blocked, 'requirement')} could not be judged.`
        : `${failing}.`;
    case 'incomplete':
      if (selection?.stopped === 'interrupted') {
        return summary.fail > 0
          ? `${failing} before the run was stopped.`
          : 'The run was stopped before everything was judged.';
      }
      return summary.blocked > 0
        ? `${counted(summary.blocked, 'requirement')} could not be judged, ${blockedReason(report)}.`
        : 'No requirement passed; nothing to certify.';
    case 'conformant-with-warnings':
      return `Every MUST requirement that ${checked} passed; ${counted(summary.warn, 'SHOULD requirement')} failed${unsent(report)}.`;
    case 'conformant':
      return `Everything that ${checked} passed${unsent(report)}.`;
  }
}

/** How many MUST requirements nothing judged because of the limits of the config; empty for none. */
function unsent({ requirements, checks }: Report): string {
  const limited = new Set(checks.filter(({ code }) => code === 'limit-used').map(({ requirement }) => requirement));
  const open = requirements.filter(
    ({ id, level, verdict }) => level === 'must' && verdict === 'not-exercised' && limited.has(id),
  );
  if (open.length === 0) return '';
  return `; ${counted(open.length, 'MUST requirement')} ${open.length === 1 ? 'was' : 'were'} not judged because of the limits in the config`;
}

/** Reasons that all blocked checks can have in common, by code. */
const commonReasons: readonly (readonly [has: (code: string | undefined) => boolean, reason: string])[] = [
  [isCutOffCode, 'because the time budget was used up'],
  [(code) => code === 'proxy-delay', 'because the proxy may have added the time that exceeded a limit'],
  [(code) => code === 'own-delay', 'because svc-conform may have added the time that exceeded a limit'],
  [
    (code) => code === 'proxy-delay' || code === 'own-delay',
    'because the proxy or svc-conform may have added the time that exceeded a limit',
  ],
];

/** Without a common reason: a failure did not reproduce, or an earlier step failed. */
function blockedReason({ requirements, checks }: Report): string {
  const cut = checks.filter(({ verdict }) => verdict === 'blocked');
  const common = cut.length > 0 && commonReasons.find(([has]) => cut.every(({ code }) => has(code)));
  if (common) return common[1];
  const broke = new Set(
    checks
      .filter(({ verdict, code }) => verdict === 'blocked' && code !== 'not-reproducible')
      .map(({ requirement }) => requirement),
  );
  const blocked = requirements.filter(({ verdict }) => verdict === 'blocked');
  const unrepeated = blocked.filter(({ id, checks: own }) => own.length > 0 && !broke.has(id)).length;
  if (unrepeated === 0) return 'because an earlier step failed';
  const once = 'failed once and did not fail again when rerun';
  if (unrepeated === blocked.length) return `because ${unrepeated === 1 ? 'it' : 'they'} ${once}`;
  return `${unrepeated} because ${unrepeated === 1 ? 'it' : 'they'} ${once}, the others because an earlier step failed`;
}

/** Marks a requirement that the integrator's own suite defines. */
export const ownLabel = "integrator's own";

/** The place that states a requirement: `interface section "Limits"`. Contains outside text. */
export function describeSection({ section, own }: Pick<RequirementResult, 'section' | 'own'>): string {
  return own ? `"${section}"` : `interface section "${section}"`;
}

/** The level of a requirement, the place that states it, and whether it is the integrator's own. Contains outside text. */
export function describeSource(requirement: Pick<RequirementResult, 'level' | 'section' | 'own'>): string {
  const { level, own } = requirement;
  return [level, describeSection(requirement), ...(own ? [ownLabel] : [])].join(', ');
}

/** How often a rerun check failed; `undefined` when it ran once. */
export function formatRepeats(check: Pick<CheckResult, 'repeats'> | undefined): string | undefined {
  if (!check?.repeats) return undefined;
  const { failed, of } = check.repeats;
  if (of === 1) return 'once; the rerun could not be judged';
  return failed === of ? `always (${failed} of ${of})` : `${failed} of ${of} times`;
}

/** A line of advice on a failure. */
export interface AdviceLine {
  readonly label:
    'Hint' | 'Cause' | 'Probable cause' | 'Same cause' | 'Probably the same cause' | 'Reason' | 'Fix' | 'In general';
  readonly text: string;
}

/**
 * The hint of a check, the causes of its failure with their fixes, then the remediation of its requirement unless a cause is
 * certain. Contains outside text: escape it for the output format.
 */
export function adviceLines(check: Advised | undefined, remediation = ''): AdviceLine[] {
  const { hint, causes = [] } = check ?? {};
  const lines: AdviceLine[] = [
    ...(hint === undefined ? [] : [{ label: 'Hint' as const, text: hint }]),
    ...causes.flatMap(({ id, summary, why, remediation: fix, certain }): AdviceLine[] => [
      {
        label: certain ? 'Cause' : 'Probable cause',
        text: `${why === undefined ? summary : `${summary} ${why}`} (${id})`,
      },
      { label: 'Fix', text: fix },
    ]),
    { label: causes.length > 0 ? 'In general' : 'Fix', text: causes.some(({ certain }) => certain) ? '' : remediation },
  ];
  return lines.filter(({ text }) => text !== '');
}

/** The fields of a check with advice on its failure. */
export interface Advised {
  readonly hint?: string | undefined;
  readonly causes?: CheckResult['causes'] | undefined;
}

export function labelGate({ passed }: Gate): string {
  return passed ? 'gate passed' : 'gate failed';
}

/** The reasons for the decision of the gate, as one or more sentences. */
export function gateReason({ passed, failOn, reasons, baseline, waivers = [] }: Gate): string {
  if (!passed) return reasons.join(' ');
  const waived = waivers.filter(({ state }) => state === 'applied').length;
  const excused = [
    ...(baseline && baseline.known.length > 0 ? [`${baseline.known.length} known`] : []),
    ...(waived > 0 ? [`${waived} waived`] : []),
  ];
  const fresh = baseline ? 'new ' : '';
  const what = `No ${fresh}${failOn === 'must' ? 'MUST' : 'MUST or SHOULD'} requirement failed`;
  return `${what}${excused.length === 0 ? '' : ` (${excused.join(', ')})`}.`;
}

/** The fields of a baseline comparison in reading order, each with the meaning of its requirements. */
export const baselineLabels = {
  new: 'fails now, did not fail in the baseline',
  known: 'fails now and in the baseline',
  fixed: 'failed in the baseline, passes now',
  gone: 'failed in the baseline, not judged now',
} as const satisfies Partial<Record<keyof ReportComparison, string>>;

/** The same for the previous run; they complete "Since the run of …: 2". */
export const previousLabels = {
  new: 'newly failing',
  known: 'failing as before',
  fixed: 'no longer failing',
  gone: 'no longer judged',
} as const satisfies Partial<Record<keyof ReportComparison, string>>;

/** The state of a waiver in this report. Contains outside text (its reason): escape it for the output format. */
export function describeWaiver(
  { requirement, state, until, reason }: WaiverResult,
  { startedAt, requirements }: Pick<Report, 'startedAt' | 'requirements'>,
): string {
  const fails = requirements.some(({ id, verdict }) => id === requirement && verdict === 'fail');
  const isOver = state === 'expired' || startedAt.slice(0, until.length) > until;
  const unjudged = isOver
    ? `not fully judged in this run; the waiver expired on ${until}`
    : `waived until ${until}; not fully judged in this run`;
  const words = {
    applied: `waived until ${until}`,
    expired: fails ? `still fails; the waiver expired on ${until}` : unjudged,
    passes: `passes; the waiver (until ${until}) is stale`,
    'not-judged': unjudged,
  } as const satisfies Record<WaiverResult['state'], string>;
  return `${words[state]} (${reason})`;
}

/** Formats an ISO time for people: `2026-10-12 09:30:00 UTC`. Any other text is returned unchanged. */
export function formatTime(at: string): string {
  const time = /^\d{4}-\d\d-\d\dT/.test(at) ? Date.parse(at) : NaN;
  if (Number.isNaN(time)) return at;
  const iso = new Date(time).toISOString();
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
}

/** `expected X, received Y`; `undefined` for a check that does not compare. Contains outside text. */
export function formatExpectation({
  expected,
  received,
}: Pick<CheckResult, 'expected' | 'received'>): string | undefined {
  if (expected === undefined || received === undefined) return undefined;
  return `expected ${expected}, received ${received}`;
}

/**
 * An exchange in one line: `POST url → 200 in 12 ms`, `call 3f2a… 12 frames, 1.2 s, closed by the AI with 1006`. Contains
 * outside text: escape it for the output format.
 */
export function formatExchange(exchange: Exchange): string {
  const { request, kind, call } = exchange;
  if (call && hasConnection(exchange)) return `call ${shortId(call.callId)} ${formatExchangeResult(exchange)}`;
  const whose = kind === 'http' ? '' : `${kind} `;
  return `${whose}${request.method} ${request.url} → ${formatExchangeResult(exchange)}`;
}

const outcomeOfExchange: Readonly<Record<Exchange['outcome'], string>> = {
  answered: 'answered',
  'no-answer': 'no answer',
  closed: 'connection closed',
  malformed: 'malformed answer',
  unreachable: 'unreachable',
};

/** How an exchange ended: status and time, or the connection error; for a connected call, its length and end. */
export function formatExchangeResult(exchange: Exchange): string {
  const { outcome, response, detail, timing, call } = exchange;
  if (call && hasConnection(exchange)) return callResult(call);
  const took = timing.totalMs === null ? undefined : formatDuration(timing.totalMs);
  if (outcome === 'answered' && response) return `${response.status}${took === undefined ? '' : ` in ${took}`}`;
  const after = took === undefined ? '' : ` after ${took}`;
  return `${outcomeOfExchange[outcome]}${after}${detail === undefined ? '' : `: ${detail}`}`;
}

/** The kind of the smallest failing input: a dialogue is a list of steps. */
export function labelCounterexample({ event }: Counterexample): 'event' | 'dialogue' {
  return event.trimStart().startsWith('[') ? 'dialogue' : 'event';
}

/** Whether the upgrade was accepted, so that the call connected (RFC 6455, 4.2.2). */
export function hasConnection({ response }: Exchange): boolean {
  return response?.status === 101;
}

/** Who ended a call, and how: `closed by the AI with 1006`. */
export function formatCallEnd({ end }: CallRecord): string {
  return end ? `closed by the ${end.by === 'ai' ? 'AI' : 'service'} with ${end.code}` : 'not closed';
}

function callResult(call: CallRecord): string {
  const { frames, framesOmitted, end } = call;
  const lasted = end?.atMs ?? frames.at(-1)?.atMs ?? 0;
  const time = lasted < 1000 ? formatDuration(lasted) : formatLongDuration(lasted);
  return `${counted(frames.length + framesOmitted, 'frame')}, ${time}, ${formatCallEnd(call)}`;
}

function shortId(id: string): string {
  return id.length <= 12 ? id : `${id.slice(0, 8)}…`;
}
