import { readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Release, TargetClaims } from '../target-claims.ts';
import { leaseMs, type Certified, type Claim, type ReleasedState, type SentTraffic } from '../ledger.ts';
import { collectNight } from './collect-night.ts';
import type { FleetStore, Job, QueuedFleet } from './fleet-store.ts';

/** Milliseconds before a target that another process has claimed is delivered again. */
const claimAgainMs = 2_000;
/** Milliseconds for which a target that this process must not begin is left to others. */
const elsewhereMs = 5_000;
/** Milliseconds for which a target of another night is left to the workers of that night. */
const otherNightMs = 60_000;
/** Workers may begin on different sides of noon: the night before may still run. */
const dayMs = 86_400_000;
/** Targets that are put back before this process waits. */
const mostPutBack = 100;

/** The claims of the processes of several machines, which share a queue and its ledger. */
export class QueuedClaims implements TargetClaims {
  readonly #store: FleetStore;
  readonly #fleet: QueuedFleet;
  readonly #jobs = new Map<number, Job>();
  #offeredAt = -Infinity;

  constructor(store: FleetStore, fleet: QueuedFleet) {
    this.#store = store;
    this.#fleet = fleet;
  }

  async claim(waitMs: (target: string) => number): Promise<Claim | undefined> {
    const { jobs, ledger } = this.#store;
    const { night } = this.#fleet;
    for (let putBack = 0; putBack < mostPutBack;) {
      const job = await jobs.next();
      if (!job) {
        if (await this.#offer()) continue;
        return undefined;
      }
      if (Date.parse(night) - Date.parse(job.night) > dayMs) {
        await job.done();
        continue;
      }
      const ms = job.night === night ? waitMs(job.target) : otherNightMs;
      const claim = ms > 0 ? undefined : await ledger.claim(job.target, night);
      if (typeof claim === 'object') {
        this.#jobs.set(claim.token, job);
        return claim;
      }
      if (claim === 'finished') {
        await job.done();
        continue;
      }
      putBack += 1;
      if (claim === 'claimed') await job.putBack(claimAgainMs);
      else await job.putBack(ms === Infinity ? elsewhereMs : ms);
    }
    return undefined;
  }

  async renew(claim: Claim, sent: SentTraffic): Promise<boolean> {
    // If the queue delivers the target again, the ledger still has one claim.
    this.#jobs
      .get(claim.token)
      ?.renew()
      .catch(() => undefined);
    return await this.#store.ledger.renew(claim, sent);
  }

  async complete(claim: Claim, result: Certified): Promise<boolean> {
    const report = await filesIn(this.place(claim));
    const isValid = await this.#store.ledger.complete(claim, result, report);
    await this.#discard(claim);
    await this.#take(claim)?.done();
    return isValid;
  }

  async release(claim: Claim, { sent, failure }: Release): Promise<ReleasedState> {
    await this.#discard(claim);
    const state = await this.#store.ledger.release(claim, sent, failure);
    const job = this.#take(claim);
    if (state === 'open') await job?.putBack(0);
    else await job?.done();
    return state;
  }

  finished(): Promise<readonly string[]> {
    return this.#store.ledger.finished(this.#fleet.night);
  }

  place(claim: Claim): string {
    return join(this.#fleet.work, `${claim.target}.${claim.token}`);
  }

  collect(): Promise<void> {
    return collectNight(this.#store.ledger, this.#fleet);
  }

  /**
   * Offers what is not finished: at the start, and again in case that the queue has lost some of it. Returns whether
   * there is any.
   */
  async #offer(): Promise<boolean> {
    if (performance.now() - this.#offeredAt < leaseMs) return false;
    this.#offeredAt = performance.now();
    const finished = new Set(await this.finished());
    const open = this.#fleet.targets.filter((id) => !finished.has(id));
    if (open.length > 0) await this.#store.jobs.offer(this.#fleet.night, open);
    return open.length > 0;
  }

  #take({ token }: Claim): Job | undefined {
    const job = this.#jobs.get(token);
    this.#jobs.delete(token);
    return job;
  }

  async #discard(claim: Claim): Promise<void> {
    await rm(this.place(claim), { recursive: true, force: true });
  }
}

async function filesIn(directory: string): Promise<Map<string, Buffer>> {
  const names = await readdir(directory);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)));
}
