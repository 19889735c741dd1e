import { readConfigFile } from '../../harness/config/config-file.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Brand } from '../../specs/brand.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/**
 * The brand of a flag, or of the nearest config, of which nothing else is read or needs to be valid.
 *
 * @throws HarnessFault for a brand that cannot be one
 */
export async function configuredBrand(given: string | undefined): Promise<Brand> {
  if (given !== undefined) return await checked(given, '--brand', 'The command line');
  // A config that cannot be read is reported by the commands that need it.
  const found = await readConfigFile(process.cwd()).catch(() => undefined);
  const brand = found && isJsonObject(found.value) ? found.value.brand : undefined;
  return brand === undefined ? Brand.named() : await checked(brand, 'brand', found?.file);
}

async function checked(brand: unknown, key: string, source: string | undefined): Promise<Brand> {
  // Most commands that read a brand only print, and find none.
  const { configProblems } = await import('../../harness/config/config-problems.ts');
  const [problem] = configProblems({ brand });
  if (problem) throw new HarnessFault('config-invalid:problems', { source, problems: [{ ...problem, key }] });
  return Brand.named(brand as string);
}
