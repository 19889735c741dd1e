import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { createPaint, type Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { shortened } from '../../reports/write/terminal/terminal-text.ts';
import { outcomeOf, type Outcome } from '../../reports/model/verdict.ts';
import { visibleControls, visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { counted, formatLongDuration, outcomeLabels } from '../../reports/text/wording.ts';
import type { KnownCheck } from '../plan/known-checks.ts';
import type { RunStep } from '../run-step.ts';
import { runnerSafe } from './runner-safe.ts';
import { isTerminal, wantsColour, type Stream } from './terminal.ts';

/** Columns of a plain line; the summary has the whole message. */
const plainWidth = 240;
/** Milliseconds between updates of the live line, so that its clock runs smoothly. */
const redrawMs = 250;
/** Minimum milliseconds between updates: quick checks need not all be shown. */
const leastMs = 50;
/** Failures and warnings of a surface that are shown at once; the result describes all, grouped by cause. */
const mostShown = 5;
/** Milliseconds between the lines of a log about a wait. */
const loggedWaitsMs = 60_000;
/** Milliseconds without an end of a check after which the live line shows what is under way. */
const stillMs = 2_000;
/** Steps in which the remaining time is shown, in milliseconds: it is an estimate. */
const remainingStepMs = 5_000;
/** Share of the checks from which their number shows the remaining time: before, few take most of it. */
const reliableShare = 0.4;
const clearLine = '\r\u001b[2K';

/**
 * Shows the steps of a run on standard error: one line that is updated on a terminal, plain lines elsewhere. Shows the
 * first failures of a surface as soon as their checks have ended.
 */
export class RunProgress implements Disposable {
  readonly #stream: Stream;
  readonly #paint: Paint;
  readonly #isDiscreet: boolean;
  readonly #done = new Map<string, { checks: number; bad: number; warned: number; blocked: number }>();
  /** Whether a line is being updated, which ends with the checks. */
  #live = false;
  #from = performance.now();
  #expected: ReadonlyMap<string, number> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #surface = '';
  #nextWaitAt = 0;
  #waiting = '';
  #drawnAt = 0;
  /** Titles of the checks that have begun and not ended, by their ids. */
  readonly #running = new Map<string, string>();
  #endedAt = 0;
  #usualMs: number | undefined;

  /** @param isDiscreet shows which checks failed, and nothing that the endpoint sent */
  constructor(stream: Stream, isDiscreet = false) {
    this.#isDiscreet = isDiscreet;
    this.#stream = stream;
    this.#paint = createPaint(wantsColour(stream));
  }

  show(step: RunStep): void {
    switch (step.step) {
      case 'run-started':
        this.#usualMs = step.usualMs;
        return this.#start(step.expected);
      case 'check-started':
        this.#running.set(step.id, step.title);
        return;
      case 'note':
        return this.#note(visibleControls(step.text));
      case 'waiting':
        return this.#wait(step.text);
      case 'check-finished':
        return this.#ended(step.check);
      case 'run-stopped':
        if (step.isCutShort) this.#note('Stopped. No report was written.');
        else this.#stop();
        return;
      case 'checks-executed':
        return this.#stop();
      case 'check-repeated':
      case 'cause-found':
      case 'run-finished':
        return;
    }
  }

  #start(expected: readonly KnownCheck[] | undefined): void {
    this.#from = performance.now();
    this.#endedAt = this.#from;
    const groups = Map.groupBy(expected ?? [], ({ requirement }) => surfaceOf(requirement));
    this.#expected = new Map([...groups].map(([surface, checks]) => [surface, checks.length]));
    this.#live = isTerminal(this.#stream);
    if (this.#live) this.#timer = setInterval(() => this.#draw(), redrawMs).unref();
  }

  #ended(check: FinishedCheck): void {
    const surface = surfaceOf(check.requirement);
    this.#running.delete(check.id);
    this.#endedAt = performance.now();
    this.#surface = surface;
    this.#waiting = '';
    const done = this.#done.get(surface) ?? { checks: 0, bad: 0, warned: 0, blocked: 0 };
    this.#done.set(surface, done);
    done.checks++;
    const outcome = outcomeOf(check);
    if (outcome === 'fail' || outcome === 'warn') {
      if (outcome === 'fail') done.bad++;
      else done.warned++;
      const shown = outcome === 'fail' ? done.bad : done.warned;
      if (shown <= mostShown) this.#tell(outcome, check);
      else if (shown === mostShown + 1)
        this.#note(`${surface}: further ${outcome === 'fail' ? 'failures' : 'warnings'} are described in the result.`);
    }
    // One reason often blocks many checks: only the first is shown.
    if (outcome === 'blocked' && done.blocked++ === 0) this.#tell(outcome, check);
    if (!this.#live && done.checks === this.#expected.get(surface)) {
      const counts = [
        `${done.bad} failed`,
        ...(done.warned > 0 ? [counted(done.warned, 'warning')] : []),
        ...(done.blocked > 0 ? [`${done.blocked} blocked`] : []),
      ].join(', ');
      this.#note(`${surface}: ${counted(done.checks, 'check')} done, ${counts}, ${this.#elapsed()}`);
    }
    this.#draw();
  }

  #tell(outcome: Outcome, { id, message = '' }: FinishedCheck): void {
    const said = this.#isDiscreet ? '' : `: ${visibleOnOneLine(message)}`;
    const text = `${outcomeLabels[outcome].sign} ${id}${said}`;
    this.#note(this.#paint.outcome(outcome, shortened(text, this.#width())));
  }

  #wait(text: string): void {
    this.#waiting = visibleOnOneLine(text);
    if (!this.#live && this.#isDue()) this.#note(this.#waiting);
    this.#draw();
  }

  /** Whether a log gets the wait: a line for each of them would be most of the log of a run that waits for minutes. */
  #isDue(): boolean {
    const now = performance.now();
    if (now < this.#nextWaitAt) return false;
    this.#nextWaitAt = now + loggedWaitsMs;
    return true;
  }

  /** Writes a permanent line. */
  #note(line: string): void {
    this.#stream.write(`${this.#live ? clearLine : ''}${runnerSafe(line)}\n`);
  }

  #draw(): void {
    if (!this.#live || performance.now() - this.#drawnAt < leastMs) return;
    this.#drawnAt = performance.now();
    const all = [...this.#done.values()];
    const checks = all.reduce((sum, one) => sum + one.checks, 0);
    const bad = all.reduce((sum, one) => sum + one.bad, 0);
    const expected = [...this.#expected.values()].reduce((sum, one) => sum + one, 0);
    const share = expected > 0 ? checks / expected : 0;
    const parts = [
      this.#surface === '' ? 'starting' : this.#surface,
      `${checks}${expected > 0 ? `/${expected}` : ''} checks`,
      ...(bad > 0 ? [`${bad} failed`] : []),
      this.#elapsed(),
      ...this.#remaining(share),
      ...(this.#waiting === '' ? this.#underWay() : [this.#waiting]),
    ];
    this.#stream.write(clearLine + this.#paint.dim(shortened(parts.join('  '), this.#width())));
  }

  /**
   * The remaining time: from the duration of an earlier run of the same kind, or from the share of the checks that have
   * ended.
   */
  #remaining(share: number): string[] {
    const passedMs = performance.now() - this.#from;
    const wholeMs = this.#usualMs ?? (share < reliableShare ? 0 : passedMs / share);
    const leftMs = wholeMs - passedMs;
    if (leftMs < remainingStepMs) return [];
    return [`about ${formatLongDuration(Math.round(leftMs / remainingStepMs) * remainingStepMs)} left`];
  }

  /** The checks that have begun and not ended, if none has ended for a while. */
  #underWay(): string[] {
    const [first] = this.#running.values();
    if (first === undefined || performance.now() - this.#endedAt < stillMs) return [];
    const more = this.#running.size - 1;
    return [`checking that ${visibleOnOneLine(first)}${more > 0 ? `, and ${counted(more, 'other check')}` : ''}`];
  }

  #elapsed(): string {
    return formatLongDuration(performance.now() - this.#from);
  }

  #width(): number {
    return this.#live ? Math.max(20, (this.#stream.columns || 80) - 1) : plainWidth;
  }

  #stop(): void {
    clearInterval(this.#timer);
    if (this.#live) this.#stream.write(clearLine);
    this.#live = false;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }
}

function surfaceOf(requirement: string): string {
  return requirement.split('/', 1)[0] ?? requirement;
}
