import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CiSystem } from './init-answers.ts';

/** The file or directory that shows that a CI system is in use. */
const signs: readonly (readonly [string, CiSystem])[] = [
  ['.github', 'github'],
  ['.gitlab-ci.yml', 'gitlab'],
  ['Jenkinsfile', 'jenkins'],
];

/** The CI system that is in use in a directory; `undefined` if none is recognised. */
export function detectCi(directory: string): CiSystem | undefined {
  return signs.find(([sign]) => existsSync(join(directory, sign)))?.[1];
}
