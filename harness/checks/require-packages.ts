import {
  installCommand,
  isInstalled,
  loadOptional,
  optionalPackages,
  type OptionalModule,
  type OptionalPackage,
} from '../../specs/optional-packages.ts';
import { HarnessFault } from './faults.ts';

/**
 * Asserts that optional packages are installed, so that a command without them ends before it does anything else. Loads
 * none of them, since loading Pact takes a second.
 *
 * @throws HarnessFault `package-missing` with one command that installs all that are missing
 */
export function requirePackages(...names: readonly OptionalPackage[]): void {
  const missing = names.filter((name) => !isInstalled(name));
  if (missing.length === 0) return;
  const uses = missing.map((name) => optionalPackages[name].use);
  throw new HarnessFault('package-missing', { names: missing, uses, command: installCommand(missing) });
}

/**
 * Loads an optional package.
 *
 * @throws HarnessFault `package-missing` if it is not installed, `engine-failed` if it does not run on this system
 */
export async function requirePackage<Name extends OptionalPackage>(name: Name): Promise<OptionalModule<Name>> {
  requirePackages(name);
  try {
    return (await loadOptional(name)) as OptionalModule<Name>;
  } catch (error) {
    const { platform, arch } = process;
    const reason = (error as Error).message;
    throw new HarnessFault('engine-failed:package-not-loaded', { name, platform, arch, reason }, { cause: error });
  }
}
