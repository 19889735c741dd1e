import { STATUS_CODES } from 'node:http';
import { problems } from './api-problems.ts';
import { requirements } from './requirements/catalogue.ts';
import { schemas } from './schemas.ts';
import { diagnosisWords } from './diagnosis-words.ts';
import { capitalWords, firstNames, functionWords, technicalWords } from './plain-words.ts';
import { isJsonContainer } from './json-object.ts';

/** Words that are kept: those of the interface, of our own messages and of the web. Any other could be a name. */
export interface Vocabulary {
  /** A word of letters as written; `starts`: a sentence begins with it, so its capital letter means nothing. */
  readonly has: (word: string, starts: boolean) => boolean;
  /** A word of sentences, which is never learned as a name. */
  readonly isFunctionWord: (word: string) => boolean;
  /** A common word that is also a personal name: with a capital letter, it is treated as a name. */
  readonly isFirstName: (word: string) => boolean;
  /** The name of a field of the interface. */
  readonly isField: (name: string) => boolean;
}

let made: Vocabulary | undefined;

/** Made at its first use. */
export function vocabulary(): Vocabulary {
  return (made ??= createVocabulary());
}

function createVocabulary(): Vocabulary {
  const words = new Set<string>();
  const add = (text: string) => {
    for (const [word] of text.matchAll(/\p{L}+/gu)) words.add(word);
    // With digits in them: v1, addressLine2.
    for (const [word] of text.matchAll(/[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu)) words.add(word);
    // Names of fields are words put together.
    for (const [word] of text.matchAll(/\p{Lu}?\p{Ll}+/gu)) words.add(word);
  };
  const addSentences = (text: string) => {
    // With its capital, Mark would be learned from a sentence that begins with it.
    add(text.replaceAll(/(?:^|[.!?:;]\s+)\p{Lu}(?=\p{Ll})/gu, (start) => start.toLowerCase()));
  };
  for (const { section, statement, remediation } of Object.values(requirements)) {
    [section, statement, remediation].forEach(addSentences);
  }
  for (const { detail } of Object.values(problems)) addSentences(detail);
  const fields = new Set<string>();
  for (const schema of Object.values(schemas)) addWords(schema, addSentences, fields);
  for (const phrase of Object.values(STATUS_CODES)) add(phrase ?? '');
  [...Object.keys(problems), ...functionWords, ...capitalWords, ...technicalWords, ...diagnosisWords].forEach(add);
  const functions = new Set(functionWords);
  const inCapitals = (word: string) => word.length > 1 && word === word.toUpperCase();
  const called = new Set(firstNames);
  const isCalled = (word: string) => word !== word.toLowerCase() && called.has(word.toLowerCase());
  return {
    has: (word, starts) =>
      !isCalled(word) && (words.has(word) || ((starts || inCapitals(word)) && words.has(word.toLowerCase()))),
    isFunctionWord: (word) => functions.has(word.toLowerCase()),
    isFirstName: (word) => called.has(word.toLowerCase()),
    isField: (name) => fields.has(name),
  };
}

/** Examples and inserted values could contain names. */
const omitted = new Set(['examples', 'default', 'pattern', '$comment', '$id', '$ref', '$schema']);

function addWords(value: unknown, add: (text: string) => void, fields: Set<string>): void {
  if (typeof value === 'string') add(value);
  if (!isJsonContainer(value)) return;
  for (const [key, part] of Object.entries(value)) {
    if (omitted.has(key)) continue;
    if (!Array.isArray(value)) add(key);
    if (key === 'properties') Object.keys(part as object).forEach((name) => fields.add(name));
    addWords(part, add, fields);
  }
}
