import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Other tools that the rows compare us with: installed only when a row asks for them, and never by `npm ci`. */
const tools = {
  autocannon: '9.0.0',
  dredd: '14.1.0',
  'json-schema-faker': '0.6.3',
  newman: '6.2.2',
  '@stepci/runner': '2.0.7',
  '@stoplight/prism-cli': '5.16.0',
} as const;

export type ToolName = keyof typeof tools;

/** Milliseconds for the installation of one tool. */
const installMs = 300_000;
const scratch = fileURLToPath(new URL('../node_modules/.cache/svc-conform-bench/', import.meta.url));

/** An installed tool. */
export interface Tool {
  /** Its name and version. */
  readonly title: string;
  /** The directory of its package. */
  readonly directory: string;
  /** A module with the exports of the tool as `tool`. */
  readonly entry: string;
}

/** Installs a tool into a scratch directory, where later runs find it. Returns the reason if that is impossible. */
export async function installTool(name: ToolName): Promise<Tool | { skipped: string }> {
  const { [name]: version } = tools;
  const place = join(scratch, `${name.replaceAll('/', '+')}@${version}`);
  const directory = join(place, 'node_modules', name);
  const entry = join(place, 'entry.mjs');
  if (!existsSync(directory)) {
    await mkdir(place, { recursive: true });
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--silent'];
    try {
      await promisify(execFile)('npm', ['install', '--prefix', place, ...flags, `${name}@${version}`], {
        cwd: place,
        timeout: installMs,
      });
    } catch (error) {
      return { skipped: `npm cannot install ${name}@${version}: ${(error as Error).message.split('\n', 1)[0]}` };
    }
  }
  // Resolved from there, whether the package is a CommonJS or an ES module.
  await writeFile(entry, `import * as all from '${name}';\nexport const tool = all.default ?? all;\n`);
  return { title: `${name} ${version}`, directory, entry };
}
