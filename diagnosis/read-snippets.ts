import type { SnippetTopic } from './cause.ts';
import { frameworks, snippetCode } from './snippet-code.ts';

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
    Object.entries(frameworks).map(async ([name, framework]) => {
      const code = await snippetCode(topic, framework);
      return { framework: name, language: framework.language, code: code.trimEnd() };
    }),
  );
}
