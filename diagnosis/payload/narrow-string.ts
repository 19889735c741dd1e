import type { CauseId } from '../causes.ts';
import type { Found } from '../outcome.ts';
import { nonAscii, nonLatin1, stringTraits, stringWith, unicodeTraits, type StringTrait } from './string-traits.ts';

/** Whether the event is refused with this string at the place under test. */
export type IsRefused = (text: string) => Promise<boolean>;

/** Common length limits of code and databases, in characters: more than {@link plainCharacters}. */
const usualBounds = [
  8, 10, 12, 15, 16, 20, 30, 32, 40, 50, 64, 80, 100, 120, 128, 140, 160, 200, 250, 255, 256, 500, 512, 1000, 1024,
  2000, 2048, 3000, 4000,
];
/** Length of the shortest plain string that is sent, in characters. */
const plainCharacters = 4;
/** Strings that some languages and libraries treat like no value. */
const likeNothing = /^(?:0|false|null|none|nil|undefined|nan)$/i;
/** Most attempts to shorten a string. */
const mostHalvings = 12;

/**
 * Finds what makes a string fail, its length or a trait, by sending plain strings and single traits in its place. Wider and
 * narrower traits are tried before one is named. `undefined` if plain letters are refused as well, so that the string is
 * not the cause.
 *
 * @param known the traits that make the string at an earlier place fail; replaced by those of this one
 * @param longest characters of the longest plain string that was accepted at this place
 */
export async function narrowString(
  text: string,
  place: string,
  isRefused: IsRefused,
  { known = [], longest = 0 }: { known?: StringTrait[]; longest?: number } = {},
): Promise<Found | undefined> {
  const traits = stringTraits.filter(({ test }) => test.test(text));
  const length = [...text].length;
  const isKnown = await isExplained(text, known, isRefused);
  // A plain string of the same length is the control of a plain string as well.
  if (!isKnown && length > longest && (await isRefused('x'.repeat(Math.max(length, plainCharacters))))) {
    const isAnyRefused = await isRefused('x'.repeat(plainCharacters));
    return isAnyRefused ? undefined : await longText(length, place, isRefused);
  }
  const refused = isKnown ? [...known] : await refusedTraits(traits, isRefused);
  known.splice(0, Infinity, ...refused);
  const [found, ...others] = refused;
  if (found) {
    const also =
      others.length === 0 ? '' : ` It fails as well with ${others.map(({ words }) => words).join(', and with ')}.`;
    const ids = new Set(refused.map(({ id }) => id));
    const id = ids.size < severalTraits ? found.id : 'payload/text-value';
    return { id, summary: `The event fails when ${place} is a string with ${found.words}.${also}` };
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > length && (await isRefused('x'.repeat(bytes)))) return await longText(bytes, place, isRefused);
  const smallest = await halved(text, isRefused);
  return {
    id: 'payload/text-value',
    summary: `The event fails when ${place} is ${JSON.stringify(smallest.slice(0, 60))}${codePoints(smallest)}; with plain letters instead it is accepted.`,
    ...(likeNothing.test(smallest) && {
      remediation: `Accept ${JSON.stringify(smallest)} like any other string: test whether the field is present, or the length of the string, not whether your language treats the value as false or empty.`,
    }),
  };
}

/** Finds the limit of the length. Plain strings of {@link plainCharacters} are accepted, and those of `length` refused. */
async function longText(length: number, place: string, isRefused: IsRefused): Promise<Found> {
  const bounds = [plainCharacters, ...usualBounds.filter((bound) => bound < length), length];
  let [accepted, refused] = [0, bounds.length - 1];
  while (refused - accepted > 1) {
    const middle = Math.floor((accepted + refused) / 2);
    if (await isRefused('x'.repeat(bounds[middle] ?? length))) refused = middle;
    else accepted = middle;
  }
  const [most = plainCharacters, tooLong = length] = [bounds[accepted], bounds[refused]];
  const exact = tooLong > most + 1 && (await isRefused('x'.repeat(most + 1)));
  const unit = await unitOf(exact ? most + 1 : tooLong, isRefused);
  const bound =
    exact || tooLong === most + 1
      ? `more than ${most} ${unit}`
      : `more than ${most} ${unit} or a few more (${tooLong} are too many)`;
  return { id: 'payload/long-text', summary: `The event fails when ${place} has ${bound}.` };
}

/** The unit of a limit below `tooLong`: a string with half as many characters reaches it in bytes only. */
async function unitOf(tooLong: number, isRefused: IsRefused): Promise<string> {
  const half = Math.ceil(tooLong / 2);
  const inBytes = await isRefused('\u00e4'.repeat(half));
  return inBytes && !(await isRefused('\u00e4')) ? 'bytes in UTF-8' : 'characters';
}

/** Different classes that fail together, from which the string as a whole is more likely the cause. */
const severalTraits = 3;

/** Whether a string with these traits is refused. */
type AreRefused = (traits: readonly StringTrait[]) => Promise<boolean>;

