import { HarnessFault } from '../harness/checks/faults.ts';
import { redactValue } from '../service/redact.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import type { Diagnosis, StageName, StageRecord } from '../specs/generated/types.ts';
import { causeOf } from './causes.ts';
import { OutOfTime, type Connection } from './connection.ts';
import { RateLimited } from './rate-limited.ts';
import { causeOfStop } from './cause-of-stop.ts';
import { cutSuspects } from './cut-suspects.ts';
import { describeExchange } from './describe-exchange.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { probeFor } from './probe-for.ts';
import { formatNote } from './format-note.ts';
import { isWeakness } from './is-weakness.ts';
import type { Failing, Found, Suspect } from './outcome.ts';
import { remainingSuspects, type StagedSuspect } from './remaining-suspects.ts';
import { probeOrder, type ProbingStage } from './probe-order.ts';
import { loadProbe, type LoadProbe } from './load-probe.ts';
import { configStage } from './stages/config-stage.ts';
import { httpStage } from './stages/http-stage.ts';
import { nameStage } from './stages/name-stage.ts';
import type { Stage, StageNotes, StageOutcome } from './stages/stage.ts';
import { tcpStage } from './stages/tcp-stage.ts';
import { tlsStage } from './stages/tls-stage.ts';
import { tryIntendedCredential } from './stages/try-intended-credential.ts';
import { diagnosisStatus } from './diagnosis-status.ts';
import { describeSettled, explainUnobserved } from './explain-unobserved.ts';

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
  /** Called when a stage begins. */
  onStage?: (name: StageName) => void;
  /** Called when a stage has ended. */
  onRecord?: (record: StageRecord) => void;
}

/** Explains a limit that only a test reaches. */
const testLimit = 'The service sends fewer: exempt the test from the limit, or start the diagnosis again later.';
/** Explains a limit that follows invalid signatures or tokens. */
const lockout =
  'Invalid requests of this diagnosis preceded, so the endpoint may have locked them out; the service sends none.';
/** The reason of a weakness next to a failure. */
const confirmedWeakness = 'It was confirmed; it rejects no valid request, so it does not explain the failure.';
/** The same next to another weakness. */
const confirmedAsWell = 'It was confirmed as well.';
/** Failing events for which one probe runs: each costs deliveries. */
const mostFailing = 3;
/** Milliseconds after the deadline in which a stage may still return what it has observed. */
const graceMs = 400;

const before: readonly (readonly [StageName, Stage])[] = [
  ['config', configStage],
  ['name', nameStage],
  ['tcp', tcpStage],
  ['tls', tlsStage],
  ['http', httpStage],
];
const asking: readonly ProbingStage[] = ['authentication', 'protocol', 'behaviour'];

/** A diagnosis, and what decides which failures it explains. */
export interface CauseSearch {
  diagnosis: Diagnosis;
  /** Causes that were confirmed, the named one first. */
  confirmed: readonly StagedCause[];
  /** The other explanations, most likely first. */
  suspects: readonly StagedSuspect[];
  /** No valid request is handled, so that the first explanation is the one of every failure. */
  isClosed: boolean;
}

