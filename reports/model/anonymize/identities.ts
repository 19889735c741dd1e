import type { StandIns, WordKind } from './stand-ins.ts';
import { vocabulary } from '../../../specs/vocabulary.ts';

/** What one report has in it that could tell somebody, and what stands for it. */
export interface Identities {
  readonly standIns: StandIns;
  /** Words that were seen as a name, in lower case. */
  readonly names: Map<string, WordKind>;
  /** Those of them by which a person is called, who is meant in any letter case. */
  readonly called: Set<string>;
  /** Words that were seen where one of a list is asked for: a wrong one is what the story is about. */
  readonly terms: Set<string>;
  /** Numbers that stay. */
  readonly wellKnown: ReadonlySet<string>;
  /** Texts of svc-conform itself: ids of checks, the revision of the protocol. */
  readonly ours: ReadonlySet<string>;
  /** Times within a year or so of the run stay; older and later ones could be a date of birth. */
  readonly ranAt: number;
}

/** Learns a word that stands where one of a list is asked for, if it is written as such words are. */
export function learnTerm({ terms }: Identities, text: string): void {
  if (text.length > longestTerm || !/^[a-z]+(?:[._-][a-z]+)*$/.test(text)) return;
  for (const [word] of text.matchAll(/[a-z]+/g)) terms.add(word);
}

const longestTerm = 40;

/**
 * Learns the words of a text that stands where a name does, so that they are known as that wherever else they stand.
 * Words that everybody uses are not learned, or a customer called The would be found in every sentence.
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
 * Learns by what words a person is called. What is short or written as no name may be anything that was tried.
 *
 * @param isPerson nothing but a person is named there; otherwise first names are learned only
 */
export function learnCalled({ names, called }: Identities, text: string, isPerson: boolean): void {
  for (const [word] of text.matchAll(/(?<![\p{L}\p{M}])(?:\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,})(?![\p{L}\p{M}])/gu)) {
    const isMeant = isPerson || vocabulary().isFirstName(word);
    if (isMeant && names.get(word.toLowerCase()) === 'person') called.add(word.toLowerCase());
  }
}
