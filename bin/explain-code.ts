import { frameworkNamed, snippetCode, topicsForRequirement } from '../diagnosis/snippet-code.ts';
import { snippetsOf } from '../diagnosis/snippets-of.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { write } from '../run/output/terminal.ts';
import type { Brand } from '../specs/brand.ts';
import { isRequirementId } from '../specs/requirements/catalogue.ts';
import { findCause } from './explain-cause.ts';

/**
 * Prints the code that fixes a cause or meets a requirement, with the names of the brand, and nothing else. Throws
 * `HarnessFault` without any.
 */
export async function printCode(id = '', { language, brand }: { language: string; brand: Brand }): Promise<void> {
  const framework = frameworkNamed(language);
  const name = id.split('#', 1)[0] ?? id;
  const cause = isRequirementId(name) ? undefined : await findCause(name);
  const topics = cause ? [...snippetsOf(cause).keys()] : topicsForRequirement(name);
  if (topics.length === 0) throw new HarnessFault('name-unknown:snippet', { id: name });
  const codes = await Promise.all(topics.map((topic) => snippetCode(topic, framework)));
  await write(process.stdout, brand.text(`${codes.map((code) => code.trimEnd()).join('\n\n')}\n`));
}
