import { frameworkNamed, frameworks, snippetCode, topicsForRequirement } from '../diagnosis/snippet-code.ts';
import { selectSnippets } from '../diagnosis/select-snippets.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { write } from '../run/output/terminal.ts';
import type { Brand } from '../specs/brand.ts';
import { faults } from '../specs/faults/fault-table.ts';
import { isRequirementId } from '../specs/requirements/catalogue.ts';
import { findCause } from './explain-cause.ts';
import { unknownId } from './unknown-id.ts';

/**
 * Prints the code that fixes a cause or meets a requirement, with the names of the brand, and nothing else. Throws
 * `HarnessFault` without an id, or any code for it.
 */
export async function printCode(id: string | undefined, language: string, brand: Brand): Promise<void> {
  const framework = frameworks[frameworkNamed(language)];
  if (id === undefined) throw new HarnessFault('flag-missing:explained');
  const name = id.split('#', 1)[0] ?? id;
  const cause = isRequirementId(name) ? undefined : await findCause(name);
  if (!isRequirementId(name) && !cause && !Object.hasOwn(faults, name)) throw unknownId(id);
  const topics = cause ? [...selectSnippets(cause).keys()] : topicsForRequirement(name);
  if (topics.length === 0) throw new HarnessFault('name-unknown:snippet', { id: name });
  const codes = await Promise.all(topics.map((topic) => snippetCode(topic, framework)));
  await write(process.stdout, `${codes.map((code) => brand.text(code).trimEnd()).join('\n\n')}\n`);
}
