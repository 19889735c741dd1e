import type { BodyReading } from './body-readings.ts';
import { contentToken, type Facts } from './content-readings.ts';
import type { Hypothesis } from './hypotheses.ts';

/** Example facts: equality of claims does not depend on them. */
export const exampleFacts = (url: string, method: string): Facts => ({ t: 1_767_225_599, id: 'id-1', method, url });

/** Claim of a scheme that cannot process a body and accepts nothing. */
const none = -1;

/**
 * The signature that each hypothesis expects for each body, as numbers: equal numbers mean equal signatures. A delivery
 * signed under one hypothesis is accepted under exactly those with the same number for its body.
 */
export class Claims {
  readonly hypotheses: readonly Hypothesis[];
  readonly bodies: number;
  /** Count of different numbers for each body; they begin with zero. */
  readonly sizes: readonly number[];
  readonly #ids: Int32Array;

  /** Omits hypotheses with the same claims as an earlier one for all bodies. */
  constructor(all: readonly Hypothesis[], bodies: readonly Uint8Array[], facts: Facts) {
    this.bodies = bodies.length;
    const numberings = bodies.map(() => new Map<string, number>());
    const read = reader(bodies);
    const kept: Hypothesis[] = [];
    const rows: number[] = [];
    const seen = new Set<string>();
    for (const hypothesis of all) {
      const { key, content, body, algorithm, encoding, header } = hypothesis.parts;
      const start = [
        `${algorithm.ids.join()} ${algorithm.form ?? ''}`,
        algorithm.keyless === true ? '' : Buffer.from(key.key).toString('latin1'),
        encoding.write(digestLike),
        `${String(header.otherName)} ${header.write(1, '2')}`,
      ].join('|');
      const parts = content.parts(facts);
      const row = read(body).map((token, at) => {
        if (token === undefined) return none;
        // With an empty body the content may equal a content without a body.
        const claim = `${start}|${contentToken(parts, token === 0 ? '' : `\u0001${token}\u0002`)}`;
        return numberIn(numberings[at] as Map<string, number>, claim);
      });
      const identity = row.join();
      if (seen.has(identity)) continue;
      seen.add(identity);
      kept.push(hypothesis);
      rows.push(...row);
    }
    this.hypotheses = kept;
    this.sizes = numberings.map(({ size }) => size);
    this.#ids = Int32Array.from(rows);
  }

  /** The claim of a hypothesis for a body; negative if it accepts nothing. */
  of(hypothesis: number, body: number): number {
    return this.#ids[hypothesis * this.bodies + body] ?? none;
  }
}

/** A digest whose encodings all differ. */
const digestLike = Buffer.from('fbefbe00ff10', 'hex');

function numberIn(numbers: Map<string, number>, text: string): number {
  const known = numbers.get(text);
  if (known !== undefined) return known;
  numbers.set(text, numbers.size);
  return numbers.size - 1;
}

/** Applies readings to all bodies, as numbers that are equal for equal bytes; 0 is an empty body. */
function reader(bodies: readonly Uint8Array[]): (reading: BodyReading) => readonly (number | undefined)[] {
  const texts: Uint8Array[] = [new Uint8Array()];
  const numbers = new Map([['', 0]]);
  const tokenOf = (bytes: Uint8Array): number => {
    const token = numberIn(numbers, Buffer.from(bytes).toString('latin1'));
    texts[token] ??= bytes;
    return token;
  };
  const start = bodies.map(tokenOf);
  // Most readings leave most bodies unchanged, so later results are usually cached.
  const steps = new Map<BodyReading['apply'], Map<number, number | undefined>>();
  const step = (apply: BodyReading['apply'], token: number): number | undefined => {
    const known = steps.get(apply) ?? new Map<number, number | undefined>();
    steps.set(apply, known);
    if (!known.has(token)) {
      const made = apply(texts[token] as Uint8Array);
      known.set(token, made && tokenOf(made));
    }
    return known.get(token);
  };
  const whole = new Map<BodyReading, readonly (number | undefined)[]>();
  const read = (reading: BodyReading): readonly (number | undefined)[] => {
    const known = whole.get(reading);
    if (known) return known;
    const before = reading.after ? read(reading.after) : start;
    const after = before.map((token) => (token === undefined ? undefined : step(reading.apply, token)));
    whole.set(reading, after);
    return after;
  };
  return read;
}
