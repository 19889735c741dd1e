import { readFileSync } from 'node:fs';

/** The version of the package; package.json is one directory above the sources and two above the built files. */
export function version(): string {
  const up = import.meta.url.endsWith('.ts') ? '../package.json' : '../../package.json';
  return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version;
}