/** A confirmed cause, and where it was found. */
export interface StagedCause extends Found {
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
  const { failing = [], settled = new Set(), commands = [], load = loadProbe, through, onStage, onRecord } = options;
  const from = performance.now();
  const notes: StageNotes = { addresses: [], doubts: [] };
  const records: StageRecord[] = [];
  const found: StagedCause[] = [];
  const weaknesses: StagedCause[] = [];
  const suspects: StagedSuspect[] = [];
  const passed: string[] = [];
  const notObserved: string[] = [];
  const stages: readonly (readonly [StageName, Stage])[] = [
    ...before.map(([name, stage]) => [name, inTime.bind(undefined, stage)] as const),
    ...asking.map((name) => [name, askingStage(name, { load, failing, settled })] as const),
  ];
  let isOver = false;
  let isClosed = false;
  let reached: StageName = 'config';
  for (const [name, stage] of stages) {
    if (isOver) {
      records.push({ name, result: 'not-reached', ms: 0, seen: [] });
      continue;
    }
    onStage?.(name);
    reached = name;
    const begun = performance.now();
    const mark = connection.exchanges.at(-1);
    const outcome: CutOutcome = await stage(connection, notes);
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
    isClosed ||= isClosing(name, outcome, notes);
    isOver = name === through || outcome.found !== undefined || outcome.ends === true || outcome.isCut === true;
  }
  const confirmed = [...found, ...weaknesses];
  const [cause] = confirmed;
  weaknesses.splice(0, found.length > 0 ? 0 : 1);
  const why = found.length > 0 ? confirmedWeakness : confirmedAsWell;
  suspects.unshift(...weaknesses.map((weakness) => ({ ...weakness, why })));
  const remaining = remainingSuspects(suspects, { cause, notes, records });
  if (notes.isRefused && !cause && remaining.length === 0) {
    // Whatever followed, nothing explains why the first valid request was rejected.
    for (const record of records.filter(({ name }) => name === 'http')) {
      record.result = 'suspect';
      record.seen.push('A valid request was rejected at first; the cause is unknown.');
    }
  }
  const diagnosis: Diagnosis = {
    surface: connection.surface,
    url: connection.url,
    stage: cause?.stage ?? reached,
    cause: cause ? namedCause(cause) : null,
    suspects: remaining.map(namedSuspect),
    passed,
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
    isClosed: isClosed || remaining.some((suspect) => suspect === notes.ifRefused),
  };
}

/** Whether no valid request gets past this stage any more. A weakness of authentication ends its stage as well. */
function isClosing(
  name: StageName,
  { found, suspects, ends, isAccepted }: CutOutcome,
  { isRefused }: StageNotes,
): boolean {
  if (!isAsking(name)) return found !== undefined && !isAccepted;
  const isLimited = suspects.some(({ id }) => id === 'http/rate-limited');
  return ends === true && (name !== 'authentication' || isRefused === true || isLimited);
}

/** Whether everything was checked, and nothing is wrong. */
export function isPassed(diagnosis: Diagnosis): boolean {
  return diagnosisStatus(diagnosis) === 'passed';
}

/** A stage's outcome; `isCut` when it did not finish, `isOpen` when it could judge nothing. */
type CutOutcome = StageOutcome & {
  isCut?: true;
  isOpen?: true;
  /** Confirmed; they reject no valid request, so they must not hide why one fails. */
  weaknesses?: readonly Found[];
};

async function inTime(stage: Stage, connection: Connection, notes: StageNotes): Promise<CutOutcome> {
  const mark = connection.exchanges.at(-1);
  try {
    return { ...(await connection.inTime(stage(connection, notes), graceMs)) };
  } catch (error) {
    const found = causeOfStop(error);
    if (found) return { found, suspects: [], passed: [], seen: linesSince(mark, connection) };
    const why = whyCut(error);
    if (error instanceof RateLimited) {
      const limited: Suspect = {
        id: 'http/rate-limited',
        why: `${error.message} ${error.isAfterInvalid ? lockout : testLimit}`,
      };
      return { suspects: [limited], passed: [], seen: linesSince(mark, connection), isCut: true };
    }
    if (why === undefined) throw error;
    return { suspects: [], passed: [], seen: [...linesSince(mark, connection), why], isCut: true };
  }
}

/** One line for each exchange after this one: an unfinished stage loses its notes, but not its exchanges. */
function linesSince(mark: WireExchange | undefined, connection: Connection): string[] {
  return since(mark, connection).flatMap((exchange) =>
    'answer' in exchange ? [describeExchange(capital(exchange.label), exchange)] : [],
  );
}

