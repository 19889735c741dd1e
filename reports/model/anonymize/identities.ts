import type { StandIns, WordKind } from './stand-ins.ts';
import { vocabulary } from '../../../specs/vocabulary.ts';

/** Everything in one report that could identify a person, company or place, with its stand-ins. */
export interface Identities {
  readonly standIns: StandIns;
  /** Words that occurred as a name, in lower case. */
  readonly names: Map<string, WordKind>;
  /** Names of persons, which are replaced in any letter case. */
  readonly called: Set<string>;
  /** Words that occurred as a value of an enumeration: an invalid one may be the reason for a failure, so it is kept. */
  readonly terms: Set<string>;
  /** Numbers that are kept. */
  readonly wellKnown: ReadonlySet<string>;
  /** Strings of svc-conform itself: ids of checks, the revision of the protocol. */
  readonly ours: ReadonlySet<string>;
  /** Times near the run are kept; others could be a date of birth. */
  readonly ranAt: number;
}

/** Learns a word that occurs as a value of an enumeration, if it is written like one. */
export function learnTerm({ terms }: Identities, text: string): void {
  if (text.length > longestTerm || !/^[a-z]+(?:[._-][a-z]+)*$/.test(text)) return;
  for (const [word] of text.matchAll(/[a-z]+/g)) terms.add(word);
}

const longestTerm = 40;

/**
 * Learns the words of a name, so that they are recognised elsewhere. Common words are not learned, or a customer called
 * The would be found in every sentence.
 */
export function learnNames({ names, standIns }: Identities, text: string, kind: WordKind): void {
  const { has, isFirstName, isFunctionWord } = vocabulary();
  for (const [word] of text.matchAll(/\p{L}[\p{L}\p{M}]+/gu)) {
    const isLower = (kind === 'skill' || word === word.toLowerCase()) && !isFirstName(word);
    const isEverybodys = isFunctionWord(word) || (isLower && has(word, true));
    if (isEverybodys || names.has(word.toLowerCase())) continue;
    names.set(word.toLowerCase(), kind);
    standIns.word(word, kind);
  }
}

/**
 * Learns the words of a person's name. Short words and words in mixed case are skipped: they may be test data.
 *
 * @param isPerson the field contains only names of persons; otherwise only first names are learned
 */
export function learnCalled({ names, called }: Identities, text: string, isPerson: boolean): void {
  for (const [word] of text.matchAll(/(?<![\p{L}\p{M}])(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,})(?![\p{L}\p{M}])/gu)) {
    const isMeant = isPerson || vocabulary().isFirstName(word);
    if (isMeant && names.get(word.toLowerCase()) === 'person') called.add(word.toLowerCase());
  }
}
