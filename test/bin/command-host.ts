/**
 * A process that runs one command line of `svc-conform` after another, as `bin/svc-conform.js` runs one: for tests of
 * what a command prints, writes and returns. What only a process has, such as signals, is tested with one for each.
 *
 * Runs do not start Vitest, which takes longer than most of their checks: see `hosted-engine.ts`.
 */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import type * as Program from '../../bin/main.ts';

export interface HostedCommand {
  args: readonly string[];
  cwd: string;
  /** The whole environment. */
  env: NodeJS.ProcessEnv;
}

export interface HostedResult {
  code: number;
  stdout: string;
  stderr: string;
}

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', root);
const built = new URL('bin/main.js', dist);

const builtEngine = new URL('harness/checks/engine.js', dist).href;
const ourEngine = new URL('hosted-engine.ts', import.meta.url).href;
const standInVitest = new URL('../proving/stand-in-vitest.ts', import.meta.url).href;

/** What is built instead of its source, so that this process has each module once. */
function asBuilt(url: string): string {
  if (!url.startsWith(root.href) || !url.endsWith('.ts')) return url;
  const file = new URL(url.slice(root.href.length).replace(/\.ts$/, '.js'), dist);
  return existsSync(file) ? file.href : url;
}

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === 'vitest') return { url: standInVitest, shortCircuit: true };
    const resolved = next(specifier, context);
    const url = asBuilt(resolved.url);
    if (url === builtEngine && context.parentURL !== ourEngine) return next(ourEngine, context);
    return url === resolved.url ? resolved : next(url, context);
  },
});

/** Collects what is written to a stream from now on. */
function captured(stream: NodeJS.WriteStream): { take: () => string } {
  let pieces: Buffer[] = [];
  stream.write = (piece: string | Uint8Array, ...rest: unknown[]) => {
    pieces.push(Buffer.from(piece));
    const done = rest.find((one) => typeof one === 'function');
    if (done) process.nextTick(done);
    return true;
  };
  return {
    take: () => {
      const text = Buffer.concat(pieces).toString('utf8');
      pieces = [];
      return text;
    },
  };
}

async function run({ args, cwd, env }: HostedCommand): Promise<HostedResult> {
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const { runProgram } = (await import(built.href)) as typeof Program;
  const code = await runProgram(args);
  // Output of another thread arrives in a later turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  return { code, stdout: stdout.take(), stderr: stderr.take() };
}

process.argv[1] = fileURLToPath(new URL('../../bin/svc-conform.js', import.meta.url));
const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)];
process.on('message', (command: HostedCommand) => {
  void run(command).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      setImmediate(() => {
        throw error;
      });
    },
  );
});
// As in the engine: work that a limit cut off may end while nothing waits for it. Any other rejection ends this process.
process.on('unhandledRejection', (error) => {
  if (!isCutOffCode((error as { code?: string } | undefined)?.code)) throw error;
});
process.on('disconnect', () => process.exit());
