import fc from 'fast-check';
import type { CheckKit } from '../../harness/checks/check.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import { HarnessFault, NotExercised } from '../../harness/checks/faults.ts';
import { NotWanted } from '../../harness/checks/wanted.ts';
import { slowPropertyFactor } from '../../harness/config/settings.ts';
import { isCutOff } from '../../harness/checks/time-budget.ts';
import { FindingError, type Finding } from '../../harness/checks/finding.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { describeConfigLimit } from '../describe-config-limit.ts';
import { answerFinding, closingFinding, toStayUp } from '../matchers/call-matchers.ts';
import { dialogueSteps, type DialogueStage } from './dialogue-steps.ts';
import { askUntilHeard, isDown, nextCall, requirePlainCall, waitForTurn } from './talk.ts';
import { isSpeaking, settleMs } from './speech.ts';
import { keyOfSkill } from '../skill-rules.ts';
import { generatedValues, isSlow, severalAtOnce } from '../several-at-once.ts';

/** Generated events per property for which one dialogue is held: a dialogue has several exchanges and takes its time. */
const runsPerDialogue = 4;
const mostSteps = 7;
/** Dialogues with at least one step that must have been held for a pass. */
const fewestHeld = 6;
/** Separates the place of a dialogue in the run from its played steps, which fast-check needs to repeat it. */
const placeEnd = '~';

/** Plays generated dialogues, several at once, until one violates a rule, and shrinks that one (fast-check, model-based). */
export async function playDialogues(kit: CheckKit): Promise<void> {
  const { settings } = kit;
  await requirePlainCall(kit);
  const record = currentRecord();
  let last: { call: CallObservation; finding: FindingError; played: object[] } | undefined;
  let failedAt: number | undefined;
  let broken: Error | undefined;
  const from = performance.now();
  const leftMs = kit.session.budget.leftFor(record?.part);
  const [path, replayPath] = (settings.path ?? '').split(placeEnd);
  const numRuns = Math.ceil(settings.runs / runsPerDialogue);
  let held = 0;
  /** Dialogues that have ended, some before their first step. */
  let ended = 0;
  const propertyMs = () => settings.propertyMs * (held < fewestHeld ? slowPropertyFactor : 1);
  const isOver = () => performance.now() > from + Math.min(propertyMs(), leftMs);
  /** Whether a dialogue met all rules; one that can no longer be played counts as such, which ends the search. */
  const holds = async (steps: Steps): Promise<boolean> => {
    if (broken !== undefined) return true;
    try {
      const outcome = await play(kit, steps);
      ended++;
      if (outcome.played.length > 0) held++;
      if (record) record.judged++;
      if (!(outcome.finding instanceof FindingError)) return true;
      last = { ...outcome, finding: outcome.finding };
      return false;
    } catch (error) {
      if (error instanceof NotWanted) throw error;
      broken ??= error as Error;
      return true;
    }
  };
  /** Position of the first dialogue that violated a rule when several were played at once. */
  let first = Infinity;
  /** Number of dialogues that fast-check has come to. */
  let reached = 0;
  const dialogues = fc.commands(dialogueSteps(kit), {
    maxCommands: mostSteps,
    size: 'max',
    ...(replayPath && { replayPath }),
  });
  const anyDialogue = fc.asyncProperty(dialogues, async (steps) => {
    // Played again only if it was the first: alone, and made smaller if it fails again.
    if (failedAt === undefined && !path && reached++ !== first) return true;
    if (failedAt !== undefined && performance.now() > failedAt + settings.shrinkMs) return true;
    if (await holds(steps)) return true;
    failedAt ??= performance.now();
    return false;
  });
  const parameters = { seed: settings.seed, numRuns, ...(path ? { path } : {}) };
  if (!path) {
    await severalAtOnce(generatedValues(dialogues, parameters), {
      isSlow: isSlow(kit),
      isOver: () => first < Infinity || broken !== undefined || isOver(),
      isEnough: (sent) => held + sent - ended >= fewestHeld && performance.now() > from + settings.propertyMs,
      run: async (steps, at) => {
        if (!(await holds(steps))) first = Math.min(first, at);
        // Of a whole dialogue, however quick its answers are.
        return Infinity;
      },
    });
  }
  const run = path || first < Infinity ? await fc.check(anyDialogue, parameters) : undefined;
  if (run?.failed !== true) {
    const isCut = leftMs < propertyMs() || isCutOff(broken);
    if (last !== undefined) {
      record?.decideBy(last.call);
      // The reason that ended the search also kept the dialogue from being played again.
      if (broken !== undefined) throw last.finding;
      throw new HarnessFault('not-reproducible:dialogue');
    }
    if (broken !== undefined && !(isCutOff(broken) && held > 0)) throw broken;
    if (held < Math.min(fewestHeld, numRuns) && isCut && !path) throw broken ?? kit.session.budget.fault();
    const more =
      describeConfigLimit(kit, broken) ?? (isCut ? '--budget gives the run more time' : '--thorough takes longer');
    const few = `${held} of ${numRuns} dialogues could be held in the time for them; ${more}.`;
    if (!path && held < Math.min(fewestHeld, numRuns)) return kit.notExercised(few);
    if (record && !path && held < numRuns) record.note = few;
    return;
  }
  if (!last) throw new HarnessFault('not-reproducible:dialogue');
  const { call, finding, played } = last;
  record?.decideBy(call);
  const place = /replayPath="([^"]+)"/.exec(fc.stringify(run.counterexample?.[0]))?.[1];
  throw new FindingError({
    ...finding.finding,
    hint: finding.finding.hint ?? 'The dialogue is the shortest that was found; each of its steps is needed.',
    counterexample: {
      seed: run.seed,
      path: `${run.counterexamplePath ?? ''}${place === undefined ? '' : placeEnd + place}`,
      runs: run.numRuns,
      shrinks: run.numShrinks,
      event: JSON.stringify(played),
      differences: [],
    },
  });
}

