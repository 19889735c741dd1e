import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { limits } from '../../specs/limits.ts';
import type { CauseId } from '../causes.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Found, ProbeOptions, ProbeOutcome } from '../outcome.ts';
import { dateOffsetSeconds } from './date-offset-seconds.ts';
import { findWholeMinutes } from './find-whole-minutes.ts';
import { judgeWindow } from './judge-window.ts';
import { inconsistentOutcome, lockoutOutcome } from './lockout.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { draft, offer, describeReception, type Offer } from './reception.ts';
import { edgeMarginSeconds, WindowSearch, type Edge, type WindowSide } from './window-edges.ts';

/**
 * Where to search for accepted times if the valid signature is refused: with few questions at the time of the Date header
 * and around our time, at frequent time zones `beyond` that and, in a thorough search, at the far times, or only at the
 * most frequent `far` times. Default: all.
 */
export type WindowReach = 'near' | 'beyond' | 'far';

/** Results of earlier probes. */
export interface WindowContext extends ProbeOptions {
  /** Whether the valid signature was accepted. */
  right?: boolean | undefined;
  reach?: WindowReach | undefined;
  /** Whether a Date header shows that the clock is right. */
  isClockRight?: boolean | undefined;
  /** Chat: pings are verified like messages, so they can replace them. */
  asPing?: boolean | undefined;
  /** Whether a valid signature was accepted with a t this many seconds off. */
  times?: ReadonlyMap<number, boolean> | undefined;
}

/** Offsets in seconds to try without a usable Date header: clocks that differ a little. */
const nearSeconds = [10, -10] as const;
/** The time zones of the languages that the service speaks first: local time that is read as UTC, or the reverse. */
const zoneSeconds = [3600, -3600, 7200, -7200] as const;
/** Offsets for clocks that differ a lot, each of which covers a window around itself, and another frequent time zone. */
const farSeconds = [-600, 600, -1200, 1200, -1800, 1800] as const;
const farZoneSeconds = [-18_000] as const;
/** The other time zones. */
const rareSeconds = [-14_400, -25_200, -28_800, 19_800, 28_800] as const;
/** Milliseconds late in a second. */
const lateInSecondMs = 700;
/** Precision in seconds for an unknown clock. */
const roughSeconds = 16;
/** Seconds within which an edge counts as zero. */
const instantSeconds = 5;
/** Most milliseconds from the intended part of a second to an answer that is conclusive about it. */
const mostQuickMs = 200;
/** Questions about parts of a second, including inconclusive ones. */
const triesInSecond = 8;
/** Milliseconds of a second on either side of 300: a limit of 300 that is compared with milliseconds lies between them. */
const aroundUnitMs = [180, 430] as const;

/** Causes of a window around the right time. */
const ofWidth: readonly CauseId[] = ['signature/window-too-tight', 'signature/window-too-wide'];

/**
 * Measures the times at which a valid signature is accepted and interprets them: the endpoint's clock is off, or its limit
 * is too tight, too wide or in another unit (interface: Authentication, Limits). Names a cause only if valid signatures
 * are accepted at one time and refused at another.
 */
export async function findWindow(
  connection: Connection,
  _failing?: Failing,
  known: WindowContext = {},
): Promise<ProbeOutcome> {
  return await new WindowProbe(connection, known.asPing === true).run(known);
}

class WindowProbe {
  readonly #connection: Connection;
  readonly #asPing: boolean;
  readonly #seen: string[] = [];
  readonly #search = new WindowSearch(async (offset) => await this.#acceptsAt(offset));
  /** The first refusal of this endpoint. */
  #refusal: string | undefined;
  /** The first time that was refused. */
  #refused: Offer | undefined;
  #dateOffset: number | undefined;
  #isClockRight = false;
  #plainDate: Promise<number | undefined> | undefined;

  constructor(connection: Connection, asPing: boolean) {
    this.#connection = connection;
    this.#asPing = asPing;
  }

  async run({ right: accepted, reach, isClockRight, times = new Map() }: WindowContext): Promise<ProbeOutcome> {
    this.#isClockRight = isClockRight === true;
    if (accepted === false && (reach === 'beyond' || reach === 'far')) return await this.#among(this.#distant(reach));
    if (accepted === false) return await this.#whenRefused(reach);
    if (accepted === undefined) {
      const first = await this.#send('a valid signature');
      if (first.reception !== 'accepted') return await this.#whenRefused(reach);
    }
    this.#search.learn(0, true);
    for (const [offset, isAccepted] of times) this.#search.learn(offset, isAccepted);
    return await this.#measure(0, { centre: 0 });
  }

  async #whenRefused(reach: WindowContext['reach']): Promise<ProbeOutcome> {
    const early = await this.#send('a valid signature, at the beginning of a second', right, earlyInSecondMs);
    this.#dateOffset ??= await this.#plainDateOffset();
    this.#search.learn(0, early.reception === 'accepted');
    if (early.reception === 'accepted') return await this.#measure(0, { centre: 0 });
    this.#refusal = describeReception(early);
    const near = await this.#near();
    return near ?? (reach === 'near' ? this.#outcome({}) : await this.#among(this.#distant(reach)));
  }

