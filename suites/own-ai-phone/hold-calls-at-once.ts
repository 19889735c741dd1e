import type { Call } from '../../harness/wire/call.ts';
import { currentRecord } from '../../harness/checks/check-record.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { toBeAnswered, toStayUp } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { findForeignContact, judgeForeignSpeech } from './judge-foreign-speech.ts';
import { listenMs, mixesUpCalls, silentCallers } from './silent-callers.ts';
import { plainAnswer, plainCall, requirePlainCall } from './talk.ts';

/** Number of concurrent calls, and sentences in each. */
const calls = 4;
const rounds = 2;

/** Words that no ordinary answer contains; one for each call. */
const markers = ['Xanthippe', 'Quetzalcoatl', 'Rumpelstiltskin', 'Popocatepetl'] as const;

/** Whether the call at this place is one of the first two, which are of one contact. */
function isOfOneContact(at: number): boolean {
  return at < 2;
}

/** Expects a caller who says nothing to hear no answer to another caller. */
export async function holdSilentCalls(kit: CheckKit): Promise<void> {
  await requirePlainCall(kit);
  const { silent, speaking } = await silentCallers(kit, plainAnswer(await plainCall(kit)));
  for (const call of silent) judge(kit, call, call.finding);
  judge(kit, { observation: speaking }, toBeAnswered(speaking));
}

/** Expects each of several concurrent callers to hear only answers to that caller. */
export async function holdSpeakingCalls(kit: CheckKit): Promise<void> {
  await requirePlainCall(kit);
  if (mixesUpCalls(kit)) kit.notExercised('Another check shows that the AI sends answers to the wrong call.');
  const isRepeated = await holdMarkedCalls(kit);
  // What an AI keeps in one place for all calls may show only in the next one.
  await kit.phone.hold({ label: 'a call after several at once' }, async (call) => {
    await call.ask('What is my name?');
    judge(kit, call, judgeForeignSpeech(call, markers));
  });
  const foreign = findForeignContact(kit);
  if (foreign) conclude(foreign.observation, foreign.finding);
  if (!isRepeated) kit.notExercised('The AI repeated the name of no caller, so that words of another would not show.');
}

/** Several concurrent calls, in each of which a marker is said. Returns whether the AI repeated one. */
async function holdMarkedCalls(kit: CheckKit): Promise<boolean> {
  return await kit.phone.holdSeveral(calls, async (dial) => {
    // A call is known by its id alone, although some are of one contact.
    const { contact } = kit.sample.sessionStarted();
    const held: Call[] = [];
    for (const [at, marker] of markers.entries()) {
      const label = `one of several calls at once, of a caller named ${marker}`;
      try {
        held.push(await dial({ label, started: isOfOneContact(at) ? { contact } : {} }));
      } catch (error) {
        // An endpoint may take fewer calls at once; two are enough.
        if (!(error instanceof NotExercised) || held.length < 2) throw error;
        break;
      }
    }
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        held.map(async (call, at) => {
          if (hasFallenSilent(call)) return;
          await call.ask(`My name is ${markers[at]}. What is my name?`);
          // The answer may be several utterances.
          if (round === rounds - 1) await call.settle(listenMs);
        }),
      );
    }
    for (const [at, call] of held.entries())
      judge(
        kit,
        call,
        judgeForeignSpeech(
          call,
          // The AI may remember a contact across calls.
          markers.filter((_, other) => other !== at && !(isOfOneContact(other) && isOfOneContact(at))),
        ),
      );
    for (const call of held) judge(kit, call, toStayUp(call.observation) ?? toBeAnswered(call.observation));
    return held.some((call, at) => call.heardSince(0).includes(markers[at] ?? ''));
  });
}

/**
 * Records a judgement. An endpoint that mixes up calls gets one at a time from then on, so that the rest can be
 * judged: once that has shown with no other traffic.
 */
function judge({ phone }: CheckKit, { observation }: Pick<Call, 'observation'>, finding: Finding | undefined): void {
  if (finding && currentRecord()?.othersHaveTraffic !== true) phone.limitToOneCall();
  conclude(observation, finding);
}

function hasFallenSilent({ isUp, observation }: Call): boolean {
  return !isUp || observation.answers.at(-1)?.outcome === 'nothing';
}
