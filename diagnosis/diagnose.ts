import { HarnessFault } from '../harness/checks/faults.ts';
import { redactValue } from '../service/redact.ts';
import type { WireExchange } from '../harness/wire/observation.ts';
import type { Diagnosis, StageName, StageRecord } from '../specs/types.ts';
import { causeOf } from './causes.ts';
import { causeOfStop, OutOfTime, type Connection } from './connection.ts';
import { cutSuspects } from './cut-suspects.ts';
import { exchangeWords } from './exchange-words.ts';
import { probeFor, type ProbeName } from './for-requirement.ts';
import { diagnosisNote } from './note.ts';
import type { Failing, Found, Suspect } from './outcome.ts';
import { probeOrder, type AskingStage } from './probe-order.ts';
import { loadProbe, type LoadProbe } from './probes.ts';
import { configStage } from './stages/config-stage.ts';
import { httpStage } from './stages/http-stage.ts';
import { nameStage } from './stages/name-stage.ts';
import type { Stage, StageNotes, StageOutcome } from './stages/stage.ts';
import { tcpStage } from './stages/tcp-stage.ts';
import { tlsStage } from './stages/tls-stage.ts';
import { tryWhatWasMeant } from './stages/try-what-was-meant.ts';
import { standingOf } from './standing.ts';
import { whyUnseen } from './unseen.ts';

export interface DiagnoseOptions {
  /** What is known to fail: probes begin with it. */
  failing?: readonly Failing[];
  /** Commands that repeat what was found, one each; they go into the note. */
  commands?: readonly string[];
  load?: LoadProbe;
  /** Told when a stage begins. */
  onStage?: (name: StageName) => void;
  /** Told when a stage has ended. */
  onRecord?: (record: StageRecord) => void;
}

/** Failing events that one probe is asked about: each costs deliveries. */
const mostFailing = 3;
/** Milliseconds after the end of the time in which a stage may still say what it has seen. */
const graceMs = 400;

const before: readonly (readonly [StageName, Stage])[] = [
  ['config', configStage],
  ['name', nameStage],
  ['tcp', tcpStage],
  ['tls', tlsStage],
  ['http', httpStage],
];
const asking: readonly AskingStage[] = ['authentication', 'protocol', 'behaviour'];

/**
 * Looks at a connection stage by stage, down to where the cause is. Everything that it gives back is redacted. Ends
 * within the time of the connection, whatever the endpoint does.
 *
 * @throws HarnessFault for what is ours: nothing was found out then
 */
export async function diagnose(connection: Connection, options: DiagnoseOptions = {}): Promise<Diagnosis> {
  const { failing = [], commands = [], load = loadProbe, onStage, onRecord } = options;
  const from = performance.now();
  const notes: StageNotes = { addresses: [], doubts: [] };
  const records: StageRecord[] = [];
  const found: (Found & { stage: StageName })[] = [];
  const suspects: (Suspect & { stage?: StageName })[] = [];
  const fine: string[] = [];
  const notObserved: string[] = [];
  const stages: readonly (readonly [StageName, Stage])[] = [
    ...before.map(([name, stage]) => [name, inTime.bind(undefined, stage)] as const),
    ...asking.map((name) => [name, askingStage(name, { load, failing })] as const),
  ];
  let isOver = false;
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
    // What came to its end together with the time may have omitted the rest without a word.
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
    fine.push(...outcome.fine);
    notObserved.push(...(outcome.notObserved ?? []));
    // What is odd about the set-up matters only where what is right by it is refused.
    const isRefused = name === 'authentication' && (outcome.suspects.length > 0 || outcome.ends === true);
    if (isRefused) suspects.push(...notes.doubts);
    suspects.push(...outcome.suspects.map((suspect) => ({ ...suspect, stage: name })));
    if (outcome.found) found.push({ ...outcome.found, stage: name });
    isOver = outcome.found !== undefined || outcome.ends === true || outcome.isCut === true;
  }
  const [cause] = found;
  const ranked = rankedOf(stillOpen(suspects, { cause, notes, records }), cause);
  if (notes.isRefused && !cause && ranked.length === 0) {
    // Whatever came after: the first that was right was not taken, and that is not explained.
    for (const record of records.filter(({ name }) => name === 'http')) {
      record.result = 'suspect';
      record.seen.push('What is right was not taken when it was sent first, and it was not found out why.');
    }
  }
  const diagnosis: Diagnosis = {
    surface: connection.surface,
    url: connection.url,
    stage: cause?.stage ?? reached,
    cause: cause ? { id: cause.id, text: cause.text ?? causeOf(cause.id).summary } : null,
    remediation: cause ? (cause.remediation ?? causeOf(cause.id).remediation) : '',
    ranked,
    passed: fine,
    ...(notObserved.length > 0 && { notObserved }),
    deliveries: connection.deliveries,
    seconds: hundredths((performance.now() - from) / 1000),
    seed: connection.seed,
    stages: records.map((record) => (record.name === cause?.stage ? { ...record, result: 'cause' } : record)),
    ...(notes.agentTest && { agentTest: notes.agentTest }),
    note: '',
  };
  return redactValue({ ...diagnosis, note: diagnosisNote(diagnosis, commands) }, connection.redact);
}

/** Whether everything was looked at, and nothing was wrong. */
export function isFine(diagnosis: Diagnosis): boolean {
  return standingOf(diagnosis) === 'fine';
}

/**
 * The suspicions that what came later has left. Once anything at the address tells what is right from what is wrong,
 * whatever made it look as if nobody did is no reason any more.
 */
