import { header } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import {
  isRequirementId,
  requirement as requirementOf,
  type RequirementId,
} from '../../specs/requirements/catalogue.ts';
import type { Connection } from '../connection.ts';
import type { Failing, Found, ProbeOptions, ProbeOutcome, Suspect } from '../outcome.ts';
import { slugOf } from '../probe-for.ts';
import { invalidValue, judgeRefusals, type Refusal } from './judge-refusals.ts';
import { inconsistentOutcome, lockoutOutcome, type Lockout } from './lockout.ts';
import { earlyInSecondMs, waitForSecond } from './wait-for-second.ts';
import { answerBody, draft, offer, describeReception, isRefusable, type Offer, type SignedOffer } from './reception.ts';
import { replays, validPrefix, weaknesses, type Weakness } from './weaknesses.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';

/** Results of earlier probes. */
export interface WeaknessContext extends ProbeOptions {
  /** Whether the valid signature was accepted. */
  right?: boolean | undefined;
  /** Chat: pings are verified like messages, so they can replace them. */
  asPing?: boolean | undefined;
  /** Number of invalid signatures of this diagnosis that were accepted since the latest refused one. */
  acceptedInRow?: number | undefined;
  /** Invalid signatures that were refused already; those that this probe would send as well are not sent again. */
  refusals?: readonly Refusal[] | undefined;
}

const hexLength = 64;
const yearSeconds = 365 * 24 * 60 * 60;
/** Weaknesses that a comparison up to the length of the given signature has as well. */
const comparedAsFarAsSent: ReadonlySet<string> = new Set(['signature/v1-optional', 'signature/empty-accepted']);
/** Repetitions of a control: an odd number, to reveal alternating instances. */
const controls = 3;

/**
 * Finds out whether an invalid signature is accepted, and why (interface: Authentication). It begins with the valid one,
 * which must be accepted, and a value that differs in every character; all further ones must be refused, general ones
 * first. For a failed requirement it sends only the related ones.
 */
export async function findWeakness(
  connection: Connection,
  failing?: Failing,
  known: WeaknessContext = {},
): Promise<ProbeOutcome> {
  return await new WeaknessProbe(connection).run(failing, known);
}

