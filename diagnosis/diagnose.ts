import { redactValue } from '../service/redact.ts';
import type { DiagnosedSurface, Diagnosis, StageName, StageRecord } from '../specs/generated/types.ts';
import type { Connection } from './connection.ts';
import { describeCause } from './describe-cause.ts';
import type { ShownFramework } from './detect-framework.ts';
import { askingStage } from './asking-stage.ts';
import { cutSuspects } from './cut-suspects.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { formatNote } from './format-note.ts';
import { inTime, since, type CutOutcome, type ProbedCause } from './in-time.ts';
import { isWeakness } from './is-weakness.ts';
import type { Failing, Suspect } from './outcome.ts';
import { remainingSuspects, type StagedSuspect } from './remaining-suspects.ts';
import type { ProbingStage } from './probe-order.ts';
import { loadProbe, type LoadProbe } from './load-probe.ts';
import { configStage } from './stages/config-stage.ts';
import { httpStage } from './stages/http-stage.ts';
import { nameStage } from './stages/name-stage.ts';
import type { Stage, StageNotes } from './stages/stage.ts';
import { tcpStage } from './stages/tcp-stage.ts';
import { tlsStage } from './stages/tls-stage.ts';
import { diagnosisStatus } from './diagnosis-status.ts';

export interface DiagnoseOptions {
  /** Known failures: probes begin with these. */
  failing?: readonly Failing[];
  /** Probes that are skipped, since a run has judged what they examine: see `settledProbes`. */
  settled?: ReadonlySet<ProbeName>;
  /** Commands that reproduce the result; the note lists them. */
  commands?: readonly string[];
  load?: LoadProbe;
  /** The last stage to run; default: all of them. */
  through?: StageName;
  /** Stages that are not run. */
  without?: readonly StageName[];
  /** The framework whose call the fix names; default: the one that the answers reveal. */
  framework?: ShownFramework | undefined;
  /** Called when a stage begins. */
  onStage?: (name: StageName) => void;
  /** Called when a stage has ended. */
  onRecord?: (record: StageRecord) => void;
}

/** The reason of a weakness next to a failure. */
const confirmedWeakness = 'It was confirmed; it rejects no valid request, so it does not explain the failure.';
/** The same next to another weakness. */
const confirmedAsWell = 'It was confirmed as well.';
const before: readonly (readonly [StageName, Stage])[] = [
  ['config', configStage],
  ['name', nameStage],
  ['tcp', tcpStage],
  ['tls', tlsStage],
  ['http', httpStage],
];
const asking: readonly ProbingStage[] = ['authentication', 'protocol', 'behaviour', 'refusals'];

/** A diagnosis, and what decides which failures it explains. */
export interface CauseSearch {
  diagnosis: Diagnosis;
  /** Causes that were confirmed, the named one first. */
  confirmed: readonly StagedCause[];
  /** The other explanations, most likely first. */
  suspects: readonly StagedSuspect[];
  /** The stage that no valid request gets past: its explanation is the one of what fails behind it. */
  closedAt: StageName | undefined;
  /** The stages that were finished and could judge something: only these have ruled out other causes of their subject. */
  finished: ReadonlySet<StageName>;
}

/** A confirmed cause, and where it was found. */
export interface StagedCause extends ProbedCause {
  stage: StageName;
}

/**
 * Checks a connection stage by stage, up to the one that contains the cause. The result is redacted. Ends within the time
 * of the connection, whatever the endpoint does.
 *
 * @throws HarnessFault for a fault of the harness: there is no result then
 */
export async function diagnose(connection: Connection, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  return (await search(connection, options)).diagnosis;
}