  /** The distant times that are searched. */
  #distant(reach: WindowReach | undefined): readonly number[] {
    // A wrong time zone does not show in the Date header.
    if (reach === 'far') return this.#isClockRight ? farZoneSeconds : [...farSeconds, ...farZoneSeconds];
    const isWhole = reach === undefined || this.#connection.isThorough;
    return isWhole ? [...zoneSeconds, ...farSeconds, ...farZoneSeconds, ...rareSeconds] : zoneSeconds;
  }

  /** Measures from the first of these times that is accepted. */
  async #among(offsets: readonly number[]): Promise<ProbeOutcome> {
    for (const offset of offsets) {
      if (!(await this.#search.ask(offset))) continue;
      this.#dateOffset ??= await this.#plainDateOffset();
      return await this.#measure(offset, {});
    }
    return this.#outcome({});
  }

  async #near(): Promise<ProbeOutcome | undefined> {
    const clock = this.#dateOffset ?? 0;
    if (clock !== 0 && (await this.#search.ask(clock))) return await this.#measure(clock, { centre: clock });
    for (const offset of nearSeconds) {
      if (await this.#search.ask(offset)) return await this.#measure(offset, { centre: clock });
    }
    if (!(await this.#acceptsMilliseconds())) return undefined;
    const text =
      'Your endpoint interprets t as milliseconds: it refuses a valid signature and accepts one with t in milliseconds.';
    return this.#outcome({ found: { id: 'signature/window-in-wrong-unit', summary: text } });
  }

  /** Measures both edges of the accepted times from an accepted one. */
  async #measure(from: number, { centre }: { centre?: number }): Promise<ProbeOutcome> {
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
    const judged = judgeWindow({ past, future, dateOffset: this.#dateOffset });
    const isOfWidth = judged.found !== undefined && ofWidth.includes(judged.found.id);
    const inMinutes = isOfWidth && (await findWholeMinutes({ past, future }, (t) => this.#acceptsT(t)));
    if (inMinutes) return this.#outcome({ found: inMinutes });
    const refusedSome = past.outside !== undefined || future.outside !== undefined;
    // An acceptance after the last refusal excludes a lockout.
    const isControlled = this.#search.latest === true && judged.found === undefined;
    const again =
      refusedSome && !isControlled ? await this.#againAt(from, { isSuspect: judged.found !== undefined }) : [];
    const refused = again.find(({ reception }) => reception !== 'accepted');
    const isInstantly = isInstant(past) && isInstant(future);
    if (isInstantly && (await this.#isPartOfSecond(earlyInSecondMs, lateInSecondMs)) === true) {
      const fraction = 'Valid signatures are accepted only for a fraction of a second';
      const isOfUnit = await this.#isPartOfSecond(...aroundUnitMs);
      const unit: Found = {
        id: 'signature/window-in-wrong-unit',
        summary: `${fraction}: the difference is computed in milliseconds and compared with ${limits.signatureToleranceSeconds}.`,
      };
      const tight: Found = {
        id: 'signature/window-too-tight',
        summary: `${fraction}: they are refused ${lateInSecondMs} ms after the beginning of the second in t.`,
      };
      if (isOfUnit === 'unclear') {
        const why = 'Answers took too long to measure the part of the second.';
        return this.#outcome({
          suspects: [
            { ...unit, why },
            { ...tight, why },
          ],
          ends: true,
        });
      }
      const found = isOfUnit ? unit : tight;
      return this.#outcome({ found });
    }
    if (refused && again.every(({ reception }) => reception !== 'accepted')) {
      return { passed: [], seen: this.#seen, ...lockoutOutcome(this.#refused, refused) };
    }
    const other = refused ?? (judged.found && (await this.#answeredOtherwise([-1, past], [1, future])));
    if (other) return { passed: [], seen: this.#seen, ...inconsistentOutcome(other) };
    return this.#outcome(judged);
  }

  /** The expected future edge, derived from the past one. */
  #mirrored(lower: number | undefined, centre: number | undefined): number | undefined {
    const whole = 2 * limits.signatureToleranceSeconds;
    if (lower === undefined || (centre !== undefined && isUsual(lower - centre))) return this.#supposed(1);
    if (centre === undefined) return Math.round(lower + whole);
    // Most windows extend equally far into the past and the future.
    return this.#supposed(1) ?? Math.round(2 * centre - lower);
  }

  /** The expected edge if the Date header shows the clock. */
  #supposed(side: WindowSide): number | undefined {
    const offset = this.#dateOffset ?? 0;
    return offset === 0 ? undefined : offset + side * limits.signatureToleranceSeconds;
  }

  /** The Date header of an ordinary request, where the answer to an upgrade has none. */
  #plainDateOffset(): Promise<number | undefined> {
    return (this.#plainDate ??= this.#askPlainDate());
  }

  async #askPlainDate(): Promise<number | undefined> {
    if (this.#connection.surface !== 'own-ai-phone') return undefined;
    const url = this.#connection.url.replace(/^ws/, 'http');
    const label = 'an ordinary request, for its Date header';
    const request = { method: 'GET', url, headers: [['User-Agent', 'svc-conform']], body: new Uint8Array() } as const;
    return dateOffsetSeconds(await this.#connection.ask(() => request, { label, fresh: true }));
  }

  /** Whether a valid signature is accepted at one part of a second and refused at a later one (ms), twice. */
  async #isPartOfSecond(earlyMs: number, lateMs: number): Promise<boolean | 'unclear'> {
    const quickMs = Math.min(mostQuickMs, (lateMs - earlyMs) / 4);
    let conclusive = 0;
    for (let tries = 0; tries < triesInSecond && conclusive < 4; tries++) {
      const late = conclusive % 2 === 0;
      const atMs = late ? lateMs : earlyMs;
      const { reception, observation } = await this.#send(`a valid signature, ${atMs} ms into a second`, right, atMs);
      const { firstByteMs, totalMs } = observation.times;
      const sentLateMs = (observation.startedAt.getTime() % 1000) - atMs;
      if (sentLateMs < 0 || sentLateMs + (firstByteMs ?? totalMs ?? Infinity) > quickMs) continue;
      if ((reception === 'accepted') === late) return false;
      conclusive++;
    }
    return conclusive === 4 ? true : 'unclear';
  }

  /** An answer a second inside or outside an edge that contradicts the earlier result. */
  async #answeredOtherwise(...ends: (readonly [WindowSide, Edge])[]): Promise<Offer | undefined> {
    for (const [side, { inside, outside }] of ends) {
      // A small window may not have another second within its edge.
      const within = await this.#send('a time just inside an edge, once more', at(inside === 0 ? 0 : inside - side));
      if (within.reception !== 'accepted') return within;
      if (outside === undefined) continue;
      const beyond = await this.#send('a time just outside an edge, once more', at(outside + side));
      if (beyond.reception === 'accepted') return beyond;
    }
    return undefined;
  }

  /** Repeats an accepted time often enough to reveal alternating instances. */
  async #againAt(offset: number, { isSuspect }: { isSuspect: boolean }): Promise<Offer[]> {
    const again: Offer[] = [];
    // Alternates with the moment at which t is closest to the clock.
    for (const atMs of [earlyInSecondMs, undefined, earlyInSecondMs]) {
      again.push(await this.#send('a time that was accepted before, signed anew', at(offset), atMs));
      if (!isSuspect && again[0]?.reception === 'accepted') break;
    }
    return again;
  }

  async #acceptsAt(offset: number): Promise<boolean> {
    const label =
      offset === 0
        ? 'a valid signature'
        : `a valid signature with t ${Math.abs(offset)} s ${offset < 0 ? 'ago' : 'ahead'}`;
    const once = await this.#send(label, at(offset));
    if (once.reception === 'accepted') return true;
    this.#refused ??= once;
    // A different refusal may be chance and must not become an edge.
    this.#refusal ??= describeReception(once);
    if (describeReception(once) === this.#refusal) return false;
    return (await this.#send(label, at(offset))).reception === 'accepted';
  }

  /** Whether a valid signature with exactly this t is accepted. */
  async #acceptsT(t: number): Promise<boolean> {
    const label = `a valid signature with t ${t % 60 === 0 ? 'at the beginning' : 'at the end'} of a minute`;
    return (await this.#send(label, withT(t))).reception === 'accepted';
  }

  async #acceptsMilliseconds(): Promise<boolean> {
    for (let times = 0; times < 2; times++) {
      const { reception } = await this.#send('a signature with t in milliseconds', (correct) =>
        withT(Date.now())(correct),
      );
      if (reception !== 'accepted') return false;
    }
    return true;
  }

  /** Sends one, at once or at a part of a second (ms). */
  async #send(label: string, change: DeliveryChange = right, atMs?: number): Promise<Offer> {
    if (atMs !== undefined) await waitForSecond(atMs);
    const offered = await offer(this.#connection, label, change(draft(this.#connection, { asPing: this.#asPing })));
    this.#dateOffset ??= dateOffsetSeconds(offered.observation);
    this.#seen.push(`${sentence(label)}: ${describeReception(offered)}.`);
    return offered;
  }

  #outcome({ found, suspects = [], passed = [], ends }: Partial<ProbeOutcome>): ProbeOutcome {
    return { found, suspects, passed, seen: this.#seen, ...((found ?? ends) && { ends: true as const }) };
  }
}

type DeliveryChange = (correct: SignedDelivery) => SignedDelivery;

const right: DeliveryChange = (correct) => correct;

/** A valid signature of exactly this t. */
function withT(t: number): DeliveryChange {
  return (correct) =>
    correct.with({
      signedParts: (_, body) => [Buffer.from(`${t}.`), body],
      write: (_, v1) => `t=${t},v1=${v1}`,
    });
}

function at(offsetSeconds: number): DeliveryChange {
  return (correct) => correct.with({ offsetSeconds });
}

/** Whether an end is at its usual distance, so that only the other end may be off. */
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
