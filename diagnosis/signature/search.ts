import type { Claims } from './claims.ts';
import type { Hypothesis } from './hypotheses.ts';

/** The next request: a body, signed according to a hypothesis. */
export interface Question {
  body: number;
  /** Index of the hypothesis whose signature is sent: the most likely of those with the same claim. */
  as: number;
  /**
   * Index of a hypothesis for which the same request has a second signature, in the headers of other names: an endpoint
   * reads only one of the two.
   */
  also?: number;
}

/** Probability of an unknown scheme, which no hypothesis covers. */
const unknownPart = 0.1;
/** The part of the readers of one notation that cannot read a header with several. */
const notUnderstood = 0.4;
/** Difference in bits below which questions count as equally good; then the simpler body is used. */
const notableBits = 1e-6;

/** Keeps the hypotheses that agree with all answers, and chooses the most informative question. */
export class Search {
  readonly #claims: Claims;
  readonly #weights: Float64Array;
  #left: number[];
  readonly #unknown: number;
  /** The weight of each remaining claim, for each body. */
  readonly #sums: readonly Float64Array[];
  /** Bodies over which a signature was accepted. */
  readonly accepted: number[] = [];

  constructor(claims: Claims) {
    this.#claims = claims;
    this.#weights = Float64Array.from(claims.hypotheses, ({ weight }) => weight);
    this.#left = [...claims.hypotheses.keys()].toSorted((one, other) => this.#weight(other) - this.#weight(one));
    this.#unknown = unknownPart * this.#whole();
    this.#sums = claims.sizes.map((size) => new Float64Array(size));
    for (const index of this.#left) this.#add(index, this.#weight(index));
  }

  /** Hypotheses that agree with every answer, most likely first. */
  get left(): Hypothesis[] {
    return this.#left.map((index) => this.#claims.hypotheses[index] as Hypothesis);
  }

  /** Different names among them. */
  get names(): string[] {
    return [...new Set(this.left.map(({ names }) => names.toSorted().join()))];
  }

  /** The correct scheme. */
  get correct(): Hypothesis {
    return this.#claims.hypotheses[0] as Hypothesis;
  }

  /** The hypothesis whose signature a question sends. */
  hypothesis({ as }: Question): Hypothesis {
    return this.#claims.hypotheses[as] as Hypothesis;
  }

  /** The hypothesis of the second signature of a question. */
  second({ also }: Question): Hypothesis | undefined {
    return also === undefined ? undefined : this.#claims.hypotheses[also];
  }

  /** The question whose answer is least certain; `undefined` when no answer adds information. */
  next(): Question | undefined {
    // Once a request was accepted, the scheme is known, or no hypothesis covers it.
    const whole = this.#whole() + (this.accepted.length === 0 ? this.#unknown : 0);
    let best: { body: number; claim: number; bits: number; weight: number } | undefined;
    for (let body = 0; body < this.#claims.bodies; body++) {
      const sums = this.#sums[body] as Float64Array;
      for (let claim = 0; claim < sums.length; claim++) {
        const weight = sums[claim] as number;
        // Less even than the best question so far: skip the calculation.
        if (weight <= rest || (best !== undefined && weight < best.weight && whole - weight > best.weight)) continue;
        const bits = entropy(weight / whole);
        if (bits > (best?.bits ?? 0) + notableBits) best = { body, claim, bits, weight };
      }
    }
    if (best === undefined) return undefined;
    const { body, claim } = best;
    const as = this.#left.find((index) => this.#claims.of(index, body) === claim);
    if (as === undefined) return undefined;
    const also = this.accepted.length === 0 ? this.#withOtherHeaders({ body, as }) : undefined;
    return { body, as, ...(also !== undefined && { also }) };
  }

  /** The most likely hypothesis that reads other headers than this one. */
  #withOtherHeaders({ body, as }: Question): number | undefined {
    if (this.#readsOther(as)) return undefined;
    return this.#left.find((index) => this.#readsOther(index) && this.#claims.of(index, body) >= 0);
  }

  #readsOther(index: number): boolean {
    return this.#claims.hypotheses[index]?.parts.header.otherName === true;
  }

  /**
   * The question that separates the most likely remaining hypothesis from all others, including excluded ones: on the body
   * that the fewest others would accept. A hypothesis is reported only after an acceptance. `undefined` without such a body.
   */
  confirmation(): Question | undefined {
    const [as] = this.#left;
    if (as === undefined) return undefined;
    let best: { body: number; same: number } | undefined;
    for (let body = 0; body < this.#claims.bodies; body++) {
      const claim = this.#claims.of(as, body);
      if (claim < 0 || claim === this.#claims.of(0, body)) continue;
      let same = 0;
      for (const index of this.#claims.hypotheses.keys()) if (this.#claims.of(index, body) === claim) same++;
      if (best === undefined || same < best.same) best = { body, same };
    }
    return best && { body: best.body, as };
  }

  /** The most likely remaining hypothesis, over a body for which no request was accepted yet. */
  another(): Question | undefined {
    const [as] = this.#left;
    if (as === undefined) return undefined;
    const body = Array.from({ length: this.#claims.bodies }, (_, at) => at).find((at) => {
      return !this.accepted.includes(at) && this.#claims.of(as, at) >= 0;
    });
    return body === undefined ? undefined : { body, as };
  }

  /** Whether schemes are left that differ from the correct one only in a notation of the header that can be swept. */
  get hasSwept(): boolean {
    return this.#left.some((index) => this.#isSwept(index));
  }

  /** Updates the hypotheses with the answer to a header in every notation, which not every reader of one understands. */
  updateSwept(isAccepted: boolean): void {
    if (isAccepted) {
      this.#left = this.#left.filter((index) => this.#isSwept(index) || this.#remove(index));
      return;
    }
    for (const index of this.#left.filter((one) => this.#isSwept(one))) {
      this.#remove(index);
      this.#weights[index] = this.#weight(index) * notUnderstood;
      this.#add(index, this.#weight(index));
    }
    this.#left = this.#left.toSorted((one, other) => this.#weight(other) - this.#weight(one));
  }

  #isSwept(index: number): boolean {
    const { deviations, parts } = this.#claims.hypotheses[index] as Hypothesis;
    return deviations.length === 1 && parts.header.isSwept === true;
  }

  #remove(index: number): false {
    this.#add(index, -this.#weight(index));
    return false;
  }

  /** Updates the hypotheses with an answer. */
  update({ body, as, also }: Question, isAccepted: boolean): void {
    const claims = [as, ...(also === undefined ? [] : [also])].map((index) => this.#claims.of(index, body));
    if (isAccepted) this.accepted.push(body);
    this.#left = this.#left.filter((index) => {
      const stays = claims.includes(this.#claims.of(index, body)) === isAccepted;
      return stays || this.#remove(index);
    });
  }

  #weight(index: number): number {
    return this.#weights[index] ?? 0;
  }

  #whole(): number {
    return this.#left.reduce((sum, index) => sum + this.#weight(index), 0);
  }

  #add(index: number, weight: number): void {
    for (let body = 0; body < this.#claims.bodies; body++) {
      const claim = this.#claims.of(index, body);
      const sums = this.#sums[body] as Float64Array;
      if (claim >= 0) sums[claim] = (sums[claim] as number) + weight;
    }
  }
}

/** Weight below which a sum is a rounding error. */
const rest = 1e-9;

function entropy(part: number): number {
  if (part <= 0 || part >= 1 - rest) return 0;
  return -part * Math.log2(part) - (1 - part) * Math.log2(1 - part);
}
