import { readFile } from 'node:fs/promises';
import type { SnippetTopic } from './cause.ts';
import { frameworks } from './snippet-frameworks.ts';

const directory = new URL('./snippets/', import.meta.url);

/** Code for one framework. */
export interface Snippet {
  /** As its users write it: `Express`. */
  readonly framework: string;
  /** Name of the language, as in a fenced code block. */
  readonly language: string;
  readonly code: string;
}

/** The code of a topic in each framework. Throws when a file is missing. */
export async function readSnippets(topic: SnippetTopic): Promise<Snippet[]> {
  return await Promise.all(
    Object.entries(frameworks).map(async ([framework, { file, language }]) => {
      const code = await readFile(new URL(`${topic}/${file}`, directory), 'utf8');
      return { framework, language, code: code.trimEnd() };
    }),
  );
}