/** The traits that make a string fail, the widest of a family first; empty if none does alone. */
async function refusedTraits(traits: readonly StringTrait[], isRefused: IsRefused): Promise<StringTrait[]> {
  const refused: StringTrait[] = [];
  /** Those of an accepted string: none of them is refused alone. */
  const harmless = new Set<StringTrait>();
  const areRefused: AreRefused = async (some) => {
    if (some.every((trait) => harmless.has(trait))) return false;
    const isAnyRefused = await isRefused(stringWith(some));
    if (!isAnyRefused) for (const trait of some) harmless.add(trait);
    return isAnyRefused;
  };
  let left = traits;
  let next = traits;
  // The string with all of them is refused already.
  for (let isKnown = traits.length === stringTraits.length; ;) {
    const found = await decisive(next, areRefused, isKnown);
    if (!found && next === left) return refused;
    if (!found) {
      [next, isKnown] = [left, false];
      continue;
    }
    const family: readonly StringTrait[] = unicode.includes(found) ? unicode : [found];
    refused.push(...(family === unicode ? await widestOf(found, areRefused) : [found]));
    left = left.filter(
      (trait) => !harmless.has(trait) && !family.includes(trait) && !refused.some((other) => isPartOf(trait, other)),
    );
    const related = together.has(found.id) ? left.filter(({ id }) => id === found.id) : [];
    isKnown = related.length > 0 && (await areRefused(related));
    next = isKnown ? related : left;
  }
}

/** Causes whose traits are usually refused together: those of one kind are tried before the others. */
const together: ReadonlySet<CauseId> = new Set<CauseId>(['payload/quotes', 'payload/line-ends']);

/** Whether the string has a known trait, each of these makes it fail as well, and all other traits and its length do not. */
async function isExplained(text: string, known: readonly StringTrait[], isRefused: IsRefused): Promise<boolean> {
  if (!known.some(({ test }) => test.test(text))) return false;
  const { accents, scripts } = unicodeTraits;
  for (const trait of known.flatMap((one) => (one === nonAscii ? [accents, scripts] : [one]))) {
    if (!(await isRefused(stringWith([trait])))) return false;
  }
  // A wider class than the known one may be refused here, even if this string has no other character of it.
  const others = stringTraits.filter(
    (trait) =>
      (unicode.includes(trait) || trait.test.test(text)) && !known.some((one) => one === trait || isPartOf(trait, one)),
  );
  return !(await isRefused(stringWith(others).padEnd(text.length, 'x')));
}

const unicode: readonly StringTrait[] = Object.values(unicodeTraits);

/** Whether the piece of a trait has another trait as well, and would fail for that one. */
function isPartOf({ piece }: StringTrait, { test }: StringTrait): boolean {
  return test.test(piece);
}

/** The widest class of characters that contains the refused one, and then the other classes that are refused as well. */
async function widestOf(found: StringTrait, areRefused: AreRefused): Promise<StringTrait[]> {
  const { astral, joined, accents, scripts } = unicodeTraits;
  const isIn = async (trait: StringTrait) => trait === found || (await areRefused([trait]));
  const hasAccents = await isIn(accents);
  if (await isIn(scripts)) return [hasAccents ? nonAscii : nonLatin1];
  const hasAstral = await isIn(astral);
  const widest: StringTrait = found === joined && hasAstral ? astral : found;
  const others = [...(hasAccents ? [accents] : []), ...(hasAstral ? [astral] : [])];
  return [widest, ...others.filter((trait) => trait !== widest)];
}

/** The one trait that makes a string fail; `undefined` if none does alone. */
async function decisive(
  traits: readonly StringTrait[],
  areRefused: AreRefused,
  isKnown: boolean,
): Promise<StringTrait | undefined> {
  const [first] = traits;
  if (!first || !(isKnown || (await areRefused(traits)))) return undefined;
  let left = traits;
  while (left.length > 1) {
    const half = left.slice(0, Math.ceil(left.length / 2));
    left = (await areRefused(half)) ? half : left.slice(half.length);
  }
  // Only the first halves were sent, so the last trait may never have been sent alone.
  return (await areRefused(left)) ? left[0] : undefined;
}

/** Most characters whose code points are listed. */
const mostListed = 3;

/** The code points of a few characters outside ASCII, which a font may not show or may combine with others. */
function codePoints(text: string): string {
  const points = [...text];
  if (points.length > mostListed || !nonAscii.test.test(text)) return '';
  const names = points.map((point) => `U+${(point.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
  return ` (${names.join(' ')})`;
}

async function halved(text: string, isRefused: IsRefused): Promise<string> {
  let points = [...text];
  for (let tries = 0; tries < mostHalvings && points.length > 1; tries++) {
    const middle = Math.ceil(points.length / 2);
    const parts = [points.slice(0, middle), points.slice(middle)];
    let smaller: string[] | undefined;
    for (const part of parts) smaller ??= (await isRefused(part.join(''))) ? part : undefined;
    if (!smaller) break;
    points = smaller;
  }
  return points.join('');
}
