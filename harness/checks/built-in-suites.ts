/** The test file of a run: it registers all of our suites, because Vitest runs test files one after the other. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
// Vitest accepts the session that all checks share only where no suite is being registered.
import './check-host.ts';
import { registerPhases } from './register-phases.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Our suites of a run, relative to their root. */
    suites: { readonly root: string; readonly files: readonly string[] };
  }
}

const { root, files } = inject('suites');
registerPhases(
  files,
  inject('settings').config,
  (file) => import(/* @vite-ignore */ pathToFileURL(join(root, file)).href),
);
