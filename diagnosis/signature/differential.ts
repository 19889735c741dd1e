import type { Hypothesis } from './hypotheses.ts';
import { describeScheme } from './hypotheses.ts';
import type { Questioner } from './questioner.ts';
import { describeReception, type Offer } from './reception.ts';
import { Search, type Question } from './search.ts';
import type { Claims } from './claims.ts';
import { openNames } from './signed-headers.ts';

/** Questions in a row that are refused in one other way than the first, by which a lock is seen. */
const timesUntilLocked = 6;
/** Questions more for what was accepted at last. */
const questionsAfterAcceptance = 40;
/** Bodies over which a scheme must be accepted before it is named. */
const neededBodies = 2;

/** What the differential diagnosis has come to. */
export interface DifferentialResult {
  /** The scheme that was accepted over two bodies, and by which nothing else can be meant. */
  scheme?: Hypothesis | undefined;
  /** Which of several headers it reads, where that was open. */
  headerName?: string | undefined;
}

/** Asks until one scheme is left, or none. */
export class Differential {
  readonly search: Search;
  /** Questions that were accepted. */
  readonly accepted: Offer[] = [];
  /** Questions that were asked. */
  asked = 0;
  /** How every question is answered since the endpoint answers to nothing any more. */
  locked: string | undefined;
  /** How questions were answered, each form once. */
  readonly answers = new Set<string>();
  readonly #questioner: Questioner;
  readonly #most: number;
  /** How the first question was refused, and how many of the latest in a row were refused in one other way. */
  #refusal: string | undefined;
  #unlike = { text: '', times: 0 };

  /** @param most questions after which it gives up */
  constructor(questioner: Questioner, claims: Claims, most: number) {
    this.#questioner = questioner;
    this.#most = most;
    this.search = new Search(claims);
  }

  /** Asks until a scheme can be named, nothing is left, or this many questions were refused in a row. */
  async run(most = this.#most): Promise<DifferentialResult | undefined> {
    const { search } = this;
    for (let refused = 0; refused < most && !this.#isOver();) {
      const isOne = search.accepted.length > 0 && search.names.length === 1;
      const decisive = isOne ? search.confirmation() : undefined;
      const isDecided = decisive !== undefined && search.accepted.includes(decisive.body);
      if (isDecided && new Set(search.accepted).size >= neededBodies) return await this.#verdict();
      const question = isDecided ? search.another() : isOne ? decisive : search.next();
      // Where nothing more can be asked, what is left is left.
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
    const offer = await this.#questioner.ask(
      question.body,
      hypothesis.parts,
      `signed as ${describeScheme(hypothesis)} says`,
    );
    this.asked++;
    this.#watch(offer);
    const isAccepted = offer.reception === 'accepted';
    if (isAccepted) this.accepted.push(offer);
    this.search.tell(question, isAccepted);
    return isAccepted;
  }

  /** Sees when the endpoint stops looking at signatures, because too many were wrong. */
  #watch({ reception, ...offer }: Offer): void {
    const text = describeReception({ reception, ...offer });
    this.answers.add(text);
    this.#refusal ??= text;
    const isUnlike = reception !== 'accepted' && text !== this.#refusal;
    const isSame = isUnlike && text === this.#unlike.text;
    this.#unlike = isUnlike ? { text, times: isSame ? this.#unlike.times + 1 : 1 } : { text: '', times: 0 };
    if (this.#unlike.times >= timesUntilLocked) this.locked = text;
  }

  async #verdict(): Promise<DifferentialResult> {
    const [scheme] = this.search.left;
    if (!scheme) return {};
    const open = openNames(scheme.parts);
    if (open.length === 0) return { scheme };
    const headerName = await this.#nameOf(scheme, open);
    return headerName === undefined ? {} : { scheme, headerName };
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
    const label = `under ${names.length === 1 ? 'one name' : `${names.length} names`} of headers`;
    const { reception } = await this.#questioner.ask(0, scheme.parts, label, { names });
    this.asked++;
    return reception === 'accepted';
  }
}
