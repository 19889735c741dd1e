import type { SnippetTopic } from '../../diagnosis/cause.ts';
import type { CauseEntry } from '../../reports/model/cause-entries.ts';
import { entriesToFix, findingGroups } from '../../reports/model/finding-groups.ts';
import { sampleKey, type CodeSample, type CodeSamples } from '../../reports/write/html/code-samples.ts';
import { Brand } from '../../specs/brand.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';

/**
 * The code that fixes the causes of a report, or that meets a failed requirement without a known cause, in each framework,
 * first in the one that the answers reveal. Empty when nothing fails.
 */
export async function codeSamples(report: Report): Promise<CodeSamples> {
  const entries = entriesToFix(findingGroups(report)).filter(
    ({ cause, lead }) => cause !== undefined || lead.status !== 'blocked',
  );
  if (entries.length === 0) return new Map();
  const [{ causes }, { frameworksOfSurfaces }, { selectSnippets }, { readSnippets }, { topicsForRequirement }] =
    await Promise.all([
      import('../../diagnosis/causes.ts'),
      import('../../diagnosis/detect-framework.ts'),
      import('../../diagnosis/select-snippets.ts'),
      import('../../diagnosis/read-snippets.ts'),
      import('../../diagnosis/snippet-code.ts'),
    ]);
  const topicOf = ({ surface, cause, lead }: CauseEntry): SnippetTopic | undefined => {
    if (!cause) return topicsForRequirement(lead.finding.requirement.id)[0];
    // A stored report can name a cause of another version.
    if (!Object.hasOwn(causes, cause.id)) return undefined;
    const topics = selectSnippets(causes[cause.id as keyof typeof causes]);
    return [...topics].find(([, surfaces]) => surfaces.includes(surface as DiagnosedSurface))?.[0];
  };
  const frameworks = frameworksOfSurfaces(report);
  const brand = Brand.named(report.brand);
  const branded = (all: readonly CodeSample[]) => all.map((one) => ({ ...one, code: brand.text(one.code) }));
  const read = new Map<SnippetTopic, Promise<CodeSample[]>>();
  const samples = new Map<string, readonly CodeSample[]>();
  for (const entry of entries) {
    const topic = topicOf(entry);
    if (topic === undefined) continue;
    if (!read.has(topic)) read.set(topic, readSnippets(topic).then(branded));
    const own = frameworks.get(entry.surface)?.name;
    const all = (await read.get(topic)) ?? [];
    // The page shows the first one.
    samples.set(
      sampleKey(entry),
      all.toSorted((one, other) => Number(other.framework === own) - Number(one.framework === own)),
    );
  }
  return samples;
}
