import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Outcome } from '../outcome.ts';
import { dateOffsetSeconds } from './date-offset.ts';
import { judgeWindow } from './judge-window.ts';
import { inconsistentOutcome, lockoutOutcome } from './lockout.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { draft, offer, describeReception, type Offer } from './reception.ts';
import { edgeMarginSeconds, WindowSearch, type Edge, type Side } from './window-edges.ts';

/** What somebody has learnt before, so that it is not asked again. */
export interface KnownOfWindow {
  /** The right signature was accepted, or refused. */
  right?: boolean | undefined;
  /**
   * Where accepted times are looked for when the right one is refused: with few questions where the Date header points
   * and around our time, or with more `beyond` that. Default: one after the other.
   */
  reach?: 'near' | 'beyond' | undefined;
  /** Chat: pings are checked as messages are, and do. */
  asPing?: boolean | undefined;
}

/** Seconds off at which a delivery is tried when the Date header tells nothing: clocks that differ a little. */
const nearSeconds = [10, -10] as const;
/** The same for clocks that differ a lot: each covers a window around itself; then the hours of time differences. */
const farSeconds = [
  -600, 600, 3600, -3600, 7200, -7200, -1200, 1200, -1800, 1800, -18_000, -14_400, -25_200, -28_800, 19_800, 28_800,
] as const;
/** Milliseconds well behind the beginning of a second. */
const lateInSecondMs = 700;
/** How exactly, in seconds, a clock has to be known of which nothing was known. */
const roughSeconds = 16;
/** Seconds off within which an end is as good as none. */
const instantSeconds = 5;
/** An answer that takes longer (ms) tells nothing about parts of a second. */
const quickMs = 200;
/** Questions about parts of a second, those included that told nothing. */
const triesInSecond = 8;

/**
 * Finds the times for which a right signature is accepted, and says what they mean: the endpoint's clock is off, its
 * limit is too tight, too wide or in another unit (interface: Authentication, Limits). Nothing is named unless right
 * signatures are accepted at some time and refused at another.
 */
export async function findWindow(
  connection: Connection,
  _failing?: Failing,
  known: KnownOfWindow = {},
): Promise<Outcome> {
  return await new WindowProbe(connection, known.asPing === true).run(known);
}

class WindowProbe {
  readonly #connection: Connection;
  readonly #asPing: boolean;
  readonly #seen: string[] = [];
  readonly #search = new WindowSearch(async (offset) => await this.#acceptsAt(offset));
  /** How a refusal of this endpoint looks, by the first one. */
  #refusal: string | undefined;
  /** The first time that was refused. */
  #refused: Offer | undefined;
  #dateOffset: number | undefined;

  constructor(connection: Connection, asPing: boolean) {
    this.#connection = connection;
    this.#asPing = asPing;
  }

  async run({ right: accepted, reach }: KnownOfWindow): Promise<Outcome> {
    if (accepted === false) return await this.#whenRefused(reach);
    if (accepted === undefined) {
      const first = await this.#send('a right signature');
      if (first.reception !== 'accepted') return await this.#whenRefused(reach);
    }
    this.#search.learn(0, true);
    return await this.#measure(0, { centre: 0 });
  }

  async #whenRefused(reach: KnownOfWindow['reach']): Promise<Outcome> {
    const early = await this.#send('a right signature, at the beginning of a second', right, earlyInSecondMs);
    this.#dateOffset ??= await this.#plainDateOffset();
    this.#search.learn(0, early.reception === 'accepted');
    if (early.reception === 'accepted') return await this.#measure(0, { centre: 0 });
    this.#refusal = describeReception(early);
    const near = reach === 'beyond' ? undefined : await this.#near();
    if (near || reach === 'near') return near ?? this.#outcome({});
    for (const offset of farSeconds) {
      if (await this.#search.ask(offset)) return await this.#measure(offset, {});
    }
    return this.#outcome({});
  }

