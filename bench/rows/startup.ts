import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Row } from '../row.ts';

const program = fileURLToPath(new URL('../../bin/svc-conform.js', import.meta.url));

/** Commands that only print, with their exit codes. */
const commands = {
  help: { args: ['--help'], code: 0 },
  explain: { args: ['explain', 'own-ai-chat/refuses-stale-timestamp'], code: 0 },
  'config-error': { args: ['check'], code: 2 },
};

export const rows: readonly Row[] = Object.entries(commands).map(([name, { args, code }]) => ({
  name: `startup-${name}`,
  what: `svc-conform ${args.join(' ')}${code === 0 ? '' : ' with an error in the config'}`,
  unit: 'ms',
  better: 'less',
  rounds: 15,
  run: async (compare) => {
    const directory = await mkdtemp(join(tmpdir(), 'svc-conform-bench-'));
    await writeFile(join(directory, 'svc-conform.config.json'), '{ "crmWebhok": { "url": "http://127.0.0.1:1/" } }');
    await compare(
      () => timeOf([program, ...args], code, directory),
      [{ name: 'node -e 0', goal: { more: 100 }, measure: () => timeOf(['-e', '0'], 0, directory) }],
    );
    await rm(directory, { recursive: true });
  },
}));

/** Milliseconds from the start of a Node process until it has ended with this exit code. */
async function timeOf(args: readonly string[], expected: number, cwd: string): Promise<number> {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  const from = performance.now();
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== expected) throw new Error(`expected exit code ${expected}, received ${code}`);
  return performance.now() - from;
}
