import { isAbsolute, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as BullMq from 'bullmq';

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
  // Its declaration would name types that the package does not export.
  bullmq: {
    major: 6,
    use: 'a fleet with a queue in Redis',
    load: (): Promise<typeof BullMq> => import('bullmq'),
  },
  ioredis: { major: 6, use: 'a fleet with a queue in Redis', load: () => import('ioredis') },
  'pg-boss': { major: 12, use: 'a fleet with a queue in PostgreSQL', load: () => import('pg-boss') },
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

/** Where svc-conform runs: its own file, the working directory, and the environment. */
export interface InstallPlace {
  file: string;
  directory: string;
  environment: NodeJS.ProcessEnv;
}

/**
 * How to install packages next to svc-conform: one command, and what to run then if this svc-conform is not that of the
 * project. No script of them is needed: that of Pact reports the installation to scarf.sh, that of testcontainers
 * compiles native code.
 */
export function installCommand(
  names: readonly OptionalPackage[],
  { file, directory, environment }: InstallPlace = {
    file: fileURLToPath(import.meta.url),
    directory: process.cwd(),
    environment: process.env,
  },
): string {
  const packages = names.map((name) => `${name}@${optionalPackages[name].major}`).join(' ');
  // Set in our Dockerfile.
  if (environment['SVC_CONFORM_IMAGE'] !== undefined) {
    return `docker build -t svc-conform --build-arg PACKAGES=${names.length > 1 ? `"${packages}"` : packages} .`;
  }
  const install = 'npm install --save-dev --ignore-scripts';
  return isOfProject(file, directory)
    ? `${install} ${packages}`
    : `${install} svc-conform ${packages}\nThen run: npx svc-conform`;
}

/** Whether what is installed in a directory can be found from this file, which npx or a global installation may have. */
function isOfProject(file: string, directory: string): boolean {
  const [root = file] = file.split(/[\\/]node_modules[\\/]/, 1);
  return root === file ? isWithin(file, directory) : isWithin(directory, root);
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way.split(/[\\/]/, 1)[0] !== '..' && !isAbsolute(way);
}
