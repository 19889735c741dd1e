import { bodyReadings, type BodyReading } from './body-readings.ts';
import { callReadings } from './call-readings.ts';
import { callContents, deliveryContents, subject } from './content-readings.ts';
import { algorithmReadings, encodingReadings } from './digest-readings.ts';
import { headerReadings, type HeaderReading } from './header-readings.ts';
import { keyReadings } from './key-readings.ts';
import { standardWebhooks } from './standard-webhooks.ts';
import { describeReading, type Reading, type SchemeId } from './reading.ts';
import { correctParts, type SignatureParts } from './signature-parts.ts';

/** A scheme that an endpoint may implement. */
export interface Hypothesis {
  parts: SignatureParts;
  /** The mistakes, most likely first; empty for the correct scheme. */
  deviations: readonly Reading[];
  /** Ids of all deviations, each once. */
  names: readonly SchemeId[];
  /** Relative likelihood. */
  weight: number;
}

/** The connection for which the hypotheses are made. */
export interface Suspected {
  secret: string;
  oldSecret?: string | undefined;
  /** Calls have an id where deliveries have a body. */
  isCall: boolean;
  url: string;
}

/**
 * Upper bound of the weight of two independent mistakes, so that all but the rarest single mistakes are tried first; they
 * weigh half of it where the product of their chances is `halfTogether`.
 */
const mostTogether = 0.5;
const halfTogether = 0.05;
/** The same for pairs with a changed body: their sum counts if no body distinguishes them. */
const togetherWithBody = 0.5;
/** Weight of mistakes that occur together, copied from the scheme of another service. */
const asElsewhere = 60;
/** Pairs below this weight are omitted: the limit on questions would be reached before them. */
const leastWeight = 0.04;
/** The same for pairs with a changed body: few questions distinguish bodies. */
const leastWeightOfBodies = 0.004;

/** The correct scheme, every known mistake alone, and pairs of them; the most likely of equal ones first. */
export function hypotheses({ secret, oldSecret, isCall, url }: Suspected): Hypothesis[] {
  const right = correctParts(secret);
  const singles: Partial<SignatureParts>[] = [
    ...keyReadings(secret, oldSecret).map((key) => ({ key })),
    ...(isCall ? callContents : deliveryContents).map((content) => ({ content })),
    ...(isCall ? callReadings(url) : bodyReadings).map((body) => ({ body })),
    ...algorithmReadings.map((algorithm) => ({ algorithm })),
    ...encodingReadings.map((encoding) => ({ encoding })),
    ...headerReadings.map((header) => ({ header })),
  ];
  const make = (parts: Partial<SignatureParts>, weight: number, deviations: readonly Reading[]): Hypothesis => ({
    parts: { ...right, ...parts },
    deviations,
    names: [...new Set(deviations.flatMap(({ ids }) => ids))],
    weight,
  });
  const whole = ({ parts, reading }: { parts: Partial<SignatureParts>; reading: Reading }) =>
    make(parts, reading.weight, [reading]);
  const single = (parts: Partial<SignatureParts>) => {
    const reading = Object.values(parts)[0] as Reading;
    return make(parts, reading.weight, [reading]);
  };
  const pairs = singles.flatMap((one, at) =>
    singles.slice(at + 1).flatMap((other) => {
      const [first, second] = [one, other].map((parts) => Object.values(parts)[0] as Reading) as [Reading, Reading];
      const weight = (first.weight * second.weight) / 1000;
      const hasBody = changesBody(one) || changesBody(other);
      const isElsewhere = isOfGitHub(one, other) || isOfGitHub(other, one);
      if (!isElsewhere && weight < (hasBody ? leastWeightOfBodies : leastWeight)) return [];
      const byChance = hasBody ? weight * togetherWithBody : (mostTogether * weight) / (weight + halfTogether);
      const parts = combined(one, other);
      const deviations = [first, second].toSorted((a, b) => b.weight - a.weight);
      return parts === undefined ? [] : [make(parts, isElsewhere ? weight * asElsewhere : byChance, deviations)];
    }),
  );
  const byWeight = (all: Hypothesis[]) => all.toSorted((one, other) => other.weight - one.weight);
  return [
    make({}, 1, []),
    ...byWeight([...singles.map(single), ...(isCall ? [] : standardWebhooks(secret).map(whole))]),
    ...byWeight([...pairs, ...withoutT.map(whole)]),
  ];
}

/** Describes a signature by this hypothesis in the evidence. */
export function describeScheme({ deviations }: Hypothesis): string {
  if (deviations.length === 0) return 'the valid signature';
  return `a signature with the mistake ${deviations.map(describeReading).join(' and ')}`;
}

/** Two deviations at once; `undefined` where they exclude each other. */
function combined(one: Partial<SignatureParts>, other: Partial<SignatureParts>): Partial<SignatureParts> | undefined {
  const bodies = [one.body, other.body].filter((body) => body !== undefined);
  const [first, second] = bodies;
  if (first && second) {
    const body = composed(first, second);
    return body && { body };
  }
  const shared = Object.keys(one).some((axis) => axis in other);
  return shared ? undefined : { ...one, ...other };
}

const stages = ['decoded', 'parsed', 'written', 'replaced'] as const;

function composed(one: BodyReading, other: BodyReading): BodyReading | undefined {
  const [first, second] = [one, other].toSorted((a, b) => stages.indexOf(a.stage) - stages.indexOf(b.stage));
  if (!first || !second || second.stage === 'replaced') return undefined;
  // A body is re-serialised at most once.
  if (first.stage === 'parsed' && second.stage === 'parsed') return undefined;
  if (first.ids[0] === second.ids[0]) return undefined;
  return {
    ids: [...first.ids, ...second.ids],
    weight: 0,
    stage: second.stage,
    after: first,
    apply: second.apply,
  };
}

/** Any body distinguishes a substitute for the body from the body itself. */
function changesBody({ body }: Partial<SignatureParts>): boolean {
  return body !== undefined && body.stage !== 'replaced';
}

/** The body alone, and nothing but the signature in the header. */
function isOfGitHub({ content }: Partial<SignatureParts>, { header }: Partial<SignatureParts>): boolean {
  return content?.ids[0] === 'signature/body-alone' && header !== undefined && !writesT(header);
}

function writesT({ write }: HeaderReading): boolean {
  return write(7, '').includes('7');
}

/** Strings that languages produce for a missing `t`. */
const words = ['undefined.', 'null.', 'None.', '.', 'NaN.', '0.'] as const;

/** The header is split so that no `t` is found, and its absence is not checked. */
const withoutT: readonly { parts: Partial<SignatureParts>; reading: Reading }[] = headerReadings
  .filter((header) => header.otherName !== true && !writesT(header))
  .flatMap((header) =>
    words.map((word) => ({
      parts: { header, content: { ids: [], weight: 0, parts: () => [word, subject] } },
      reading: { ids: header.ids, form: `${header.form ?? ''}, and t is not found`, weight: header.weight / 20 },
    })),
  );