/** As {@link diagnose}, with the parts of the result that the report of a run needs. */
export async function search(connection: Connection, options: DiagnoseOptions = {}): Promise<CauseSearch> {
  const {
    failing = [],
    settled = new Set(),
    commands = [],
    load = loadProbe,
    through,
    without = [],
    framework,
    onStage,
    onRecord,
  } = options;
  const from = performance.now();
  const notes: StageNotes = { addresses: [], doubts: [] };
  const records: StageRecord[] = [];
  const found: StagedCause[] = [];
  const weaknesses: StagedCause[] = [];
  const suspects: StagedSuspect[] = [];
  const passed: string[] = [];
  const notObserved: string[] = [];
  const finished = new Set<StageName>();
  const stages: readonly (readonly [StageName, () => Stage])[] = [
    ...before.map(([name, stage]) => [name, () => inTime.bind(undefined, stage)] as const),
    ...asking.map((name) => {
      const make = () => askingStage(name, { load, failing, settled, isFailing: isFailing(found, suspects) });
      return [name, make] as const;
    }),
  ];
  let isOver = false;
  /** Whether valid requests are accepted, so that refusals of invalid ones mean something. */
  let isAccepting = false;
  let closedAt: StageName | undefined;
  let reached: StageName = 'config';
  for (const [name, stage] of stages) {
    const isSkipped = name === 'refusals' ? !isAccepting : isOver;
    if (isSkipped || without.includes(name)) {
      records.push({ name, result: 'not-reached', ms: 0, seen: [] });
      continue;
    }
    onStage?.(name);
    reached = name;
    const begun = performance.now();
    const mark = connection.exchanges.at(-1);
    const wasFailing = isFailing(found, suspects);
    const outcome: CutOutcome = await stage()(connection, notes);
    // A stage that ends exactly at the deadline may have skipped the rest silently.
    if (outcome.found === undefined && connection.remainingMs <= 0) outcome.isCut = true;
    if (outcome.isCut && outcome.suspects.length === 0) {
      outcome.suspects = cutSuspects(name, since(mark, connection), connection);
    }
    const record: StageRecord = {
      name,
      result: resultOf(name, outcome),
      ms: hundredths(performance.now() - begun),
      seen: [...outcome.seen],
    };
    records.push(record);
    onRecord?.(redactValue(record, connection.redact));
    passed.push(...outcome.passed);
    notObserved.push(...(outcome.notObserved ?? []));
    // Oddities of the configuration matter only if the endpoint rejects a request that follows it.
    const isSuspicious = outcome.suspects.some(({ id }) => !isWeakness(id)) || outcome.ends === true;
    if (name === 'authentication' && isSuspicious) suspects.push(...notes.doubts);
    suspects.push(...outcome.suspects.map((suspect) => ({ ...suspect, stage: name })));
    if (outcome.found) found.push({ ...outcome.found, stage: name });
    weaknesses.push(...(outcome.weaknesses ?? []).map((weakness) => ({ ...weakness, stage: name })));
    // A limit is in front of everything.
    if (isClosing(name, outcome, notes)) closedAt ??= isLimited(outcome) ? 'http' : name;
    const isBrief = name === 'refusals' && (wasFailing || found.length > 0);
    if (!(outcome.isCut ?? outcome.isOpen ?? isBrief)) finished.add(name);
    if (name === 'authentication') {
      // A cause that rejects only some valid requests leaves others, whose signatures can be varied.
      isAccepting = record.result === 'passed' || (outcome.found !== undefined && notes.isRefused !== true);
    } else if (outcome.ends === true) isAccepting = false;
    const isOfConnection = outcome.found?.id.startsWith('http/') === true;
    if (name === through || outcome.isCut === true || isOfConnection) isAccepting = false;
    isOver ||= name === through || outcome.found !== undefined || outcome.ends === true || outcome.isCut === true;
  }
  const confirmed = [...found, ...weaknesses];
  const [cause, ...others] = confirmed;
  const why = found.length > 0 ? confirmedWeakness : confirmedAsWell;
  suspects.unshift(...others.map((one) => ({ ...one, why: weaknesses.includes(one) ? why : confirmedAsWell })));
  const remaining = remainingSuspects(suspects, { cause, notes, records });
  if (notes.isRefused && !cause && remaining.every(({ isConfirmed }) => isConfirmed)) {
    // Whatever followed, nothing explains why the first valid request was rejected.
    for (const record of records.filter(({ name }) => name === 'http')) {
      record.result = 'suspect';
      record.seen.push('A valid request was rejected at first; the cause is unknown.');
    }
  }
  const shown = framework ?? connection.frameworkSigns.framework;
  const diagnosis: Diagnosis = {
    surface: connection.surface,
    url: connection.url,
    stage: cause?.stage ?? reached,
    cause: cause ? describeCause(cause, connection.surface, shown) : null,
    suspects: remaining.map((suspect) => describeSuspect(suspect, connection.surface, shown)),
    passed: [...new Set(passed)],
    notObserved,
    deliveries: connection.deliveries,
    seconds: hundredths((performance.now() - from) / 1000),
    seed: connection.seed,
    stages: records.map((record) => (record.name === cause?.stage ? { ...record, result: 'cause' } : record)),
    ...(notes.agentTest && { agentTest: notes.agentTest }),
    note: '',
  };
  return {
    diagnosis: redactValue({ ...diagnosis, note: formatNote(diagnosis, commands) }, connection.redact),
    confirmed,
    suspects: remaining.filter(({ id }) => !confirmed.some((one) => one.id === id)),
    closedAt: closedAt ?? (remaining.some((suspect) => suspect === notes.ifRefused) ? 'http' : undefined),
    finished,
  };
}