class WeaknessProbe {
  readonly #connection: Connection;
  readonly #seen: string[] = [];
  /** Refusals after an acceptance of the same signature: one may be chance. */
  readonly #inconsistencies: Offer[] = [];
  /** Invalid signatures that were not accepted. */
  readonly #refusals: Refusal[] = [];
  /** Accepted, though advice says to refuse. */
  readonly #advised: Suspect[] = [];
  #asPing = false;
  /** Invalid signatures that were accepted since the latest refusal. */
  #acceptedInRow = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async run(
    failing: Failing | undefined,
    { right, asPing = false, acceptedInRow = 0, refusals = [] }: WeaknessContext,
  ): Promise<ProbeOutcome> {
    this.#acceptedInRow = acceptedInRow;
    this.#refusals.push(...refusals);
    // An error of the server may have another reason than the signature.
    const certain = refusals.filter(({ offered }) => offered.reception !== 'throttled' && isRefusable(offered));
    const tried = new Set<unknown>(certain.map(({ spoil }) => spoil));
    const isTaken = right ?? (await this.#send('with its valid signature'))?.reception === 'accepted';
    // An accepted invalid signature is meaningful only if the valid one is accepted.
    if (!isTaken) return this.#outcome(undefined);
    const known = certain.find(({ label }) => label === invalidValue)?.offered;
    const wrong = known ?? (await this.#send(invalidValue, validPrefix(0)));
    if (wrong?.reception === 'accepted') {
      const refused = await this.#refusalAfterAcceptance();
      return refused ? this.#locked(inconsistentAcceptance(refused)) : this.#outcome(await this.#whyAnyValue(wrong));
    }
    if (wrong?.reception === 'refused-with-2xx') return this.#outcome({ id: 'signature/refused-with-2xx' });
    this.#asPing = asPing;
    for (const weakness of this.#relevant(weaknesses, failing)) {
      if ((asPing && weakness.id === 'signature/ping-not-checked') || tried.has(weakness.spoil)) continue;
      if (!(await this.#accepts(weakness.label, (whole) => weakness.spoil(whole, this.#connection)))) continue;
      const { id, slugs, label } = weakness;
      const advice = this.#adviceOf(slugs);
      if (advice !== undefined) {
        if (this.#advised.some((one) => one.id === id)) continue;
        const why = `Accepted: a call ${label}. The interface does not state this case; to refuse it is advice (${advice}).`;
        this.#advised.push({ id, why });
        continue;
      }
      return this.#outcome(await this.#named(weakness));
    }
    const [turn, ...turns] = this.#inconsistencies;
    if (turn && turns.length > 0) return this.#locked(inconsistentAcceptance(turn));
    const rights = await this.#controlsAfterwards();
    const last = rights.findLast(({ reception }) => reception === 'accepted');
    if (!last) return rights[0] ? this.#locked(lockoutOutcome(wrong, rights[0])) : this.#outcome(undefined);
    const refused = rights.find(({ reception }) => reception !== 'accepted' && reception !== 'throttled');
    if (refused) return this.#locked(inconsistentOutcome(refused));
    const accepted = { delivery: last.delivery, signature: header(last.observation.request, 'X-Svc-Signature') };
    const isPhone = this.#connection.surface === 'own-ai-phone';
    for (const { id, label, replay } of this.#relevant(replays, failing).filter(({ ofCalls }) => ofCalls === isPhone)) {
      if (await this.#accepts(label, (another) => replay(another, accepted))) return this.#outcome({ id });
    }
    const { found, suspects } = await judgeRefusals(this.#refusals, this.#connection.surface);
    const passed =
      this.#advised.length > 0
        ? []
        : ['All tested invalid signatures are refused, and the valid one is accepted after them.'];
    return this.#outcome(found, [...suspects, ...this.#advised], passed);
  }

  /** An invalid value that is refused after one was accepted. */
  async #refusalAfterAcceptance(): Promise<Offer | undefined> {
    while (this.#acceptedInRow < controls) {
      const again = await this.#send(invalidValue, validPrefix(0));
      if (again && again.reception !== 'accepted') return again;
    }
    return undefined;
  }

  async #whyAnyValue(wrong: Offer): Promise<Found> {
    const without = await this.#accepts('without X-Svc-Signature', forgedSignatures.noHeader);
    const garbage = await this.#accepts('with garbage in X-Svc-Signature', forgedSignatures.garbage);
    if (garbage) {
      const id = without ? 'signature/not-checked' : 'signature/presence-only';
      return { id, ...(isActedOn(wrong) && { summary: actedOnSummaries[id] }) };
    }
    const old = await this.#accepts('with an invalid value and an old t', (whole) =>
      validPrefix(0)(forgedSignatures.yearOldT(whole)),
    );
    const also = without ? ' A delivery without the header is accepted as well.' : '';
    return old
      ? {
          id: 'signature/form-only',
          summary: `Only the form of the signature header is checked: neither its value nor its time counts.${also}`,
        }
      : {
          id: 'signature/only-t-checked',
          summary: `Only the time in the signature header is checked; its value is not compared.${also}`,
        };
  }

  /** The widest weakness that explains why this one was accepted. */
  async #named({ id, summary: text }: Weakness): Promise<Found> {
    if (
      comparedAsFarAsSent.has(id) &&
      (await this.#accepts('without the last characters of v1', forgedSignatures.shortV1))
    ) {
      return {
        id: 'signature/as-far-as-sent',
        summary:
          'The signature is compared only up to the length of the one that was sent; even an empty v1 is accepted.',
      };
    }
    if (id === 'signature/t-optional' && (await this.#acceptsAnyTime())) {
      return {
        id: 'signature/window-missing',
        summary: 'The time t is never compared with a clock: a year-old one and a missing one are accepted.',
      };
    }
    if (id !== 'signature/first-characters-compared') return { id, summary: text };
    const characters = await this.#comparedCharacters();
    return {
      id,
      summary: `Only the first ${characters === 1 ? 'character' : `${characters} characters`} of the signature are compared, of ${hexLength}.`,
    };
  }

  async #acceptsAnyTime(): Promise<boolean> {
    const at =
      (offsetSeconds: number): Spoil =>
      (correct) =>
        correct.with({ offsetSeconds });
    const isOldAccepted = await this.#accepts('with a valid signature of a year ago', at(-yearSeconds));
    return isOldAccepted && (await this.#accepts('with a valid signature of a year ahead', at(yearSeconds)));
  }

  /** Finds by bisection how many leading characters are compared. */
  async #comparedCharacters(): Promise<number> {
    let tooFew = 0;
    let enough = hexLength - 1;
    while (enough - tooFew > 1) {
      const middle = Math.floor((tooFew + enough) / 2);
      const offered = await this.#send(`with only the first ${middle} characters of v1 valid`, validPrefix(middle));
      if (offered?.reception === 'accepted') enough = middle;
      else tooFew = middle;
    }
    return enough;
  }

  /** Whether an invalid signature is accepted twice: one acceptance may be chance. */
  async #accepts(label: string, spoil: Spoil): Promise<boolean> {
    for (let times = 0; times < 2; times++) {
      const offered = await this.#send(label, spoil);
      if (offered?.reception === 'accepted') continue;
      if (offered && times > 0) this.#inconsistencies.push(offered);
      return false;
    }
    return true;
  }

  /** Valid signatures after the invalid ones: one, or three if it is refused, to reveal alternating instances. */
  async #controlsAfterwards(): Promise<SignedOffer[]> {
    const rights: SignedOffer[] = [];
    for (let times = 0; times < controls; times++) {
      const offered = await this.#send('with its valid signature, after the invalid ones');
      if (offered) rights.push(offered);
      if (rights.length === 1 && offered?.reception === 'accepted') break;
      // A window of less than a second accepts fresh signatures: that is not a lockout.
      await waitForSecond(earlyInSecondMs);
    }
    return rights;
  }

  /** The requirement if it is the only one about an invalid signature, and only advice. */
  #adviceOf([slug, ...others]: readonly string[]): RequirementId | undefined {
    const id = `${this.#connection.surface}/${slug}`;
    const isAdvice = others.length === 0 && isRequirementId(id) && requirementOf(id).level === 'advice';
    return isAdvice ? id : undefined;
  }

  /** The items for a failed requirement; without one, or if none is related, all that a run has not judged. */
  #relevant<T extends Pick<Weakness, 'slugs' | 'isOwn'>>(
    all: readonly T[],
    failing: Failing | undefined,
  ): readonly T[] {
    const slug = slugOf(failing?.requirement ?? '');
    const isKnown = [...weaknesses, ...replays].some(({ slugs }) => slugs.includes(slug));
    const isOpen = ({ slugs, isOwn }: T) => isOwn || !this.#connection.meets(slugs);
    return all.filter((one) => (isKnown ? one.slugs.includes(slug) : isOpen(one)));
  }

  #locked(locked: Lockout): ProbeOutcome {
    return { passed: [], seen: this.#seen, ...locked };
  }

  /** `undefined` if it does not apply to this connection. */
  async #send(label: string, spoil: Spoil = unchanged): Promise<SignedOffer | undefined> {
    const spoiled = spoil(draft(this.#connection, { asPing: this.#asPing }));
    if (!spoiled) return undefined;
    const noun = this.#connection.surface === 'own-ai-phone' ? 'call' : 'delivery';
    const offered = await offer(this.#connection, `a ${noun} ${label}`, spoiled);
    this.#seen.push(`A ${noun} ${label}: ${describeReception(offered)}.`);
    if (spoil !== unchanged) this.#acceptedInRow = offered.reception === 'accepted' ? this.#acceptedInRow + 1 : 0;
    if (spoil !== unchanged && offered.reception !== 'accepted') {
      this.#refusals.push({ label, spoil, offered, again: async () => await this.#send(label, spoil) });
    }
    return offered;
  }

  #outcome(found: Found | undefined, suspects: readonly Suspect[] = [], passed: readonly string[] = []): ProbeOutcome {
    return { found, suspects, passed, seen: this.#seen };
  }
}

/** Summaries if an invalid one was acted on, not merely accepted. */
const actedOnSummaries = {
  'signature/not-checked':
    'Signatures are not checked, at least after a valid one was accepted: anyone who knows the URL can send you anything.',
  'signature/presence-only': 'Only the presence of the signature header is checked, not what it says.',
} as const;

/** Whether the endpoint acted on it: an answer for the customer, or an established call. */
function isActedOn(offer: Offer): boolean {
  return offer.observation.kind === 'call' || /"(?:text|action)"\s*:/.test(answerBody(offer));
}

/** The outcome if an invalid value is sometimes accepted and sometimes refused. */
function inconsistentAcceptance(refused: Offer): Lockout {
  const why = `An invalid value was accepted once and refused once (${describeReception(refused)}).`;
  return { suspects: [{ id: 'signature/not-always-the-same', why }], ends: true };
}

type Spoil = (correct: SignedDelivery) => SignedDelivery | undefined;

const unchanged: Spoil = (correct) => correct;
