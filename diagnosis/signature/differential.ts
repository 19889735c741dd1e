import type { Hypothesis } from './hypotheses.ts';
import { schemeWords } from './hypotheses.ts';
import type { Questioner } from './questioner.ts';
import type { Offer } from './reception.ts';
import { Search, type Question } from './search.ts';
import type { Claims } from './claims.ts';
import { openNames } from './signed-headers.ts';

/** Questions after which a search gives up: what is left then is rarer than a secret that nobody knows. */
const mostQuestions = 500;
/** Bodies over which a scheme must be accepted before it is named. */
const neededBodies = 2;

/** What the differential diagnosis has come to. */
export interface Verdict {
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
  readonly #questioner: Questioner;

  constructor(questioner: Questioner, claims: Claims) {
    this.#questioner = questioner;
    this.search = new Search(claims);
  }

  /** Asks until a scheme can be named, nothing is left, or this many questions were refused in a row. */
  async run(most = mostQuestions): Promise<Verdict | undefined> {
    const { search } = this;
    for (let refused = 0; refused < most && this.asked < mostQuestions;) {
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
    return this.asked >= mostQuestions ? {} : undefined;
  }

  async #ask(question: Question): Promise<boolean> {
    const hypothesis = this.search.hypothesis(question);
    const offer = await this.#questioner.ask(
      question.body,
      hypothesis.parts,
      `signed as ${schemeWords(hypothesis)} says`,
    );
    this.asked++;
    const isAccepted = offer.reception === 'accepted';
    if (isAccepted) this.accepted.push(offer);
    this.search.tell(question, isAccepted);
    return isAccepted;
  }

  async #verdict(): Promise<Verdict> {
    const [scheme] = this.search.left;
    return { scheme, ...(scheme && { headerName: await this.#nameOf(scheme) }) };
  }

  /** Halves the names of headers until the one is left that the endpoint reads. */
  async #nameOf(scheme: Hypothesis): Promise<string | undefined> {
    let names = openNames(scheme.parts);
    while (names.length > 1) {
      const half = names.slice(0, Math.ceil(names.length / 2));
      const offer = await this.#questioner.ask(0, scheme.parts, `under ${half.length} names of headers`, {
        names: half,
      });
      this.asked++;
      names = offer.reception === 'accepted' ? half : names.slice(half.length);
    }
    return names[0];
  }
}
