import { endpointOf, hostAndPort } from '../harness/wire/host-and-port.ts';
import { Routes } from '../harness/wire/routes.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { configKeyOf, endpointSurfaces } from '../specs/surfaces.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { writeNote } from '../run/output/terminal.ts';
import type { RunOptions } from '../run/run-input.ts';
import type { FinishedRun } from '../run/run-pipeline.ts';
import { untilAnswerChanges } from '../run/watch/until-answer-changes.ts';
import { untilReturned } from '../run/watch/until-returned.ts';
import { isDue, watchChoice } from '../run/watch/watch-choice.ts';

/** The options that a watched run cannot have. */
export interface WatchedOptions extends RunOptions {
  events?: string;
  image?: string;
  start?: string;
}

/**
 * Throws `HarnessFault` for options and configs that `--watch` excludes, before anything is sent.
 *
 * @param isTerminal whether Enter can be pressed
 */
export function assertWatchable(options: WatchedOptions, config: ResolvedConfig, isTerminal: boolean): void {
  const { certificate, shard, path, events, surface } = options;
  const { container, start } = config;
  const given = {
    '--certificate': certificate,
    '--shard': shard,
    '--path': path,
    '--events': events,
    '--image': container,
    '--start': start,
  };
  const flag = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  if (flag !== undefined) throw new HarnessFault('flags-conflict:watch', { flag });
  const addresses = addressesOf(config, surface.length === 0 ? endpointSurfaces : surface);
  if (addresses.length === 0) throw new HarnessFault('flags-conflict:watch-address');
  const isProxied = addresses.some((url) => Routes.of(config).to(url).proxy !== undefined);
  if (isProxied && !isTerminal) throw new HarnessFault('flags-conflict:watch-proxy');
}

interface Watching {
  first: FinishedRun;
  config: ResolvedConfig;
  /** Runs these checks, or everything. */
  rerun: (only: string[]) => Promise<FinishedRun>;
}

/**
 * Re-runs what failed whenever the endpoint has come back or answers differently, or Enter is pressed. Never resolves: a
 * signal ends it.
 */
export async function watch({ first, config, rerun }: Watching): Promise<never> {
  const routes = Routes.of(config);
  // A proxy accepts connections while the endpoint restarts.
  const direct = addressesOf(config, Object.keys(first.report.target)).filter((url) => !routes.to(url).proxy);
  const places = [...new Map(direct.map((url) => [hostAndPort(url), endpointOf(url)])).values()];
  const isTerminal = process.stdin.isTTY;
  let whole = first.report;
  let latest = first.report;
  for (;;) {
    const { only, isFixed } = watchChoice(whole, latest);
    if (isFixed) writeNote(describeFixed(latest === whole));
    if (isDue(whole, latest)) {
      writeNote('What failed passes now; running everything.');
    } else {
      const what = only.length === 0 ? 'everything' : `${only.length} ${only.length === 1 ? 'check' : 'checks'}`;
      const orEnter = isTerminal ? ', or press Enter' : '';
      writeNote(`Waiting: change or restart the endpoint to re-run ${what}${orEnter}. Ctrl-C ends this.`);
      await untilChanged(isTerminal, (signal) => [
        untilReturned(places, signal),
        untilAnswerChanges(latest, config, signal),
      ]);
    }
    ({ report: latest } = await rerun(only));
    if (only.length === 0) whole = latest;
  }
}

/** The addresses of these surfaces, as far as they have one. */
function addressesOf(config: ResolvedConfig, surfaces: readonly string[]): string[] {
  return endpointSurfaces.flatMap((surface) => {
    const { [configKeyOf(surface)]: endpoint } = config;
    return endpoint && surfaces.includes(surface) ? [endpoint.url] : [];
  });
}

function describeFixed(isWhole: boolean): string {
  return isWhole
    ? 'Nothing failed.'
    : 'Everything that failed passes now. Run svc-conform check without --watch for the verdict on everything.';
}

/** Waits for Enter or the first of these waits, and until the others have ended, which they do as soon as the signal aborts. */
async function untilChanged(isTerminal: boolean, waits: (signal: AbortSignal) => Promise<void>[]): Promise<void> {
  const over = new AbortController();
  const entered = Promise.withResolvers<void>();
  const enter = () => entered.resolve();
  if (isTerminal) process.stdin.once('data', enter).resume();
  const waiting = waits(over.signal);
  try {
    await Promise.race([...waiting, entered.promise]);
  } finally {
    over.abort();
    // A request under way occupies the port that the next run may need.
    await Promise.allSettled(waiting);
    if (isTerminal) process.stdin.off('data', enter).pause();
  }
}
