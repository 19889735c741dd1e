import { header } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Found, Outcome } from '../outcome.ts';
import { inconsistentOutcome, lockoutOutcome, type Lockout } from './lockout.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { answerBody, draft, offer, describeReception, type Offer } from './reception.ts';
import { replays, validInFirst, weaknesses, type Weakness } from './weaknesses.ts';

/** What somebody has learnt before, so that it is not asked again. */
export interface KnownOfWeakness {
  /** The right signature was accepted, or refused. */
  right?: boolean | undefined;
  /** Chat: pings are checked as messages are, so what follows a wrong message can be tried with them. */
  asPing?: boolean | undefined;
}

/** Seconds in the past that no window reaches: a year. */
const longAgoSeconds = 31_536_000;
const hexLength = 64;
/** Times that a control is sent: an odd number, so that instances behind one address that take turns show. */
const controls = 3;

/**
 * Finds out why a wrong signature is accepted, or whether one is (interface: Authentication). It begins with the right
 * one, which must be accepted, and a value that is wrong in every character; what else it sends must be refused, the
 * general before the particular. With a failing requirement only what belongs to that one is sent.
 */
export async function findWeakness(
  connection: Connection,
  failing?: Failing,
  known: KnownOfWeakness = {},
): Promise<Outcome> {
  return await new WeaknessProbe(connection).run(failing, known);
}

class WeaknessProbe {
  readonly #connection: Connection;
  readonly #seen: string[] = [];
  /** What was refused after the same was accepted: once may be an accident. */
  readonly #byTurns: Offer[] = [];
  #asPing = false;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async run(failing: Failing | undefined, { right, asPing = false }: KnownOfWeakness): Promise<Outcome> {
    const isTaken = right ?? (await this.#send('with its right signature'))?.reception === 'accepted';
    // Why a wrong one is accepted shows only beside a right one that is.
    if (!isTaken) return this.#outcome(undefined);
    const wrong = await this.#send('with a wrong value', validInFirst(0));
    if (wrong?.reception === 'accepted') {
      const refused = await this.#refusedByTurns();
      return refused ? this.#locked(byTurnsTaken(refused)) : this.#outcome(await this.#whyAnyValue(wrong));
    }
    if (wrong?.reception === 'refused-with-2xx') return this.#outcome({ id: 'signature/refused-with-2xx' });
    this.#asPing = asPing;
    for (const weakness of relevant(weaknesses, failing)) {
      if (asPing && weakness.id === 'signature/ping-not-checked') continue;
      if (!(await this.#accepts(weakness.label, (whole) => weakness.spoil(whole, this.#connection)))) continue;
      return this.#outcome(await this.#named(weakness));
    }
    const [turn, ...turns] = this.#byTurns;
    if (turn && turns.length > 0) return this.#locked(byTurnsTaken(turn));
    const rights = await this.#rightsAfterWrong();
    const last = rights.findLast(({ reception }) => reception === 'accepted');
    if (!last) return rights[0] ? this.#locked(lockoutOutcome(wrong, rights[0])) : this.#outcome(undefined);
    const refused = rights.find(({ reception }) => reception !== 'accepted' && reception !== 'throttled');
    if (refused) return this.#locked(inconsistentOutcome(refused));
    const accepted = header(last.observation.request, 'X-Svc-Signature');
    const isPhone = this.#connection.surface === 'own-ai-phone';
    for (const { id, label } of relevant(replays, failing).filter(({ ofCalls }) => ofCalls === isPhone)) {
      const replayed: Spoil = (another) => another.with({ write: () => accepted });
      if (await this.#accepts(label, replayed)) return this.#outcome({ id });
    }
    return this.#outcome(undefined, [
      'Wrong signatures are refused, in every way that was tried, and the right one is accepted after them.',
    ]);
  }

  /** A wrong value that is refused after one was accepted. */
  async #refusedByTurns(): Promise<Offer | undefined> {
    for (let times = 1; times < controls; times++) {
      const again = await this.#send('with a wrong value', validInFirst(0));
      if (again && again.reception !== 'accepted') return again;
    }
    return undefined;
  }

