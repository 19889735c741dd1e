import { mutants } from '../mutants/every-mutant.ts';
import type { Mutant } from '../mutants/mutant.ts';
import { surfaceOf } from '../../specs/surfaces.ts';
import { mergeSeams, seamsOf } from './merge-seams.ts';
import type { ProofEndpoint } from './proof-endpoints.ts';
import { withBothFaults } from './two-fault-endpoint.ts';

/** Endpoints with two faults at once. */
export const pairCount = 50;

/** Seams that decide whether an invalid delivery is refused, and those that handle a refused one. */
const deciding = ['verify', 'isVerified', 'bearerAccepted', 'callIdOf'];
const refusing = ['refusal', 'early', 'arrived'];

/** The requirement that fails when no callback arrives at the given address. */
const callsBack = 'crm-webhook/calls-back-after-202';
const isOfCallbacks = /^crm-webhook\/.*callback/;

/** Number of partners that are tried for each mutant. */
const partners = 12;
/** The group of pairs whose faults are on different surfaces. */
const twoSurfaces = 'two surfaces';

/** A mutant with the properties that the selection uses. */
interface Candidate {
  mutant: Mutant;
  /** Its surfaces, as one string. */
  surface: string;
  /** The seams that it replaces, as one string: the kind of its fault. */
  kind: string;
}

interface Pair {
  one: Mutant;
  other: Mutant;
  group: string;
  /** Properties that should occur as rarely as possible in the selection. */
  marks: readonly string[];
}

/** Reason why the checks of both requirements cannot detect both faults in one endpoint; `undefined` if they can. */
export function reasonAgainst(one: Mutant, other: Mutant): string | undefined {
  const isEither = (test: (mutant: Mutant, rest: Mutant) => boolean) => test(one, other) || test(other, one);
  if (one.breaks === other.breaks) return 'both break one requirement, so its failure does not show which was found';
  if (isEither(({ mayAlso = [] }, { breaks }) => mayAlso.some(({ id }) => id === breaks))) {
    return 'one also breaks the requirement of the other, so its failure does not show which was found';
  }
  if (isEither(({ stopsTheRest }) => stopsTheRest !== undefined)) return 'with one, nothing else can be judged';
  if (isEither(({ needsTheRest }) => needsTheRest !== undefined)) return 'one shows only among all other checks';
  if (
    isEither(({ mayAlso = [] }, { breaks }) => mayAlso.some(({ id }) => id === callsBack) && isOfCallbacks.test(breaks))
  ) {
    return 'with one, no callback arrives, and the other shows in a callback';
  }
  if (one.brand !== other.brand) return 'a service has one brand';
  if (mergeSeams(one.build(), other.build()) === undefined) return 'both decide the same thing in different ways';
  const replaces = (mutant: Mutant, names: readonly string[]) =>
    seamsOf(mutant.build()).some((seam) => names.includes(seam.split('.')[1] ?? ''));
  if (isEither((mutant, rest) => replaces(mutant, deciding) && replaces(rest, refusing))) {
    return 'what one accepts is not refused, and the other shows where something is refused';
  }
  return undefined;
}

/** Endpoints with two faults: the same in each run, spread over surfaces and kinds of fault. */
export function twoFaultEndpoints(): ProofEndpoint[] {
  return choosePairs(pairCount).map(({ one, other }) => withBothFaults(one, other));
}

/**
 * Chooses pairs in turn for each surface and for two different surfaces. The next one is the possible pair whose kinds
 * of fault, requirements and mutants were chosen least.
 */
function choosePairs(count: number): Pair[] {
  const groups = Map.groupBy(everyPair(), ({ group }) => group);
  const uses = new Map<string, number>();
  const chosen: Pair[] = [];
  while (chosen.length < count && groups.size > 0) {
    for (const [name, group] of groups) {
      const next = chooseRarest(group, uses);
      if (next === undefined) groups.delete(name);
      else if (chosen.length < count) {
        for (const mark of next.marks) uses.set(mark, (uses.get(mark) ?? 0) + 1);
        chosen.push(next);
      }
    }
  }
  return chosen;
}

/** Chooses the possible pair with the fewest uses, the first among equals; the order of a group is fixed. */
function chooseRarest(group: Pair[], uses: ReadonlyMap<string, number>): Pair | undefined {
  while (group.length > 0) {
    let [rarest, fewest] = [0, Infinity];
    for (const [at, { marks }] of group.entries()) {
      let sum = 0;
      for (const mark of marks) sum += uses.get(mark) ?? 0;
      if (sum < fewest) [rarest, fewest] = [at, sum];
    }
    const [pair] = group.splice(rarest, 1);
    if (pair && reasonAgainst(pair.one, pair.other) === undefined) return pair;
  }
  return undefined;
}

/** Pairs each mutant with the next ones in a fixed order that does not depend on the order of the list. */
function everyPair(): Pair[] {
  const candidates = mutants
    .map((mutant): Candidate => ({
      mutant,
      surface: (mutant.surfaces ?? [surfaceOf(mutant.breaks)]).join(' '),
      kind: seamsOf(mutant.build()).join(' '),
    }))
    .sort((a, b) => hash(a.mutant.name) - hash(b.mutant.name));
  const ofOneSurface = [...Map.groupBy(candidates, ({ surface }) => surface).values()];
  const withNext = (list: readonly Candidate[]) =>
    list.flatMap((one, at) => list.slice(at + 1, at + 1 + partners).map((other) => pairOf(one, other)));
  return [...ofOneSurface.flatMap(withNext), ...withNext(candidates).filter(({ group }) => group === twoSurfaces)];
}

function pairOf(one: Candidate, other: Candidate): Pair {
  const each = [one, other].flatMap(({ mutant, kind }) => [`kind ${kind}`, mutant.breaks, `mutant ${mutant.name}`]);
  return {
    one: one.mutant,
    other: other.mutant,
    group: one.surface === other.surface ? one.surface : twoSurfaces,
    marks: [`kinds ${[one.kind, other.kind].sort().join(' and ')}`, ...each],
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
