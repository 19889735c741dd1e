import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/**
 * The path of a file from the root of the repository that contains it, with slashes, as code scanning expects it; for a
 * file outside a repository, from the workspace of the GitHub Actions job. `undefined` outside both.
 */
export function pathInRepository(file: string, environment: NodeJS.ProcessEnv): string | undefined {
  const root = repositoryRoot(dirname(file)) ?? environment['GITHUB_WORKSPACE'];
  if (root === undefined || root === '') return undefined;
  const path = relative(root, file);
  if (path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)) return undefined;
  return path.replaceAll(sep, '/');
}

/**
 * The workflow file of the GitHub Actions job from the root of its repository: it names a target that flags name. `undefined`
 * outside GitHub Actions.
 */
export function workflowFile({ GITHUB_WORKFLOW_REF: reference = '' }: NodeJS.ProcessEnv): string | undefined {
  // owner/name/.github/workflows/conformance.yml@refs/heads/main
  return /^[^/]+\/[^/]+\/([^@]+)@/.exec(reference)?.[1];
}

/** The nearest directory with `.git`, which is a file in a linked work tree. */
function repositoryRoot(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  const above = dirname(directory);
  return above === directory ? undefined : repositoryRoot(above);
}