function stillOpen(
  suspects: readonly (Suspect & { stage?: StageName })[],
  { cause, notes, records }: { cause: Found | undefined; notes: StageNotes; records: readonly StageRecord[] },
): readonly Suspect[] {
  const isToldApart = suspects.some(({ id }) => id === 'signature/refused-afterwards');
  if (cause || isToldApart) return suspects.filter(({ stage }) => stage !== 'http');
  const isTaken = records.some(({ name, result }) => name === 'authentication' && result === 'fine');
  return notes.ifRefused && !isTaken ? [...suspects, notes.ifRefused] : suspects;
}

/** A stage's outcome; `isCut` when it did not come to its end, `isOpen` when it could judge nothing. */
type CutOutcome = StageOutcome & { isCut?: true; isOpen?: true };

async function inTime(stage: Stage, connection: Connection, notes: StageNotes): Promise<CutOutcome> {
  const mark = connection.exchanges.at(-1);
  try {
    return { ...(await connection.inTime(stage(connection, notes), graceMs)) };
  } catch (error) {
    const found = causeOfStop(error);
    if (found) return { found, suspects: [], fine: [], seen: linesSince(mark, connection) };
    const why = whyCut(error);
    if (why === undefined) throw error;
    return { suspects: [], fine: [], seen: [...linesSince(mark, connection), why], isCut: true };
  }
}

/** A line for each exchange after this one: what a stage has noted is lost when it is cut, the exchanges are not. */
function linesSince(mark: WireExchange | undefined, connection: Connection): string[] {
  return since(mark, connection).flatMap((exchange) =>
    'answer' in exchange ? [exchangeWords(capital(exchange.label), exchange)] : [],
  );
}

/** The exchanges after this one, as far as they are kept. */
function since(mark: WireExchange | undefined, { exchanges }: Connection): readonly WireExchange[] {
  return exchanges.slice(mark === undefined ? 0 : exchanges.indexOf(mark) + 1);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What the endpoint, or the time, has brought to an end; `undefined` for what is ours. */
function whyCut(error: unknown): string | undefined {
  if (error instanceof OutOfTime) return 'The time was over before this was looked at; --within gives more.';
  if (!(error instanceof HarnessFault)) return undefined;
  const isTheirs = error.code.startsWith('target-') || error.code === 'control-failed';
  return isTheirs ? error.message : undefined;
}

function askingStage(
  name: AskingStage,
  { load, failing }: { load: LoadProbe; failing: readonly Failing[] },
): (connection: Connection, notes: StageNotes) => Promise<CutOutcome> {
  return async (connection, notes) => {
    const whole: CutOutcome = { suspects: [], fine: [], seen: [] };
    if (name === 'authentication') {
      add(whole, await inTime((asked) => tryWhatWasMeant(asked, notes.doubts), connection, notes));
      if (whole.found ?? whole.isCut) return whole;
    }
    let isOpen = false;
    const whyNot: string[] = [];
    for (const ownName of probeOrder[connection.surface][name]) {
      for (const [probeName, one] of questionsFor(ownName, failing, notes)) {
        const probe = await load(probeName);
        const outcome = await inTime((asked) => probe(asked, one), connection, notes);
        const unseen = outcome.isCut ? undefined : whyUnseen(probeName, outcome, connection);
        add(whole, unseen?.isGap ? { ...outcome, notObserved: unseen.sentences } : outcome);
        whyNot.push(...(unseen?.sentences ?? []));
        if (whole.found ?? whole.isCut ?? whole.ends) return whole;
        isOpen ||= unseen?.isNotApplicable === false;
      }
    }
    if (whole.fine.length > 0 || whole.suspects.length > 0) return whole;
    const seen = [...whole.seen, ...whyNot];
    return { ...whole, seen, ...(isOpen ? { isOpen: true } : { isNotApplicable: true }) };
  };
}

/** Probes that look into parts of what another one does: they come first, and alone for what is known to fail. */
const parts: Partial<Record<ProbeName, readonly ProbeName[]>> = { signature: ['weakness', 'window'] };

/** What a probe is asked about: what fails and is of its kind or a part of it, or, with nothing of its kind, the usual. */
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
    // These show something only beside what is right and accepted.
    ...(isRefused ? [] : (parts[name] ?? []).flatMap(own)),
    ...(whole.length === 0 ? [[name, undefined] as const] : whole),
  ];
}

function add(whole: CutOutcome, { found, suspects, fine, seen, notObserved = [], ends, isCut }: CutOutcome): void {
  const known = new Set(whole.suspects.map(({ id }) => id));
  whole.suspects = [...whole.suspects, ...suspects.filter(({ id }) => !known.has(id))];
  whole.fine = [...new Set([...whole.fine, ...fine])];
  whole.seen = [...whole.seen, ...seen];
  whole.notObserved = [...(whole.notObserved ?? []), ...notObserved];
  if (found) whole.found = found;
  if (ends) whole.ends = ends;
  if (isCut) whole.isCut = isCut;
}

function resultOf(
  name: StageName,
  { found, suspects, fine, ends, isCut, isOpen, isNotApplicable }: CutOutcome,
): StageRecord['result'] {
  if (found) return 'cause';
  if (suspects.length > 0 || ends) return 'suspect';
  if (isCut ?? isOpen) return 'not-reached';
  return isNotApplicable || (isAsking(name) && fine.length === 0) ? 'not-applicable' : 'fine';
}

/** Of these nothing is known to be fine until something was seen to be so. */
function isAsking(name: StageName): boolean {
  return (asking as readonly StageName[]).includes(name);
}

function rankedOf(suspects: readonly Suspect[], cause: Found | undefined): Diagnosis['ranked'] {
  const ids = new Set<string>(cause ? [cause.id] : []);
  return suspects.flatMap(({ id, text, why }) => {
    if (ids.has(id)) return [];
    ids.add(id);
    return [{ id, text: text ?? causeOf(id).summary, why }];
  });
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