/** The exchanges after this one that are still kept. */
function since(mark: WireExchange | undefined, { exchanges }: Connection): readonly WireExchange[] {
  return exchanges.slice(mark === undefined ? 0 : exchanges.indexOf(mark) + 1);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Why the endpoint or the deadline ended a stage; `undefined` for a fault of the harness. */
function whyCut(error: unknown): string | undefined {
  if (error instanceof OutOfTime) return 'The time ran out before this was checked; --within allows more.';
  if (!(error instanceof HarnessFault)) return undefined;
  const isOfTarget = error.code.startsWith('target-') || error.code === 'control-failed';
  return isOfTarget || error.code === 'limit-used' ? error.message : undefined;
}

function askingStage(
  name: ProbingStage,
  { load, failing, settled }: Required<Pick<DiagnoseOptions, 'load' | 'failing' | 'settled'>>,
): (connection: Connection, notes: StageNotes) => Promise<CutOutcome> {
  return async (connection, notes) => {
    const whole: CutOutcome = { suspects: [], passed: [], seen: [] };
    if (name === 'authentication') {
      add(whole, await inTime((asked) => tryIntendedCredential(asked, notes.doubts), connection, notes));
      if (whole.found ?? whole.isCut) return whole;
    }
    let isOpen = false;
    const whyNot: string[] = [];
    for (const ownName of probeOrder[connection.surface][name]) {
      // Whatever the run has shown, a valid request was rejected now.
      if (settled.has(ownName) && !notes.isRefused) {
        whole.passed = [...whole.passed, describeSettled(ownName)];
        continue;
      }
      for (const [probeName, one] of questionsFor(ownName, failing, notes)) {
        const probe = await load(probeName);
        const outcome = await inTime((asked) => probe(asked, one), connection, notes);
        const unseen = outcome.isCut ? undefined : explainUnobserved(probeName, outcome, connection);
        add(whole, unseen?.isGap ? { ...outcome, notObserved: unseen.sentences } : outcome);
        whyNot.push(...(unseen?.sentences ?? []));
        if (whole.found ?? whole.isCut ?? whole.ends) return whole;
        isOpen ||= unseen?.isNotApplicable === false;
      }
    }
    if (whole.passed.length > 0 || whole.suspects.length > 0 || whole.weaknesses) return whole;
    const seen = [...whole.seen, ...whyNot];
    return { ...whole, seen, ...(isOpen ? { isOpen: true } : { isNotApplicable: true }) };
  };
}

/** Probes that cover a part of another probe: they run first, and only for known failures. */
const parts: Partial<Record<ProbeName, readonly ProbeName[]>> = { signature: ['weakness', 'window'] };

/** The runs of a probe: one for each known failure of its kind or of a part of it, or a general one without any. */
function questionsFor(
  name: ProbeName,
  failing: readonly Failing[],
  { isRefused }: StageNotes,
): (readonly [ProbeName, Failing | undefined])[] {
  const own = (probe: ProbeName) =>
    failing
      .filter(({ requirement }) => probeFor(requirement) === probe)
      .slice(0, mostFailing)
      .map((one) => [probe, one] as const);
  const whole = own(name);
  return [
    // These show something only if the endpoint accepts a valid request.
    ...(isRefused ? [] : (parts[name] ?? []).flatMap(own)),
    ...(whole.length === 0 ? [[name, undefined] as const] : whole),
  ];
}

function add(whole: CutOutcome, { found, suspects, passed, seen, notObserved = [], ends, isCut }: CutOutcome): void {
  const known = new Set(whole.suspects.map(({ id }) => id));
  whole.suspects = [...whole.suspects, ...suspects.filter(({ id }) => !known.has(id))];
  whole.passed = [...new Set([...whole.passed, ...passed])];
  whole.seen = [...whole.seen, ...seen];
  whole.notObserved = [...(whole.notObserved ?? []), ...notObserved];
  const isWeak = found !== undefined && isWeakness(found.id);
  const isKnown = whole.weaknesses?.some(({ id }) => id === found?.id);
  if (isWeak && !isKnown) whole.weaknesses = [...(whole.weaknesses ?? []), found];
  if (found && !isWeak) whole.found = found;
  if (ends && !isWeak) whole.ends = ends;
  if (isCut) whole.isCut = isCut;
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

function namedCause({ id, summary, remediation }: Found): NonNullable<Diagnosis['cause']> {
  const known = causeOf(id);
  return { id, summary: summary ?? known.summary, remediation: remediation ?? known.remediation };
}

function namedSuspect({ id, summary, why }: Suspect): Diagnosis['suspects'][number] {
  return { id, summary: summary ?? causeOf(id).summary, why };
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
