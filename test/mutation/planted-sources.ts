import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plantableFaults } from './operators.ts';
import { withSwitches } from './switches.ts';

/** Files with every fault behind a switch, as JavaScript, in a directory that {@link plant.ts} loads them from. */
export class PlantedSources implements AsyncDisposable {
  readonly #directory: string;
  readonly #root: string;
  /** Relative to the root. */
  readonly paths: readonly string[];

  private constructor(directory: string, root: string, paths: readonly string[]) {
    this.#directory = directory;
    this.#root = root;
    this.paths = paths;
  }

  /** Writes the files below `root` that match these patterns; the tree itself is not changed. */
  static async write(root: string, patterns: readonly string[]): Promise<PlantedSources> {
    const directory = await mkdtemp(join(tmpdir(), 'svc-conform-mutation-'));
    const paths = [...new Set(globSync([...patterns], { cwd: root }))].sort();
    for (const path of paths) {
      const text = await readFile(join(root, path), 'utf8');
      const switched = withSwitches(text, plantableFaults(path.replaceAll(sep, '/'), text));
      const target = join(directory, path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, stripTypeScriptTypes(switched));
    }
    return new PlantedSources(directory, root, paths);
  }

  /** The environment of a Node process that loads them, with this fault in effect from the beginning. */
  environment(fault = ''): NodeJS.ProcessEnv {
    const preload = fileURLToPath(new URL('plant.ts', import.meta.url));
    return {
      ...process.env,
      NODE_OPTIONS: `--import ${JSON.stringify(preload)}`,
      SVC_MUTATION: JSON.stringify({ directory: this.#directory, root: this.#root, fault }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}
