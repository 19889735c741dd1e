import { HarnessFault } from '../harness/faults.ts';
import { redactValue } from '../harness/redact.ts';
import type { Diagnosis, StageName, StageRecord } from '../specs/types.ts';
import { causeOf } from './causes.ts';
import { OutOfTime, type Connection } from './connection.ts';
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
  const suspects: Suspect[] = [];
  const fine: string[] = [];
  const stages: readonly (readonly [StageName, Stage])[] = [
    ...before,
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
    const outcome = await inTime(stage, connection, notes);
    const record: StageRecord = {
      name,
      result: resultOf(outcome),
      ms: hundredths(performance.now() - begun),
      seen: [...outcome.seen],
    };
    records.push(record);
    onRecord?.(redactValue(record, connection.redact));
    fine.push(...outcome.fine);
    // What is odd about the set-up matters only where what is right by it is refused.
    const isRefused = name === 'authentication' && (outcome.suspects.length > 0 || outcome.ends === true);
    if (isRefused) suspects.push(...notes.doubts);
    suspects.push(...outcome.suspects);
    if (outcome.found) found.push({ ...outcome.found, stage: name });
    isOver = outcome.found !== undefined || outcome.ends === true || outcome.isCut === true;
  }
  const isAsked = records.some(({ name, result }) => name === 'authentication' && result !== 'not-reached');
  if (found.length === 0 && notes.ifRefused && isAsked && suspects.length > 0) {
    // What was left open is settled: nothing that is known makes the endpoint answer in another way.
    found.push({ ...notes.ifRefused, stage: 'http' });
    suspects.length = 0;
  }
  const [cause] = found;
  const diagnosis: Diagnosis = {
    surface: connection.surface,
    url: connection.url,
    stage: cause?.stage ?? reached,
    cause: cause ? { id: cause.id, text: cause.text ?? causeOf(cause.id).text } : null,
    mend: cause ? (cause.mend ?? causeOf(cause.id).mend) : '',
    ranked: rankedOf(suspects, cause),
    knownFine: fine,
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
export function isFine({ cause, ranked, stages }: Diagnosis): boolean {
  return (
    cause === null &&
    ranked.length === 0 &&
    stages.every(({ result }) => result === 'fine' || result === 'not-applicable')
  );
}

/** A stage's outcome; `isCut` when it did not come to its end. */
type CutOutcome = StageOutcome & { isCut?: true };

async function inTime(stage: Stage, connection: Connection, notes: StageNotes): Promise<CutOutcome> {
  try {
    return await stage(connection, notes);
  } catch (error) {
    const seen = whyCut(error);
    if (seen === undefined) throw error;
    return { suspects: [], fine: [], seen: [seen], isCut: true };
  }
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
    for (const probeName of probeOrder[connection.surface][name]) {
      const probe = await load(probeName);
      for (const one of failingFor(probeName, failing)) {
        const outcome = await inTime((asked) => probe(asked, one), connection, notes);
        add(whole, outcome);
        if (whole.found ?? whole.isCut ?? whole.ends) return whole;
      }
    }
    return whole;
  };
}

/** What a probe is asked about: what fails and is of its kind, or, with nothing of it, the usual. */
function failingFor(name: ProbeName, failing: readonly Failing[]): readonly (Failing | undefined)[] {
  const own = failing.filter(({ requirement }) => probeFor(requirement) === name);
  return own.length === 0 ? [undefined] : own.slice(0, mostFailing);
}

function add(whole: CutOutcome, { found, suspects, fine, seen, ends, isCut }: CutOutcome): void {
  const known = new Set(whole.suspects.map(({ id }) => id));
  whole.suspects = [...whole.suspects, ...suspects.filter(({ id }) => !known.has(id))];
  whole.fine = [...new Set([...whole.fine, ...fine])];
  whole.seen = [...whole.seen, ...seen];
  if (found) whole.found = found;
  if (ends) whole.ends = ends;
  if (isCut) whole.isCut = isCut;
}

function resultOf({ found, suspects, ends, isCut, isNotApplicable }: CutOutcome): StageRecord['result'] {
  if (found) return 'cause';
  if (suspects.length > 0 || ends) return 'suspect';
  if (isCut) return 'not-reached';
  return isNotApplicable ? 'not-applicable' : 'fine';
}

function rankedOf(suspects: readonly Suspect[], cause: Found | undefined): Diagnosis['ranked'] {
  const ids = new Set<string>(cause ? [cause.id] : []);
  return suspects.flatMap(({ id, text, why }) => {
    if (ids.has(id)) return [];
    ids.add(id);
    return [{ id, text: text ?? causeOf(id).text, why }];
  });
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
