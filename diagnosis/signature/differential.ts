import type { Hypothesis } from './hypotheses.ts';
import { describeScheme } from './hypotheses.ts';
import { everyNotation, ownHeader } from './header-readings.ts';
import type { Questioner } from './questioner.ts';
import { describeReception, type Offer } from './reception.ts';
import { Search, type Question } from './search.ts';
import type { Claims } from './claims.ts';
import { openNames } from './signed-headers.ts';

/** Consecutive refusals that equal each other but not the first one, which reveal a lockout. */
const timesUntilLocked = 6;
/** Additional questions after a late acceptance. */
const questionsAfterAcceptance = 40;
/** Questions before one that tries several notations of the header: the most frequent schemes are more likely. */
const questionsBeforeSweep = 12;
/** Bodies over which a scheme must be accepted before it is named. */
const neededBodies = 2;

/** Result of the differential diagnosis. */
export interface DifferentialResult {
  /** The scheme that was accepted over two bodies and has no alternative. */
  scheme?: Hypothesis | undefined;
  /** The header that it reads, if there were several candidates. */
  headerName?: string | undefined;
}

/** Asks until one scheme is left, or none. */
export class Differential {
  readonly search: Search;
  /** Questions that were accepted. */
  readonly accepted: Offer[] = [];
  /** Questions that were asked. */
  asked = 0;
  /** The answer to every question since a lockout. */
  locked: string | undefined;
  /** The distinct answers to questions. */
  readonly answers = new Set<string>();
  readonly #questioner: Questioner;
  readonly #most: number;
  /** The first refusal, and the count of the latest consecutive refusals that equal each other but not the first. */
  #refusal: string | undefined;
  #deviating = { text: '', times: 0 };
  #isSwept = false;

  /** @param most questions after which it gives up */
  constructor(questioner: Questioner, claims: Claims, most: number) {
    this.#questioner = questioner;
    this.#most = most;
    this.search = new Search(claims);
  }

  /**
   * Asks until a scheme can be named, nothing is left, or this many questions were refused in a row. `undefined` only if
   * further questions can be asked: not after a lockout, for example.
   */
  async run(most = this.#most): Promise<DifferentialResult | undefined> {
    const { search } = this;
    for (let refused = 0; refused < most && !this.#isOver();) {
      if (!this.#isSwept && this.asked >= questionsBeforeSweep && search.hasSwept) {
        if (await this.#sweep()) refused = 0;
        else refused++;
        continue;
      }
      const isOne = search.accepted.length > 0 && search.names.length === 1;
      const decisive = isOne ? search.confirmation() : undefined;
      const isDecided = decisive !== undefined && search.accepted.includes(decisive.body);
      if (isDecided && new Set(search.accepted).size >= neededBodies) return await this.#verdict();
      const question = isDecided ? search.another() : isOne ? decisive : search.next();
      // Without further questions the result stays open.
      if (!question) return {};
      if (await this.#ask(question)) refused = 0;
      else refused++;
    }
    return this.#isOver() ? {} : undefined;
  }

  #isOver(): boolean {
    return (
      this.locked !== undefined ||
      this.asked >= this.#most + (this.accepted.length === 0 ? 0 : questionsAfterAcceptance)
    );
  }

  async #ask(question: Question): Promise<boolean> {
    const hypothesis = this.search.hypothesis(question);
    const second = this.search.second(question);
    const also = second ? `, and in other headers ${describeScheme(second)}` : '';
    const label = `${describeScheme(hypothesis)}${also}`;
    const offer = await this.#questioner.ask(question.body, hypothesis.parts, label, { second: second?.parts });
    this.asked++;
    this.#watch(offer);
    const isAccepted = offer.reception === 'accepted';
    if (isAccepted) this.accepted.push(offer);
    this.search.update(question, isAccepted);
    return isAccepted;
  }

  /** Sends the header in several notations at once. */
  async #sweep(): Promise<boolean> {
    this.#isSwept = true;
    const parts = { ...this.search.correct.parts, header: everyNotation };
    const offer = await this.#questioner.ask(0, parts, 'with the header in several notations at once');
    this.asked++;
    this.#watch(offer);
    const isAccepted = offer.reception === 'accepted';
    if (isAccepted) this.accepted.push(offer);
    this.search.updateSwept(isAccepted);
    return isAccepted;
  }

  /** Detects a lockout after too many invalid signatures. */
  #watch({ reception, ...offer }: Offer): void {
    const text = describeReception({ reception, ...offer });
    this.answers.add(text);
    this.#refusal ??= text;
    const isDeviating = reception !== 'accepted' && text !== this.#refusal;
    const isSame = isDeviating && text === this.#deviating.text;
    this.#deviating = isDeviating ? { text, times: isSame ? this.#deviating.times + 1 : 1 } : { text: '', times: 0 };
    if (this.#deviating.times >= timesUntilLocked) this.locked = text;
  }

  async #verdict(): Promise<DifferentialResult> {
    const [likeliest] = this.search.left;
    if (!likeliest) return {};
    const scheme = (await this.#inOwnHeader(likeliest)) ?? likeliest;
    const open = openNames(scheme.parts, this.#questioner.brand);
    if (open.length === 0) return { scheme };
    const headerName = await this.#nameOf(scheme, open);
    return headerName === undefined ? {} : { scheme, headerName };
  }

  /**
   * The same scheme in X-Svc-Signature, if it is accepted there without the other headers: the endpoint prefers another
   * header, which is not a mistake. `undefined` if that is the only deviation.
   */
  async #inOwnHeader({ parts, deviations, ...others }: Hypothesis): Promise<Hypothesis | undefined> {
    const header = ownHeader(parts.header);
    if (!header) return undefined;
    const remaining = deviations
      .map((one) => (one === parts.header ? header : one))
      .filter(({ ids }) => ids.length > 0);
    const names = [...new Set(remaining.flatMap(({ ids }) => ids))];
    if (names.length === 0) return undefined;
    const scheme = { ...others, parts: { ...parts, header }, deviations: remaining, names };
    const label = `${describeScheme(scheme)}, without other headers`;
    const offer = await this.#questioner.ask(this.search.accepted.at(-1) ?? 0, scheme.parts, label);
    this.asked++;
    if (offer.reception !== 'accepted') return undefined;
    this.accepted.push(offer);
    return scheme;
  }

  /** Halves the names of headers until the one is left that the endpoint reads; `undefined` when it is not accepted alone. */
  async #nameOf(scheme: Hypothesis, open: readonly string[]): Promise<string | undefined> {
    let names = open;
    let isAccepted = false;
    while (names.length > 1) {
      const half = names.slice(0, Math.ceil(names.length / 2));
      isAccepted = await this.#isReadUnder(half, scheme);
      names = isAccepted ? half : names.slice(half.length);
    }
    return isAccepted || (await this.#isReadUnder(names, scheme)) ? names[0] : undefined;
  }

  async #isReadUnder(names: readonly string[], scheme: Hypothesis): Promise<boolean> {
    const label = `a signature in ${names.length === 1 ? 'one' : names.length} of the possible headers`;
    const { reception } = await this.#questioner.ask(0, scheme.parts, label, { names });
    this.asked++;
    return reception === 'accepted';
  }
}