/** Whether valid requests are known or suspected to fail, whatever the cause is. Weaknesses and advice explain no failure. */
function isFailing(found: readonly StagedCause[], suspects: readonly Suspect[]): boolean {
  return found.length > 0 || suspects.some(({ id, isConfirmed }) => !isWeakness(id) && isConfirmed !== true);
}

/** Whether no valid request gets past this stage any more. A weakness of authentication ends its stage as well. */
function isClosing(name: StageName, outcome: CutOutcome, { isRefused }: StageNotes): boolean {
  const { found, ends, isCut, isAccepted } = outcome;
  if (!isAsking(name)) return found !== undefined && !isAccepted;
  // Nothing more is sent to an endpoint that asked for a pause.
  if (isLimited(outcome) && isCut === true) return true;
  // Events were accepted before, which may have failed for other reasons.
  if (outcome.suspects.some(({ id }) => id === 'payload/at-random')) return false;
  const isAboutAcceptance = name !== 'authentication' && name !== 'refusals';
  return ends === true && (isAboutAcceptance || isRefused === true || isLimited(outcome));
}

function isLimited({ suspects }: CutOutcome): boolean {
  return suspects.some(({ id }) => id === 'http/rate-limited');
}

/** Whether everything was checked, and nothing is wrong. */
export function isPassed(diagnosis: Diagnosis): boolean {
  return diagnosisStatus(diagnosis) === 'passed';
}

function resultOf(
  name: StageName,
  { found, weaknesses, suspects, passed, ends, isCut, isOpen, isNotApplicable }: CutOutcome,
): StageRecord['result'] {
  if (found) return 'cause';
  if (weaknesses || suspects.length > 0 || ends) return 'suspect';
  if (isCut ?? isOpen) return 'not-reached';
  return isNotApplicable || (isAsking(name) && passed.length === 0) ? 'not-applicable' : 'passed';
}

/** These stages pass only if something was observed to work. */
function isAsking(name: StageName): boolean {
  return (asking as readonly StageName[]).includes(name);
}

function describeSuspect(
  suspect: Suspect,
  ...place: [DiagnosedSurface, ShownFramework | undefined]
): Diagnosis['suspects'][number] {
  const { why, isConfirmed } = suspect;
  const { id, summary, remediation } = describeCause(suspect, ...place);
  return { id, summary, why, remediation, ...(isConfirmed && { confirmed: true }) };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