  async #whyAnyValue(wrong: Offer): Promise<Found> {
    const without = await this.#accepts('without X-Svc-Signature', (whole) => whole.with({ write: () => undefined }));
    const garbage = await this.#accepts('with garbage in X-Svc-Signature', (whole) =>
      whole.with({ write: () => 'not-a-signature' }),
    );
    if (garbage) {
      const id = without ? 'signature/not-checked' : 'signature/presence-only';
      return { id, ...(isActedOn(wrong) && { summary: certainly[id] }) };
    }
    const old = await this.#accepts('with a wrong value and an old t', (whole) =>
      validInFirst(0)(whole.with({ offsetSeconds: -longAgoSeconds })),
    );
    const also = without ? ' A delivery without the header is accepted as well.' : '';
    return old
      ? {
          id: 'signature/form-only',
          summary: `Only the form of the signature header is checked: neither its value nor its time counts.${also}`,
        }
      : {
          id: 'signature/only-t-checked',
          summary: `Only the time in the signature header is checked; its value is compared with nothing.${also}`,
        };
  }

  async #named({ id, summary: text }: Weakness): Promise<Found> {
    if (id !== 'signature/first-characters-compared') return { id, summary: text };
    const characters = await this.#comparedCharacters();
    return {
      id,
      summary: `Only the first ${characters === 1 ? 'character' : `${characters} characters`} of the signature are compared, of ${hexLength}.`,
    };
  }

  /** How many characters at the beginning must be right; none and all of them are known. */
  async #comparedCharacters(): Promise<number> {
    let tooFew = 0;
    let enough = hexLength - 1;
    while (enough - tooFew > 1) {
      const middle = Math.floor((tooFew + enough) / 2);
      const offered = await this.#send(`right in the first ${middle} characters of v1`, validInFirst(middle));
      if (offered?.reception === 'accepted') enough = middle;
      else tooFew = middle;
    }
    return enough;
  }

  /** Whether something wrong is accepted, twice: one acceptance may be an accident. */
  async #accepts(label: string, spoil: Spoil): Promise<boolean> {
    for (let times = 0; times < 2; times++) {
      const offered = await this.#send(label, spoil);
      if (offered?.reception === 'accepted') continue;
      if (offered && times > 0) this.#byTurns.push(offered);
      return false;
    }
    return true;
  }

  /** Right ones after the wrong ones: one, or three where it is refused. Of two instances by turns one is seen then. */
  async #rightsAfterWrong(): Promise<Offer[]> {
    const rights: Offer[] = [];
    for (let times = 0; times < controls; times++) {
      const offered = await this.#send('with its right signature, after the wrong ones');
      if (offered) rights.push(offered);
      if (rights.length === 1 && offered?.reception === 'accepted') break;
      // A window of less than a second takes what was signed just now: that is not a lock.
      await waitForSecond(earlyInSecondMs);
    }
    return rights;
  }

  #locked(locked: Lockout): Outcome {
    return { passed: [], seen: this.#seen, ...locked };
  }

  /** `undefined`: this connection gives nothing of the kind, so nothing was sent. */
  async #send(label: string, spoil: Spoil = (correct) => correct): Promise<Offer | undefined> {
    const spoiled = spoil(draft(this.#connection, { asPing: this.#asPing }));
    if (!spoiled) return undefined;
    const noun = this.#connection.surface === 'own-ai-phone' ? 'call' : 'delivery';
    const offered = await offer(this.#connection, `a ${noun} ${label}`, spoiled);
    this.#seen.push(`A ${noun} ${label}: ${describeReception(offered)}.`);
    return offered;
  }

  #outcome(found: Found | undefined, passed: readonly string[] = []): Outcome {
    return { found, suspects: [], passed, seen: this.#seen };
  }
}

/** What is said where a wrong one was answered, and not just taken. */
const certainly = {
  'signature/not-checked': 'Signatures are not checked at all, so anybody who knows the address can send you anything.',
  'signature/presence-only': 'Only the presence of the signature header is checked, not what it says.',
} as const;

/** Whether more came than that it was taken: an answer for the customer, or a call that stands. */
function isActedOn(offer: Offer): boolean {
  return offer.observation.kind === 'call' || /"(?:text|action)"\s*:/.test(answerBody(offer));
}

/** What is told where a wrong value is accepted and refused by turns. */
function byTurnsTaken(refused: Offer): Lockout {
  const why = `A wrong value was accepted once, and once it was not (${describeReception(refused)}).`;
  return { suspects: [{ id: 'signature/not-always-the-same', why }], ends: true };
}

type Spoil = (correct: SignedDelivery) => SignedDelivery | undefined;

/** Those that belong to a failing requirement; all without one, or with one that nothing belongs to. */
function relevant<T extends Pick<Weakness, 'slugs'>>(all: readonly T[], failing: Failing | undefined): readonly T[] {
  const slug = failing?.requirement.split('/')[1] ?? '';
  const isKnown = [...weaknesses, ...replays].some(({ slugs }) => slugs.includes(slug));
  return isKnown ? all.filter(({ slugs }) => slugs.includes(slug)) : all;
}
