import { setTimeout as delay } from 'node:timers/promises';
import { reportEndpoint } from './endpoint-exits.ts';
import type { EndpointExit, Exit } from './exit-record.ts';
import { onlyInstance, type InstanceRole } from './instance-role.ts';

/**
 * Milliseconds between an exit and the next start, in which the deliveries in flight find that nothing listens. A
 * supervisor takes as long.
 */
const pauseMs = 200;
/** Longest pause in milliseconds; it doubles with each start that ended before the endpoint listened. */
const longestPauseMs = 1_600;
/** Consecutive starts of that kind after which the endpoint is not started again. */
const mostFailedStarts = 5;
/** Milliseconds for an endpoint to listen again, in addition to a multiple of the time of its first start. */
const leastReturnMs = 5_000;
const startFactor = 2;

/**
 * Milliseconds for an endpoint to listen again after it ended.
 *
 * @param startedInMs duration of its first start
 */
export function returnsWithinMs(startedInMs: number): number {
  return Math.round(leastReturnMs + startFactor * startedInMs);
}

/** How a run that starts its endpoint again recognises that it ended. It can be posted to a worker. */
export interface RestartTimes {
  /** Milliseconds for it to listen again. */
  returnMs: number;
  /** Milliseconds until its exit is reported, at most, after its connections have closed. */
  reportMs: number;
  /**
   * Number of instances. A delivery that ends one is repeated as often: each of the others may have been about to end
   * anyway, but not the one that has just been started.
   */
  instances: number;
}

/** One life of the endpoint, from its start to its end. */
export interface Life {
  ended: Promise<Exit>;
  /** Resolves when it listens; rejects when the signal aborts. */
  listens: (signal: AbortSignal) => Promise<unknown>;
}

/** Starts an instance of an endpoint again whenever it ends, until it is stopped. */
export class Restarts {
  readonly #start: () => Promise<Life> | Life;
  readonly #stopped: AbortSignal;
  readonly #role: InstanceRole;
  #isKilled = false;
  #failedStarts = 0;

  /** @param start starts this instance again */
  constructor(start: () => Promise<Life> | Life, stopped: AbortSignal, role = onlyInstance()) {
    this.#start = start;
    this.#stopped = stopped;
    this.#role = role;
  }

  /** How the endpoint ended during the run, if it did. Kills of {@link expectKill} do not count. */
  get latest(): EndpointExit | undefined {
    return this.#role.exits.latest;
  }

  /** Whether it could not be started again: its latest starts failed, or it ended before it listened. */
  get isDown(): boolean {
    return this.#failedStarts > 0;
  }

  /** Whether the next exit is that of a kill, which does not count. */
  expectKill(isExpected: boolean): void {
    this.#isKilled = isExpected;
  }

  /** Restarts after the end of this life, and after that of each later one. Never rejects. */
  async follow(first: Life): Promise<void> {
    const { onListening } = this.#role;
    let life = first;
    onListening(true);
    for (;;) {
      const exit = await life.ended;
      if (this.#stopped.aborted) return;
      onListening(false);
      this.#count(exit);
      // A start that failed received nothing.
      if (this.#failedStarts === 0) reportEndpoint('ended', this.#role);
      if (this.#failedStarts >= mostFailedStarts) return;
      try {
        await delay(Math.min(longestPauseMs, pauseMs * 2 ** this.#failedStarts), undefined, { signal: this.#stopped });
        life = await this.#start();
      } catch {
        if (!this.#stopped.aborted) this.#failedStarts++;
        return;
      }
      const isListening = await this.#hasStarted(life);
      this.#failedStarts = isListening ? 0 : this.#failedStarts + 1;
      if (!isListening) continue;
      onListening(true);
      reportEndpoint('listens', this.#role);
    }
  }

  async #hasStarted({ ended, listens }: Life): Promise<boolean> {
    const over = new AbortController();
    const listening = listens(AbortSignal.any([over.signal, this.#stopped])).then(
      () => true,
      () => false,
    );
    const first = await Promise.race([listening, ended.then(() => false)]);
    over.abort();
    return first;
  }

  #count(exit: Exit): void {
    if (this.#isKilled) this.#isKilled = false;
    else this.#role.exits.add(exit);
  }
}
