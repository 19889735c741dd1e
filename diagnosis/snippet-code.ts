import { readFile } from 'node:fs/promises';
import { HarnessFault } from '../harness/checks/faults.ts';
import { suggestion } from '../specs/nearest.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { isEndpointSurface, surfaceOf } from '../specs/surfaces.ts';
import type { SnippetTopic } from './cause.ts';
import { probeFor } from './probe-for.ts';
import { selectSnippets } from './select-snippets.ts';

/** A framework that the snippets are written for. */
export interface Framework {
  file: string;
  /** The language as code blocks in Markdown name it. */
  language: string;
  /** Names by which `--code` selects it, in lower case; the first framework of a language has its names. */
  names: readonly string[];
}

/** The frameworks of the snippets, in the order of the page. */
export const frameworks = {
  Express: { file: 'express.js', language: 'js', names: ['express', 'javascript', 'js', 'node', 'typescript', 'ts'] },
  Fastify: { file: 'fastify.js', language: 'js', names: ['fastify'] },
  Flask: { file: 'flask.py', language: 'python', names: ['flask', 'python', 'py'] },
  FastAPI: { file: 'fastapi.py', language: 'python', names: ['fastapi'] },
  PHP: { file: 'php.php', language: 'php', names: ['php'] },
  Spring: { file: 'Spring.java', language: 'java', names: ['spring', 'java', 'kotlin'] },
  'ASP.NET': { file: 'AspNet.cs', language: 'csharp', names: ['aspnet', 'asp.net', 'csharp', 'c#', 'dotnet'] },
  Go: { file: 'main.go', language: 'go', names: ['go', 'golang'] },
} as const satisfies Readonly<Record<string, Framework>>;

/** As its users write it. */
export type FrameworkName = keyof typeof frameworks;

/** Topics that show what a probe of a requirement examines. */
const topicOf: Readonly<Record<ProbeName, SnippetTopic>> = {
  token: 'check-token',
  upgrade: 'verify-call',
  weakness: 'verify-signature',
  signature: 'verify-signature',
  window: 'verify-signature',
  answer: 'answer-json',
  call: 'stream-phone-answers',
  payload: 'accept-any-event',
  dialogue: 'stream-phone-answers',
  timing: 'answer-in-time',
  deduplication: 'deduplicate',
  callback: 'call-back-once',
};

/** Finds a framework by its name or language. Throws `HarnessFault` for one without snippets. */
export function frameworkNamed(name: string): FrameworkName {
  const asked = name.toLowerCase();
  const entries: [string, Framework][] = Object.entries(frameworks);
  const [found] = entries.find(([, { names }]) => names.includes(asked)) ?? [];
  if (found !== undefined) return found as FrameworkName;
  const all = Object.values(frameworks).flatMap(({ names }) => names);
  const known = Object.values(frameworks).flatMap(({ names: [first = ''] }) => first);
  throw new HarnessFault('name-unknown:snippet-language', { name, known, near: suggestion(asked, all) });
}

/** The topics of the code that meets a requirement; none when no snippet shows it. */
export function topicsForRequirement(id: string): SnippetTopic[] {
  const surface = surfaceOf(id);
  const probe = probeFor(id);
  if (probe === undefined || !isEndpointSurface(surface)) return [];
  return [...selectSnippets({ snippet: topicOf[probe], surfaces: [surface] }).keys()];
}

/** The code of one topic. */
export async function snippetCode(topic: SnippetTopic, { file }: Framework): Promise<string> {
  return await readFile(new URL(`snippets/${topic}/${file}`, import.meta.url), 'utf8');
}