interface Played {
  call: CallObservation;
  played: object[];
  finding: FindingError | undefined;
}

type Steps = Parameters<typeof fc.asyncModelRun<{ up: boolean }, DialogueStage, false, { up: boolean }>>[1];

/** Plays one dialogue in its own call; a plain sentence at the end shows whether the AI still answers. */
async function play(kit: CheckKit, steps: Steps): Promise<Played> {
  let stage: DialogueStage | undefined;
  const resultsOf = (named: readonly (string | number)[]) =>
    named.map((name) => ({ key: keyOfSkill(kit.phone.skills, name), ...(stage?.nextResult ?? { ok: true }) }));
  return await kit.phone.holdSeveral(2, async (dial) => {
    const call = await dial({ label: 'a dialogue', resultsOf });
    const here = (stage = { kit, call, played: [] as object[], nextResult: { ok: true }, hasOpenSentence: false });
    const model = { up: true };
    const outcome = (finding?: Finding, seen: CallObservation = call.observation) => ({
      call: seen,
      played: here.played,
      finding: finding && new FindingError(finding),
    });
    try {
      await fc.asyncModelRun(() => ({ model, real: here }), steps);
      if (call.isUp && call.isAnswering) {
        call.interrupt();
        await call.settle(settleMs);
      }
      // After a call that broke off in mid-dialogue, the endpoint must accept the next call.
      const there = model.up ? call : await nextCall(dial, call.observation);
      if (!('isUp' in there)) return outcome(there);
      if (isSpeaking(there.observation)) await waitForTurn(there);
      if (there.isUp) {
        const answer = await askUntilHeard(kit, there);
        const finding = answerFinding(there.observation, answer) ?? closingFinding(there.observation, answer);
        if (finding) return outcome(finding, there.observation);
      }
      await isDown(there);
      return outcome(toStayUp(there.observation), there.observation);
    } catch (error) {
      if (error instanceof FindingError) return { ...outcome(), finding: error };
      // The AI ended the call by an action or a forward, which is permitted.
      if (error instanceof NotExercised) return outcome();
      throw error;
    }
  });
}
