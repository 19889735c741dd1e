import type { Report, Selection, UsedLimit } from '../../specs/generated/types.ts';
import { lacksKnownCaller } from '../model/coverage.ts';
import { reasonsOf, surfaceViews } from '../model/findings.ts';
import { counted, formatDuration, formatLongDuration, formatTime, previousLabels } from './wording.ts';

/** The limits of a partial run, one sentence each; empty for a complete run. */
export function selectionNotes(selection: Selection | undefined): string[] {
  const notes: string[] = [];
  if (selection?.contracts) notes.push('Only contracts were verified; no suite was run.');
  if (selection?.capture) notes.push('Only recorded traffic was judged; nothing was sent.');
  if (selection?.surfaces) notes.push(`Only these surfaces were run: ${selection.surfaces.join(', ')}.`);
  if (selection?.only) notes.push(`Only these requirements were run: ${selection.only.join(', ')}.`);
  if (selection?.callbackWaitMs !== undefined) {
    notes.push(`The wait for a callback was shortened to ${formatLongDuration(selection.callbackWaitMs)}.`);
  }
  if (selection?.runs !== undefined) {
    notes.push(
      `Only ${counted(selection.runs, 'generated event')} per property ${selection.runs === 1 ? 'was' : 'were'} sent.`,
    );
  }
  if (selection?.stopped === 'interrupted') notes.push('The run was interrupted; this is what it had judged by then.');
  if (selection?.stopped === 'bail') notes.push('The run was stopped by --bail after the first failure.');
  if (selection?.shard) {
    const { index, of } = selection.shard;
    notes.push(`This is shard ${index} of ${of}; svc-conform report merge combines all shards.`);
  }
  return notes;
}

/** Whether NODE_TLS_REJECT_UNAUTHORIZED=0 was set, alone or in addition to `tls.insecure`. */
export function isDisabledByVariable({
  tlsVerification,
  insecure,
  insecureByVariable,
}: NonNullable<Report['environment']>): boolean {
  return tlsVerification === 'disabled' && (insecure === undefined || insecureByVariable === true);
}

/** Conditions that weaken the result of a run or affect its times, one sentence each; every format starts with them. */
export function environmentNotes(environment: Report['environment']): string[] {
  const { insecure = [], weakSecrets = [], proxies = [], allowedHttp = [] } = environment ?? {};
  const ways = [
    ...(insecure.length > 0 ? [`tls.insecure for ${insecure.join(', ')}`] : []),
    ...(environment && isDisabledByVariable(environment) ? ['NODE_TLS_REJECT_UNAUTHORIZED=0'] : []),
  ];
  return [
    ...ways.map(
      (way) =>
        `TLS verification was disabled (${way}): any certificate was accepted, so this run does not show that the endpoint has a valid one.`,
    ),
    ...proxies.map(
      ({ url, keys }) =>
        `Connections for ${keys.join(', ')} were made through the proxy ${url}; a time is not judged if the share of the proxy decides.`,
    ),
    ...(allowedHttp.length === 0
      ? []
      : [
          `The traffic with ${allowedHttp.join(', ')} was not encrypted (--allow-http), so this run does not show that the endpoint is reached over TLS.`,
        ]),
    ...weakSecrets.map(
      (name) =>
        `The ${name} is short or made of dictionary words, so it can be guessed. Use at least 32 random characters.`,
    ),
  ];
}

/** The config keys with which a run judges more, in one sentence; none when all are set. */
export function configureNotes(coverage: Report['coverage']): string[] {
  const keys = coverage?.configure ?? [];
  return keys.length === 0 ? [] : [`To judge more, configure ${keys.join(', ')}.`];
}

/** How much the run judged, and the config keys with which a run judges more; empty in reports of earlier versions. */
export function coverageNotes({ coverage }: Pick<Report, 'coverage'>, keys = true): string[] {
  if (!coverage) return [];
  const share = `Judged ${coverage.judged} of ${counted(coverage.of, 'observable requirement')}.`;
  return [[share, ...(keys ? configureNotes(coverage) : [])].join(' ')];
}

/** Maximum number of event types that the sentence about a slow endpoint lists. */
const mostSlow = 4;

/** That no answer to a lookup had data, in one sentence; none if the config names a known contact. */
function knownCallerNotes(report: Report): string[] {
  if (!lacksKnownCaller(report)) return [];
  return [
    'No lookup of a known contact was sent, and no answer had data, so no data of your CRM was judged. Set stimuli.knownCaller, or --known-caller, to the phone number of a contact in your CRM.',
  ];
}

/** Configured surfaces of which nothing was judged, one sentence each with the most frequent reason. */
function unjudgedNotes(report: Report): string[] {
  if (report.selection?.stopped) return [];
  return surfaceViews(report)
    .filter(({ surface, omitted, counts }) => {
      const isTarget = report.target[surface] !== undefined && omitted === undefined;
      return isTarget && counts['not-exercised'] > 0 && judgedGroups.every((group) => counts[group] === 0);
    })
    .map(({ surface, requirements }) => {
      const [first] = reasonsOf({ ...report, requirements: [...requirements] }, 'not-exercised');
      const reason = first?.reason ?? 'no reason was recorded';
      return `No requirement of ${surface} was judged: ${reason.replace(/\.$/, '')}.`;
    });
}

