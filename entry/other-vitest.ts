import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TestRunner } from 'vitest';

interface Copy {
  version: string;
  directory: string;
}

/** Describes in one sentence why checks cannot be registered with the running Vitest; `undefined` if they can. */
export function otherVitest(): string | undefined {
  try {
    // It has a current suite only if it runs the file itself.
    TestRunner.getCurrentSuite();
    return undefined;
  } catch {
    return process.env['VITEST'] === undefined
      ? 'conformance() is called in a test file, which Vitest runs.'
      : describeCopies();
  }
}

function describeCopies(): string {
  const ours = copyFrom(import.meta.url);
  const theirs = copyFrom(join(process.cwd(), 'package.json'));
  const other = theirs && theirs.directory !== ours?.directory ? ` (${theirs.version} in ${theirs.directory})` : '';
  const version = ours?.version ?? 'its own copy';
  return `svc-conform needs the Vitest that it is installed with (${version} in ${ours?.directory}), but this file is run by another copy${other}: make your project depend on vitest@${supportedVersions()} and run npm dedupe, or use npx svc-conform check.`;
}

/** The Vitest versions that svc-conform supports, as an npm range. */
function supportedVersions(): string {
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
