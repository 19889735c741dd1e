import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { withFault, type PlantableFault } from './operators.ts';

/** Directories that are not part of the source, or that the checks do not use. */
const omitted = new Set(['node_modules', 'dist', 'dist.new', '.git', 'coverage', 'conformance-report']);

/** A copy of the source in which faults are planted, so that the working tree is never changed. */
export class TreeCopy implements AsyncDisposable {
  readonly root: string;

  private constructor(root: string) {
    this.root = root;
  }

  /** Copies the tree at `source`. `packages` is the `node_modules` directory whose packages it uses. */
  static async make(source: string, packages: string): Promise<TreeCopy> {
    const root = await mkdtemp(join(tmpdir(), 'svc-conform-mutation-'));
    for (const name of await readdir(source)) {
      if (!omitted.has(basename(name))) await cp(join(source, name), join(root, name), { recursive: true });
    }
    // A separate directory, so that caches of Vitest and Node stay in the copy.
    await mkdir(join(root, 'node_modules'));
    for (const name of await readdir(packages)) {
      if (!name.startsWith('.') || name === '.bin')
        await symlink(join(packages, name), join(root, 'node_modules', name));
    }
    return new TreeCopy(root);
  }

  /** Plants a fault for as long as `work` takes. */
  async with<T>(fault: PlantableFault, work: () => Promise<T>): Promise<T> {
    const file = join(this.root, fault.path);
    const text = await readFile(file, 'utf8');
    if (text.slice(fault.start, fault.end) !== fault.before) throw new Error(`${fault.path} has changed meanwhile.`);
    await writeFile(file, withFault(text, fault));
    try {
      return await work();
    } finally {
      await writeFile(file, text);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}