/** The groups of requirements with a verdict, and of those that could not get one. */
const judgedGroups = ['pass', 'fail', 'warn', 'advice', 'blocked'] as const;

/** How slow the endpoint is and for what, in one sentence; none for a quick endpoint. */
export function slownessNotes({ slowness = [], environment }: Pick<Report, 'slowness' | 'environment'>): string[] {
  if (slowness.length === 0) return [];
  const shown = slowness.slice(0, mostSlow).map(({ surface, what, answers, unanswered, medianMs, longestMs }) => {
    if (medianMs === undefined) {
      return `${surface} left ${what} unanswered (${unanswered} of ${unanswered}, for up to ${formatDuration(longestMs)})`;
    }
    const silent = unanswered === 0 ? '' : `, ${unanswered} without an answer`;
    return `${surface} took ${formatDuration(medianMs)} for ${what} (median of ${answers}, longest ${formatDuration(longestMs)}${silent})`;
  });
  const rest = slowness.length - shown.length;
  const who = environment?.proxies ? 'The endpoint or the proxy' : 'The endpoint';
  return [`${who} is slow: ${shown.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}.`];
}

/** How many checks the time budget cut off; none for a run that had enough time. */
export function budgetNotes({ checks }: Pick<Report, 'checks'>): string[] {
  const cut = checks.filter(({ code }) => code === 'budget-used').length;
  if (cut === 0) return [];
  const were = `${counted(cut, 'check')} ${cut === 1 ? 'was' : 'were'}`;
  return [`The time budget was used up, so ${were} cut off. Use --budget for more time.`];
}

/** The limits of the config, how much of them was used, and what they cut off. */
export function limitNotes({ limits, checks }: Pick<Report, 'limits' | 'checks'>): string[] {
  if (!limits) return [];
  const { messages, calls, perMinute } = limits;
  const used = [
    ...(messages ? [describeUse(messages, 'message')] : []),
    ...(calls ? [describeUse(calls, 'call')] : []),
    ...(perMinute === undefined ? [] : [`at most ${perMinute} per minute`]),
  ];
  const cut = checks.filter(({ code }) => code === 'limit-used').length;
  const were = cut === 0 ? '' : ` The limits cut off ${counted(cut, 'check')}. Raise them to judge more.`;
  return [`The config limits what the own AI receives: ${used.join(', ')}.${were}`];
}

function describeUse({ sent, most }: UsedLimit, what: string): string {
  return most === undefined ? `${counted(sent, what)} sent` : `${sent} of ${counted(most, what)} sent`;
}

/** What changed since the previous run, in one sentence; none when nothing failed then or now. */
export function previousNotes({ previous }: Pick<Report, 'previous'>): string[] {
  if (!previous) return [];
  const kinds = ['new', 'fixed', 'known', 'gone'] as const;
  const changes = kinds.flatMap((kind) => {
    const { length } = previous[kind];
    return length === 0 ? [] : [`${length} ${previousLabels[kind]}`];
  });
  return changes.length === 0 ? [] : [`Since the run of ${formatTime(previous.startedAt)}: ${changes.join(', ')}.`];
}

/**
 * Notes on the run as a whole, one sentence each. Contains outside text: escape it for the output format.
 *
 * @param keys whether to list the unset config keys: next commands list them after a pass, and after a failure they
 *   would delay its fix
 */
export function runNotes(report: Report, { keys = true } = {}): string[] {
  const { environment, selection, container, start, logs, logsOmitted = 0, anonymized } = report;
  const lines = (logs?.length ?? 0) + logsOmitted;
  const log = lines === 0 ? '' : ` and wrote ${counted(lines, 'line')}`;
  const digest = container?.digest === undefined ? '' : ` (${container.digest})`;
  return [
    ...environmentNotes(environment),
    ...previousNotes(report),
    ...coverageNotes(report, keys),
    ...knownCallerNotes(report),
    ...unjudgedNotes(report),
    ...slownessNotes(report),
    ...budgetNotes(report),
    ...limitNotes(report),
    ...selectionNotes(selection),
    ...(container ? [`${subjectOf(container, `image ${container.image}${digest}`)} started for this run${log}.`] : []),
    ...(start ? [`${subjectOf(start, 'endpoint')} started with ${start.command} for this run${log}.`] : []),
    ...exitNotes(container ?? start),
    ...(anonymized ? ['Hosts, phone numbers, names, addresses and ids are placeholders.'] : []),
  ];
}

function subjectOf({ instances = 1 }: { instances?: number }, what: string): string {
  return instances > 1 ? `${instances} instances of the ${what} were` : `The ${what} was`;
}

/** How an endpoint that was started for the run ended during it. */
function exitNotes({
  exits = 1,
  exitCode,
  signal,
}: Partial<Omit<NonNullable<Report['start']>, 'command'>> = {}): string[] {
  if (exitCode === undefined && signal === undefined) return [];
  const how = exitCode === undefined ? `by ${signal}` : `with exit code ${exitCode}`;
  return [
    exits === 1 ? `It ended during the run ${how}.` : `It ended ${exits} times during the run, the last time ${how}.`,
  ];
}
