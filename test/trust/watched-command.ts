import { appendFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { runCommand, type Ended } from '../bin/run-command.ts';
import { EffectWatch } from './watch-effects.ts';

/** Names the file to which a watched process writes its effects. */
const placeVariable = 'EFFECTS_OF_TEST';

/** Runs `svc-conform` in a process whose workers are watched, too, like the test itself. */
export async function watchedCommand(
  args: readonly string[],
  { cwd, env, place }: { cwd: string; env: NodeJS.ProcessEnv; place: string },
): Promise<Ended & { effects: string[] }> {
  await rm(place, { force: true });
  const nodeArgs = ['--import', fileURLToPath(import.meta.url)];
  const ended = await runCommand(args, { cwd, env: { ...env, [placeVariable]: place }, nodeArgs });
  const [first, ...effects] = (await readFile(place, 'utf8').catch(() => '')).trimEnd().split('\n');
  if (first !== watching)
    throw new Error(`${args.join(' ')}: expected a process that is watched, received another one`);
  return { ...ended, effects };
}

/** Written first, so that an unwatched process is detected. */
const watching = 'watching';
const { [placeVariable]: place } = process.env;
// Loaded before the program: in the process itself and in its workers.
if (place !== undefined) {
  if (isMainThread) appendFileSync(place, `${watching}\n`);
  const watch = await EffectWatch.open((effect) => appendFileSync(place, `${effect}\n`));
  watch.unref();
}
