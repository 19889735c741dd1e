import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TestRunner } from 'vitest';

/** A copy of a package. */
interface Copy {
  version: string;
  directory: string;
}

/** Why checks cannot be registered with the Vitest that runs this file, in one sentence; `undefined` when they can. */
export function otherVitest(): string | undefined {
  try {
    // It knows of a suite only where it runs the file itself.
    TestRunner.getCurrentSuite();
    return undefined;
  } catch {
    return process.env['VITEST'] === undefined
      ? 'conformance() is called in a test file, which Vitest runs.'
      : copiesSentence();
  }
}

function copiesSentence(): string {
  const ours = copyFrom(import.meta.url);
  const theirs = copyFrom(join(process.cwd(), 'package.json'));
  const other = theirs && theirs.directory !== ours?.directory ? ` (${theirs.version} in ${theirs.directory})` : '';
  const version = ours?.version ?? 'of its own';
  return `The checks of svc-conform run in the Vitest that it is installed with (${version} in ${ours?.directory}), and this file is run by another copy${other}: let your project depend on vitest@${fitting()} and run npm dedupe, so that there is one, or judge by npx svc-conform check.`;
}

/** The versions of Vitest that svc-conform takes, as npm writes them. */
function fitting(): string {
  const up = import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json';
  const { dependencies } = JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as {
    dependencies: { vitest: string };
  };
  return dependencies.vitest;
}

function copyFrom(place: string): Copy | undefined {
  try {
    const require = createRequire(place);
    const file = require.resolve('vitest/package.json');
    return { version: (require(file) as { version: string }).version, directory: dirname(file) };
  } catch {
    return undefined;
  }
}
