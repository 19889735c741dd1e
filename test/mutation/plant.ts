/** Loaded before a program: loads the sources with switches, see `planted-sources.ts`. */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isPlanted, readPlanted } from './planted-fault.ts';

Object.assign(globalThis, { isPlanted });

registerHooks({
  load(url, context, next) {
    const source = url.startsWith('file:') ? readPlanted(fileURLToPath(url)) : undefined;
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
