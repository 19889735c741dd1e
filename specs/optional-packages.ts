/** The packages that few commands need; they are optional peer dependencies, each with the major version that we support. */
export const optionalPackages = {
  '@pact-foundation/pact': { major: 17, use: 'Pact contracts', load: () => import('@pact-foundation/pact') },
  '@pactflow/openapi-pact-comparator': {
    major: 2,
    use: 'the comparison of consumer contracts',
    load: () => import('@pactflow/openapi-pact-comparator'),
  },
  '@scalar/fastify-api-reference': {
    major: 1,
    use: 'the API reference page',
    load: () => import('@scalar/fastify-api-reference'),
  },
  testcontainers: { major: 12, use: 'containers', load: () => import('testcontainers') },
} as const satisfies Record<string, { major: number; use: string; load: () => Promise<unknown> }>;

export type OptionalPackage = keyof typeof optionalPackages;

/** The exports of an optional package. */
export type OptionalModule<Name extends OptionalPackage> = Awaited<ReturnType<(typeof optionalPackages)[Name]['load']>>;

/** Whether a package can be found from here; it is not loaded. */
export function isInstalled(name: OptionalPackage): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** Loads an optional package; `undefined` if it is not installed. Rejects if it is installed and cannot be loaded. */
export async function loadOptional<Name extends OptionalPackage>(
  name: Name,
): Promise<OptionalModule<Name> | undefined> {
  return isInstalled(name) ? ((await optionalPackages[name].load()) as OptionalModule<Name>) : undefined;
}

/**
 * The command that installs packages next to svc-conform, which is in the project or in the cache of npx. No script of
 * them is needed: that of Pact reports the installation to scarf.sh, that of testcontainers compiles native code.
 */
export function installCommand(names: readonly OptionalPackage[], place = import.meta.url): string {
  const packages = names.map((name) => `${name}@${optionalPackages[name].major}`);
  const isCached = /[\\/]_npx[\\/]/.test(place);
  return ['npm install --save-dev --ignore-scripts', ...(isCached ? ['svc-conform'] : []), ...packages].join(' ');
}
