import { ciFile } from '../run/init/ci-file.ts';
import { usualVariables, type CiSystem } from '../run/init/init-answers.ts';
import { version } from '../run/version.ts';
import { endpointSurfaces } from '../specs/surfaces.ts';

/** The CI files that `init` writes for a Node project whose endpoints run in the job, by their path in examples/. */
export const exampleCiFiles: Readonly<Record<string, () => string>> = {
  'examples/ci/github-actions.yml': () => textOf('github'),
  'examples/ci/gitlab-ci.yml': () => textOf('gitlab'),
  'examples/ci/Jenkinsfile': () => textOf('jenkins'),
};

function textOf(system: CiSystem): string {
  const endpoints = Object.fromEntries(
    endpointSurfaces.map((surface) => [surface, { url: 'http://127.0.0.1:8080/', variable: usualVariables[surface] }]),
  );
  return ciFile(system, { endpoints }, { version: version(), hasLockFile: true }).text;
}
