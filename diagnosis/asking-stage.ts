import type { ProbeName } from '../specs/requirements/probe.ts';
import { findForeignContact } from './answer/find-foreign-contact.ts';
import type { Connection } from './connection.ts';
import { describeSettled, explainUnobserved } from './explain-unobserved.ts';
import { inTime, type CutOutcome } from './in-time.ts';
import { isWeakness } from './is-weakness.ts';
import type { LoadProbe } from './load-probe.ts';
import type { Failing, ProbeOptions } from './outcome.ts';
import { probeFor, slugOf } from './probe-for.ts';
import { probeOrder, type ProbingStage } from './probe-order.ts';
import type { StageNotes } from './stages/stage.ts';
import { tryIntendedCredential } from './stages/try-intended-credential.ts';

/** Failing events for which one probe runs: each costs deliveries. */
const mostFailing = 3;

/** Which probes run, and with which failures. */
export interface ProbeSelection {
  load: LoadProbe;
  /** Known failures: probes begin with these. */
  failing: readonly Failing[];
  /** Probes that are skipped. */
  settled: ReadonlySet<ProbeName>;
  /** Valid requests are known or suspected to fail, so a probe without a known failure may be brief. */
  isFailing: boolean;
}

/** What the probes of authentication examine in each stage. */
const requestsOf: Partial<Record<ProbingStage, ProbeOptions['requests']>> = {
  authentication: 'valid',
  refusals: 'invalid',
};

/** A stage that runs the probes of a surface, up to the first cause. */
export function askingStage(
  name: ProbingStage,
  { load, failing, settled, isFailing }: ProbeSelection,
): (connection: Connection, notes: StageNotes) => Promise<CutOutcome> {
  return async (connection, notes) => {
    const whole: CutOutcome = { suspects: [], passed: [], seen: [] };
    if (name === 'authentication') {
      add(whole, await inTime((asked) => tryIntendedCredential(asked, notes.doubts), connection, notes));
      if (whole.found ?? whole.isCut) return whole;
    }
    const { [name]: requests } = requestsOf;
    let isOpen = false;
    let isSignatureTried = false;
    const whyNot: string[] = [];
    for (const ownName of probeOrder[connection.surface][name]) {
      // Whatever the run has shown, a valid request was rejected now.
      if (settled.has(ownName) && !notes.isRefused) {
        whole.passed = [...whole.passed, describeSettled(ownName)];
        continue;
      }
      for (const [probeName, one] of questionsFor(name, ownName, failing)) {
        const probe = await load(probeName);
        const options = { ...(requests && { requests }), isBrief: isFailing && one === undefined };
        const outcome = await inTime((asked) => probe(asked, one, options), connection, notes);
        const unseen = outcome.isCut ? undefined : explainUnobserved(probeName, outcome, connection);
        add(whole, unseen?.isGap ? { ...outcome, notObserved: unseen.sentences } : outcome, probeName);
        whyNot.push(...(unseen?.sentences ?? []));
        // The signatures that a run has judged may not include one over such content.
        if (
          settled.has('signature') &&
          !isSignatureTried &&
          outcome.suspects.some(({ isLikeForged }) => isLikeForged)
        ) {
          isSignatureTried = true;
          const signature = await load('signature');
          const tried = await inTime((asked) => signature(asked, one, { requests: 'valid' }), connection, notes);
          if (tried.found) whole.suspects = whole.suspects.filter(({ isLikeForged }) => !isLikeForged);
          add(whole, whole.found ? { ...tried, found: undefined } : tried, 'signature');
        }
        if (whole.found ?? whole.isCut ?? whole.ends) return whole;
        isOpen ||= unseen?.isNotApplicable === false;
      }
    }
    if (name === 'behaviour') add(whole, findForeignContact(connection), 'answer');
    if (whole.passed.length > 0 || whole.suspects.length > 0 || whole.weaknesses) return whole;
    const seen = [...whole.seen, ...whyNot];
    return { ...whole, seen, ...(isOpen ? { isOpen: true } : { isNotApplicable: true }) };
  };
}

/** Probes that cover a part of what a stage examines: they run first, and only for known failures. */
const parts: Partial<Record<ProbingStage, readonly ProbeName[]>> = { refusals: ['weakness', 'window'] };

/** The runs of a probe: one for each known failure of its kind or of a part of it, or a general one without any. */
function questionsFor(
  stage: ProbingStage,
  name: ProbeName,
  failing: readonly Failing[],
): (readonly [ProbeName, Failing | undefined])[] {
  const { [stage]: requests } = requestsOf;
  const isOfStage = (requirement: string) =>
    requests === undefined || (parts[stage] ?? []).some((part) => part === probeFor(requirement))
      ? true
      : slugOf(requirement).startsWith('refuses-') === (requests === 'invalid');
  const own = (probe: ProbeName) =>
    failing
      .filter(({ requirement }) => probeFor(requirement) === probe && isOfStage(requirement))
      .slice(0, mostFailing)
      .map((one) => [probe, one] as const);
  const whole = own(name);
  return [...(parts[stage] ?? []).flatMap(own), ...(whole.length === 0 ? [[name, undefined] as const] : whole)];
}

function add(
  whole: CutOutcome,
  { found: cause, suspects, passed, seen, notObserved = [], ends, isCut }: CutOutcome,
  probe?: ProbeName,
): void {
  const found = cause && { ...cause, ...(probe && { probe }) };
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
