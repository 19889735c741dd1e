import type { SnippetTopic } from '../../diagnosis/cause.ts';
import { entriesToFix, findingGroups } from '../../reports/model/finding-groups.ts';
import { sampleKey, type CodeSample, type CodeSamples } from '../../reports/write/html/code-samples.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';

/** The code that fixes the causes of a report, in each framework. Empty when nothing fails. */
export async function codeSamples(report: Report): Promise<CodeSamples> {
  const entries = entriesToFix(findingGroups(report)).filter(({ cause }) => cause !== undefined);
  if (entries.length === 0) return new Map();
  const [{ causes }, { snippetsOf }, { readSnippets }] = await Promise.all([
    import('../../diagnosis/causes.ts'),
    import('../../diagnosis/snippets-of.ts'),
    import('../../diagnosis/read-snippets.ts'),
  ]);
  const topicOf = ({ surface, cause }: (typeof entries)[number]): SnippetTopic | undefined => {
    // A stored report can name a cause of another version.
    if (!cause || !Object.hasOwn(causes, cause.id)) return undefined;
    const topics = snippetsOf(causes[cause.id as keyof typeof causes]);
    return [...topics].find(([, surfaces]) => surfaces.includes(surface as DiagnosedSurface))?.[0];
  };
  const read = new Map<SnippetTopic, Promise<CodeSample[]>>();
  const samples = new Map<string, readonly CodeSample[]>();
  for (const entry of entries) {
    const topic = topicOf(entry);
    if (topic === undefined) continue;
    if (!read.has(topic)) read.set(topic, readSnippets(topic));
    samples.set(sampleKey(entry), (await read.get(topic)) ?? []);
  }
  return samples;
}
