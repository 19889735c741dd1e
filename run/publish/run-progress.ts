import type { FinishedCheck } from '../../harness/checks/engine.ts';
import { createPaint, type Paint } from '../../reports/write/terminal/terminal-paint.ts';
import { shortened } from '../../reports/write/terminal/terminal-text.ts';
import { outcomeOf, type Outcome } from '../../reports/model/verdict.ts';
import { visibleOnOneLine } from '../../reports/text/visible-controls.ts';
import { counted, formatLongDuration, outcomeLabels } from '../../reports/text/wording.ts';
import type { KnownCheck } from '../plan/known-checks.ts';
import { runnerSafe } from './runner-safe.ts';
import { isTerminal, wantsColour, type Stream } from './terminal.ts';

/** Columns of a plain line; the whole message is in the summary. */
const plainWidth = 240;
/** Milliseconds between two looks of the live line: the eye sees a clock run. */
const redrawMs = 250;
/** Milliseconds that a drawn line stays at least: quick checks need not all be seen. */
const leastMs = 50;
const clearLine = '\r\u001b[2K';

/**
 * Tells how a run goes, on standard error: a line that is written anew on a terminal, plain lines elsewhere. Failures
 * are told as they come, so that nobody waits for the end to see the first one.
 */
export class RunProgress implements Disposable {
  readonly #stream: Stream;
  readonly #paint: Paint;
  readonly #live: boolean;
  readonly #isDiscreet: boolean;
  readonly #from = performance.now();
  readonly #expected: ReadonlyMap<string, number>;
  readonly #done = new Map<string, { checks: number; bad: number; blocked: number }>();
  readonly #timer: NodeJS.Timeout | undefined;
  #surface = '';
  #waiting = '';
  #drawnAt = 0;

  /** @param isDiscreet says which checks did not hold, and nothing of what the endpoint said */
  constructor(stream: Stream, expected: readonly KnownCheck[] | undefined, isDiscreet = false) {
    this.#isDiscreet = isDiscreet;
    this.#stream = stream;
    this.#paint = createPaint(wantsColour(stream));
    this.#live = isTerminal(stream);
    const groups = Map.groupBy(expected ?? [], ({ requirement }) => surfaceOf(requirement));
    this.#expected = new Map([...groups].map(([surface, checks]) => [surface, checks.length]));
    if (this.#live) this.#timer = setInterval(() => this.#draw(), redrawMs).unref();
  }

  /** One check ended. */
  ended(check: FinishedCheck): void {
    const surface = surfaceOf(check.requirement);
    this.#surface = surface;
    this.#waiting = '';
    const done = this.#done.get(surface) ?? { checks: 0, bad: 0, blocked: 0 };
    this.#done.set(surface, done);
    done.checks++;
    const outcome = outcomeOf(check);
    if (outcome === 'fail' || outcome === 'warn') {
      done.bad++;
      this.#tell(outcome, check);
    }
    // What blocks one check mostly blocks many: the first is told.
    if (outcome === 'blocked' && done.blocked++ === 0) this.#tell(outcome, check);
    if (!this.#live && done.checks === this.#expected.get(surface)) {
      const counts = `${done.bad} did not hold${done.blocked > 0 ? `, ${done.blocked} blocked` : ''}`;
      this.note(`${surface}: ${counted(done.checks, 'check')} done, ${counts}, ${this.#elapsed()}`);
    }
    this.#draw();
  }

  #tell(outcome: Outcome, { id, message = '' }: FinishedCheck): void {
    const said = this.#isDiscreet ? '' : `: ${visibleOnOneLine(message)}`;
    const text = `${outcomeLabels[outcome].sign} ${id}${said}`;
    this.note(this.#paint.outcome(outcome, shortened(text, this.#width())));
  }

  /** Something is being waited for. */
  waiting(text: string): void {
    this.#waiting = visibleOnOneLine(text);
    if (!this.#live) this.note(this.#waiting);
    this.#draw();
  }

  /** A line that stays. */
  note(line: string): void {
    this.#stream.write(`${this.#live ? clearLine : ''}${runnerSafe(line)}\n`);
  }

  #draw(): void {
    if (!this.#live || performance.now() - this.#drawnAt < leastMs) return;
    this.#drawnAt = performance.now();
    const all = [...this.#done.values()];
    const checks = all.reduce((sum, one) => sum + one.checks, 0);
    const bad = all.reduce((sum, one) => sum + one.bad, 0);
    const expected = [...this.#expected.values()].reduce((sum, one) => sum + one, 0);
    const parts = [
      this.#surface === '' ? 'starting' : this.#surface,
      `${checks}${expected > 0 ? `/${expected}` : ''} checks`,
      ...(bad > 0 ? [`${bad} did not hold`] : []),
      this.#elapsed(),
      ...(this.#waiting === '' ? [] : [this.#waiting]),
    ];
    this.#stream.write(clearLine + this.#paint.dim(shortened(parts.join('  '), this.#width())));
  }

  #elapsed(): string {
    return formatLongDuration(performance.now() - this.#from);
  }

  #width(): number {
    return this.#live ? Math.max(20, (this.#stream.columns || 80) - 1) : plainWidth;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    if (this.#live) this.#stream.write(clearLine);
  }
}

function surfaceOf(requirement: string): string {
  return requirement.split('/', 1)[0] ?? requirement;
}
