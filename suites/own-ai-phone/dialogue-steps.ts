import fc from 'fast-check';
import type { Call } from '../../harness/wire/call.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { FindingError, type Finding } from '../../harness/checks/finding.ts';
import type { RequestedSkillResult } from '../../harness/wire/skill-results.ts';
import { toBeAnswered, toStayUp } from '../matchers/call-matchers.ts';
import { askUntilHeard, isDown, waitForTurn } from './talk.ts';

/** State of a dialogue that decides which step can come next. */
export interface DialogueModel {
  /** The call is up on both sides. */
  up: boolean;
}

/** The call in which a dialogue takes place. */
export interface DialogueStage {
  kit: CheckKit;
  call: Call;
  /** The steps so far, for the report: one object each. */
  played: object[];
  /** Result of the next requested skill. */
  nextResult: Omit<RequestedSkillResult, 'key'>;
  /** A sentence was said whose answer may not be over. */
  hasOpenSentence: boolean;
}

/** One step of a dialogue: an act of the caller or the service, and what is required after it. */
abstract class DialogueStep implements fc.AsyncCommand<DialogueModel, DialogueStage> {
  check({ up }: Readonly<DialogueModel>): boolean {
    return up;
  }

  async run(model: DialogueModel, stage: DialogueStage): Promise<void> {
    stage.played.push(this.describe());
    // The AI may have ended the call by an action; then there is nothing to judge.
    if (stage.call.isUp) await this.play(stage, model);
    await isDown(stage.call);
    hold(toStayUp(stage.call.observation));
  }

  /** The step as the report shows it. */
  abstract describe(): object;

  protected abstract play(stage: DialogueStage, model: DialogueModel): Promise<void>;

  toString(): string {
    return JSON.stringify(this.describe());
  }
}

/** A sentence, and its answer to the end. */
class Say extends DialogueStep {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  describe(): object {
    return { say: this.#text };
  }

  protected async play(stage: DialogueStage): Promise<void> {
    const { call, kit } = stage;
    await takeTurn(stage);
    if (this.#text === kit.sample.callerSentence) {
      await askUntilHeard(kit, call);
      if (call.isUp) hold(toBeAnswered(call.observation));
      return;
    }
    // The effect of a sentence of the config is judged elsewhere; this only waits for it.
    const said = call.speak(this.#text);
    if (await call.firstPiece(said, kit.phone.usualFirstPieceMs)) await call.waitForAnswerEnd(said);
    else stage.hasOpenSentence = true;
  }
}

/** A sentence whose answer is not awaited: the next step interrupts it. */
class BeginToAsk extends DialogueStep {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  describe(): object {
    return { beginToAsk: this.#text };
  }

  protected async play(stage: DialogueStage): Promise<void> {
    await takeTurn(stage);
    stage.hasOpenSentence = true;
    await stage.call.firstPiece(stage.call.speak(this.#text), stage.kit.phone.usualFirstPieceMs);
  }
}

class Press extends DialogueStep {
  readonly #digit: string;

  constructor(digit: string) {
    super();
    this.#digit = digit;
  }

  describe(): object {
    return { press: this.#digit };
  }

  protected play({ call }: DialogueStage): Promise<void> {
    call.press(this.#digit);
    return Promise.resolve();
  }
}

class InterruptStep extends DialogueStep {
  describe(): object {
    return { interrupt: true };
  }

  protected play(stage: DialogueStage): Promise<void> {
    stage.call.interrupt();
    stage.hasOpenSentence = false;
    return Promise.resolve();
  }
}

class Pause extends DialogueStep {
  readonly #ms: number;

  constructor(ms: number) {
    super();
    this.#ms = ms;
  }

  describe(): object {
    return { pauseMs: this.#ms };
  }

  protected async play({ call }: DialogueStage): Promise<void> {
    await call.pass(this.#ms);
  }
}

/** Determines the outcome of the next skill that the AI requests. */
class NextSkill extends DialogueStep {
  readonly #result: Omit<RequestedSkillResult, 'key'>;

  constructor(result: Omit<RequestedSkillResult, 'key'>) {
    super();
    this.#result = result;
  }

  describe(): object {
    return { nextSkill: this.#result };
  }

  protected play(stage: DialogueStage): Promise<void> {
    stage.nextResult = this.#result;
    return Promise.resolve();
  }
}

/** The caller has hung up; nothing follows. */
class HangUp extends DialogueStep {
  readonly #how: 'reset' | 'end' | 'close' | 'session.ended';

  constructor(how: 'reset' | 'end' | 'close' | 'session.ended') {
    super();
    this.#how = how;
  }

  describe(): object {
    return { hangUp: this.#how };
  }

  protected async play({ call }: DialogueStage, model: DialogueModel): Promise<void> {
    model.up = false;
    await (this.#how === 'session.ended' ? call.end() : call.vanish(this.#how));
  }
}

/** Milliseconds of silence of the caller. */
const longestPauseMs = 80;

/** Steps of dialogues with this AI: sentences of the config where there are some, else a plain one. */
export function dialogueSteps({ sample, settings }: CheckKit): fc.Arbitrary<DialogueStep>[] {
  const { handover: _, end: __, ...going } = { ...settings.config.stimuli.phone };
  const sentences = [sample.callerSentence, ...Object.values(going as Record<string, string>)];
  const { skill } = settings.config.stimuli.phone ?? {};
  const quick = sentences.filter((sentence) => sentence !== settings.config.stimuli.phone?.long);
  const results: Omit<RequestedSkillResult, 'key'>[] = [
    { ok: true },
    { ok: true, reason: 'pending-approval' },
    { ok: false, reason: 'no-answer' },
    { ok: false, reason: 'not-allowed' },
  ];
  const press = fc.constantFrom(...'0123456789*#').map((digit) => new Press(digit));
  const interrupt = fc.constant(0).map(() => new InterruptStep());
  return [
    fc.constantFrom(...quick).map((text) => new Say(text)),
    fc.constantFrom(...sentences).map((text) => new BeginToAsk(text)),
    // Twice as often as the others: most faults need two of them.
    press,
    press,
    interrupt,
    interrupt,
    fc.integer({ min: 0, max: longestPauseMs }).map((ms) => new Pause(ms)),
    ...(skill === undefined ? [] : [fc.constantFrom(...results).map((result) => new NextSkill(result))]),
    fc.constantFrom('reset', 'end', 'close', 'session.ended').map((how) => new HangUp(how)),
  ];
}

/** Interrupts an answer before the next sentence, as usual: whether a sentence is accepted without that is judged elsewhere. */
async function takeTurn(stage: DialogueStage): Promise<void> {
  if (stage.hasOpenSentence && stage.call.isAnswering) stage.call.interrupt();
  stage.hasOpenSentence = false;
  await waitForTurn(stage.call);
}

function hold(finding: Finding | undefined): void {
  if (finding) throw new FindingError(finding);
}