  async #near(): Promise<Outcome | undefined> {
    const clock = this.#dateOffset ?? 0;
    if (clock !== 0 && (await this.#search.ask(clock))) return await this.#measure(clock, { centre: clock });
    for (const offset of nearSeconds) {
      if (await this.#search.ask(offset)) return await this.#measure(offset, { centre: clock });
    }
    if (!(await this.#acceptsMilliseconds())) return undefined;
    const text =
      'Your endpoint takes t for milliseconds: it refuses a right signature, and accepts one whose t is written in milliseconds.';
    return this.#outcome({ found: { id: 'signature/window-in-wrong-unit', summary: text } });
  }

  /** Both ends of the accepted times, from one that is accepted. */
  async #measure(from: number, { centre }: { centre?: number }): Promise<Outcome> {
    if (!(await this.#search.ask(from))) return this.#outcome({});
    const whole = 2 * limits.signatureToleranceSeconds;
    const exact = centre === undefined ? { exactSeconds: roughSeconds } : {};
    const past = await this.#search.find(-1, {
      centre,
      supposed: centre === undefined ? from - whole / 2 : this.#supposed(-1),
      ...exact,
    });
    const lower = past.outside === undefined ? undefined : (past.inside + past.outside) / 2;
    const future = await this.#search.find(1, { centre, supposed: this.#mirrored(lower, centre), ...exact });
    const refusedSome = past.outside !== undefined || future.outside !== undefined;
    const judged = judgeWindow({ past, future, dateOffset: this.#dateOffset });
    const again = refusedSome ? await this.#againAt(from, { isSuspect: judged.found !== undefined }) : [];
    const refused = again.find(({ reception }) => reception !== 'accepted');
    if (isInstant(past) && isInstant(future) && (await this.#isPartOfSecond())) {
      const text = `Right signatures are accepted for a part of a second only: the difference is reckoned in milliseconds and compared with ${limits.signatureToleranceSeconds}.`;
      return this.#outcome({ found: { id: 'signature/window-in-wrong-unit', summary: text } });
    }
    if (refused && again.every(({ reception }) => reception !== 'accepted')) {
      return { passed: [], seen: this.#seen, ...lockoutOutcome(this.#refused, refused) };
    }
    const other = refused ?? (judged.found && (await this.#answeredOtherwise([-1, past], [1, future])));
    if (other) return { passed: [], seen: this.#seen, ...inconsistentOutcome(other) };
    return this.#outcome(judged);
  }

  /** Where the end in the future may be, by the one in the past. */
  #mirrored(lower: number | undefined, centre: number | undefined): number | undefined {
    const whole = 2 * limits.signatureToleranceSeconds;
    if (lower === undefined || (centre !== undefined && isUsual(lower - centre))) return this.#supposed(1);
    if (centre === undefined) return Math.round(lower + whole);
    // Most windows are as long on either side.
    return this.#supposed(1) ?? Math.round(2 * centre - lower);
  }

  /** Where an end is when the Date header is right about the clock. */
  #supposed(side: Side): number | undefined {
    const offset = this.#dateOffset ?? 0;
    return offset === 0 ? undefined : offset + side * limits.signatureToleranceSeconds;
  }

  /** The Date header of an ordinary request, where the answer to an upgrade has none. */
  async #plainDateOffset(): Promise<number | undefined> {
    if (this.#connection.surface !== 'own-ai-phone') return undefined;
    const url = this.#connection.url.replace(/^ws/, 'http');
    const label = 'an ordinary request, for its Date header';
    const request = { method: 'GET', url, headers: [['User-Agent', 'svc-conform']], body: new Uint8Array() } as const;
    return dateOffsetSeconds(await this.#connection.ask(() => request, { label, fresh: true }));
  }

  /** A right signature is accepted at the beginning of a second, and refused late in it, twice. */
  async #isPartOfSecond(): Promise<boolean> {
    let told = 0;
    for (let tries = 0; tries < triesInSecond && told < 4; tries++) {
      const late = told % 2 === 0;
      const label = `a right signature, ${late ? 'late in' : 'at the beginning of'} a second`;
      const { reception, observation } = await this.#send(label, right, late ? lateInSecondMs : earlyInSecondMs);
      const { firstByteMs, totalMs } = observation.times;
      if ((firstByteMs ?? totalMs ?? Infinity) > quickMs) continue;
      if ((reception === 'accepted') === late) return false;
      told++;
    }
    return told === 4;
  }

  /** What lies a second inside an end and is refused now, or a second outside it and accepted. */
  async #answeredOtherwise(...ends: (readonly [Side, Edge])[]): Promise<Offer | undefined> {
    for (const [side, { inside, outside }] of ends) {
      // A small window has no second to spare.
      const within = await this.#send('one just inside an end, once more', at(inside === 0 ? 0 : inside - side));
      if (within.reception !== 'accepted') return within;
      if (outside === undefined) continue;
      const beyond = await this.#send('one just outside an end, once more', at(outside + side));
      if (beyond.reception === 'accepted') return beyond;
    }
    return undefined;
  }

  /** What was accepted before, made anew as often as shows instances that take turns. */
  async #againAt(offset: number, { isSuspect }: { isSuspect: boolean }): Promise<Offer[]> {
    const again: Offer[] = [];
    // In turn where t is as near to the clock as it can be.
    for (const atMs of [earlyInSecondMs, undefined, earlyInSecondMs]) {
      again.push(await this.#send('what was accepted before, made anew', at(offset), atMs));
      if (!isSuspect && again[0]?.reception === 'accepted') break;
    }
    return again;
  }

  async #acceptsAt(offset: number): Promise<boolean> {
    const label =
      offset === 0
        ? 'a right signature'
        : `a right signature with t ${Math.abs(offset)} s ${offset < 0 ? 'ago' : 'ahead'}`;
    const once = await this.#send(label, at(offset));
    if (once.reception === 'accepted') return true;
    this.#refused ??= once;
    // Whatever looks unlike the first refusal may be an accident, which must not become the end of a window.
    this.#refusal ??= describeReception(once);
    if (describeReception(once) === this.#refusal) return false;
    return (await this.#send(label, at(offset))).reception === 'accepted';
  }

  async #acceptsMilliseconds(): Promise<boolean> {
    const inMilliseconds = (correct: SignedDelivery) => {
      const now = Date.now();
      return correct.with({
        signedParts: (_, body) => [Buffer.from(`${now}.`), body],
        write: (_, v1) => `t=${now},v1=${v1}`,
      });
    };
    for (let times = 0; times < 2; times++) {
      const { reception } = await this.#send('a signature with t in milliseconds', inMilliseconds);
      if (reception !== 'accepted') return false;
    }
    return true;
  }

  /** Sends one, at once or at a part of a second (ms). */
  async #send(label: string, change: Change = right, atMs?: number): Promise<Offer> {
    if (atMs !== undefined) await waitForSecond(atMs);
    const offered = await offer(this.#connection, label, change(draft(this.#connection, { asPing: this.#asPing })));
    this.#dateOffset ??= dateOffsetSeconds(offered.observation);
    this.#seen.push(`${sentence(label)}: ${describeReception(offered)}.`);
    return offered;
  }

  #outcome({ found, suspects = [], passed = [] }: Partial<Outcome>): Outcome {
    return { found, suspects, passed, seen: this.#seen, ...(found && { ends: true as const }) };
  }
}

type Change = (correct: SignedDelivery) => SignedDelivery;

const right: Change = (correct) => correct;

function at(offsetSeconds: number): Change {
  return (correct) => correct.with({ offsetSeconds });
}

/** Whether an end lies where it should, so that only the other may not. */
function isUsual(distance: number): boolean {
  return Math.abs(Math.abs(distance) - limits.signatureToleranceSeconds) <= edgeMarginSeconds;
}

/** Hardly any time is accepted on this side. */
function isInstant({ inside, outside }: Edge): boolean {
  return Math.abs(inside) <= instantSeconds && outside !== undefined && Math.abs(outside) <= instantSeconds;
}

function sentence(label: string): string {
  return label.charAt(0).toUpperCase() + label.slice(1);
}
