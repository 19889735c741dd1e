import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { HarnessFault } from '../harness/checks/faults.ts';
import { copyLimits } from '../harness/wire/traffic-counts.ts';
import { formatJson } from '../reports/text/format-json.ts';
import { makeDirectory } from '../reports/write/make-directory.ts';
import { fleetTargetLine, renderFleetTerminal } from '../reports/write/fleet/render-fleet-terminal.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { readTargets, type ListedTarget, type TargetList } from '../run/config/read-targets.ts';
import { beforeEnd } from '../run/execute/end-on-signals.ts';
import { JsonLines } from '../run/output/json-lines.ts';
import { outputWidth, wantsColour, write, writeNote } from '../run/output/terminal.ts';
import { tryOutDirectory } from '../run/plan/try-out-directory.ts';
import { version } from '../run/version.ts';
import type { FleetEvent, FleetReport, Shard } from '../specs/generated/types.ts';
import { checkTarget } from './check-target.ts';
import type { TargetClaims } from './target-claims.ts';
import { Concurrency } from './concurrency.ts';
import { fleetFiles, writeFleet } from './fleet-files.ts';
import { buildFleetReport, fleetExitCode } from './fleet-report.ts';
import type { Ledger } from './ledger.ts';
import { LocalClaims } from './local-claims.ts';
import { prepareTarget } from './prepare-target.ts';
import { openStore } from './queue/open-store.ts';
import { QueuedClaims } from './queue/queued-claims.ts';
import { runFleet, type FleetParts, type PlannedTarget, type WithoutEntry } from './run-fleet.ts';
import { openLedger } from './sqlite-ledger.ts';

/** The flags of `fleet`. */
export interface FleetFlags {
  out: string;
  /** `2026-10-12`. */
  night?: string;
  shard?: Shard;
  /** Address of the queue of several machines, or `env:NAME`. */
  queue?: string;
  /** `false`: another worker of the queue writes the overview and the reports. */
  overview: boolean;
  /** Checks at the same time, at most. */
  maxConcurrent?: number;
  /** Hours in which checks begin. */
  maxHours: number;
  /** Megabytes of JavaScript memory of a check. */
  memory: number;
  events?: string;
  json?: boolean;
}

/** Checks at the same time by processor, at most: most of the time of a check is waiting. */
const mostByProcessor = 8;
const hourMs = 3_600_000;
/** A night has the date of the noon (UTC) before it. */
const noonMs = 12 * hourMs;

/** Certifies the targets of a file, prints and writes the result, and returns the exit code. Throws {@link HarnessFault}. */
export async function fleetCommand(path: string, flags: FleetFlags): Promise<number> {
  const { events, json = false, shard, queue, overview } = flags;
  if (json && events === '-') throw new HarnessFault('flags-conflict:json-events');
  if (queue !== undefined && shard) throw new HarnessFault('flags-conflict:queue-shard');
  if (queue === undefined && !overview) throw new HarnessFault('flags-conflict:overview-queue');
  const stop = new AbortController();
  const over = Promise.withResolvers<undefined>();
  using _end = beforeEnd(async () => {
    stop.abort();
    await over.promise;
  });
  try {
    return await certifyTargets(path, flags, stop.signal);
  } finally {
    over.resolve(undefined);
  }
}

async function certifyTargets(path: string, flags: FleetFlags, signal: AbortSignal): Promise<number> {
  const { events, json = false, shard, queue, maxHours } = flags;
  const out = flags.overview ? flags.out : undefined;
  await using store = queue === undefined ? undefined : await openStore(queue);
  const list = await readTargets(path);
  const targets = list.targets.filter(({ id }) => isInShard(id, shard));
  const startedAt = new Date();
  const night = flags.night ?? new Date(startedAt.getTime() - noonMs).toISOString().slice(0, 10);
  if (out !== undefined) {
    await tryOutDirectory(out);
    makeDirectory(out);
  }
  using ledger = await openLedger(out === undefined ? ':memory:' : join(out, fleetFiles.ledger));
  const work = await mkdtemp(join(tmpdir(), 'svc-conform-fleet-'));
  await using _work = { [Symbol.asyncDispose]: () => rm(work, { recursive: true, force: true }) };
  const fleet = { night, ledger, targets: targets.map(({ id }) => id) };
  const claims: TargetClaims = store
    ? new QueuedClaims(store, { ...fleet, work, out })
    : new LocalClaims({ ...fleet, out: flags.out });
  if (!store) await claims.collect();
  using log = events === undefined ? undefined : JsonLines.open(events);
  const emit: FleetParts['emit'] = ({ event, ...rest }) => log?.write({ event, at: new Date().toISOString(), ...rest });
  try {
    const finished = new Set(await claims.finished());
    const open = targets.filter(({ id }) => !finished.has(id));
    const complete = targets.length - open.length;
    emit({ event: 'fleet-started', night, targets: targets.length, complete });
    announce(targets, { night, complete, shard });
    const { usable, without } = await sortOut(list, open);
    const parts = partsOf(list, path, flags, claims, { emit, work, total: targets.length, complete });
    const beginUntil = startedAt.getTime() + maxHours * hourMs;
    const left = await runFleet({ targets: usable, night, beginUntil, signal }, parts);
    await claims.collect();
    const report = buildFleetReport(ledger, {
      version: version(),
      night,
      shard,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      targets: targets.map(({ id }) => id),
      without: new Map([...without, ...left]),
    });
    const exitCode = await showFleet(report, ledger, { out, json, isOnStderr: events === '-' });
    const { verdict, summary } = report;
    if (signal.aborted) emit({ event: 'fleet-stopped', reason: 'A signal stopped the command.' });
    else {
      const written = out !== undefined && { report: join(out, fleetFiles.json) };
      emit({ event: 'fleet-finished', verdict, summary, exitCode, ...written });
    }
    return exitCode;
  } catch (error) {
    emit({ event: 'fleet-stopped', reason: (error as Error).message });
    throw error;
  }
}

/** Prints the report of a fleet, writes it if there is a directory for it, and returns its exit code. */
export async function showFleet(
  report: FleetReport,
  ledger: Ledger,
  { out, json, isOnStderr = false }: { out: string | undefined; json: boolean; isOnStderr?: boolean },
): Promise<0 | 1 | 2 | 3> {
  const places = out === undefined ? [] : await writeFleet(out, report);
  const stream = isOnStderr ? process.stderr : process.stdout;
  const shown = { paint: createPaint(wantsColour(stream)), width: outputWidth(stream) };
  const text = json ? formatJson(report, 2) : `\n${renderFleetTerminal(report, shown)}`;
  await write(stream, text, { notation: json ? 'json' : 'plain' });
  for (const place of places) writeNote(place);
  const ids = new Set(report.targets.map(({ id }) => id));
  const codes = ledger.entries(report.night).flatMap(({ target, result }) => {
    return ids.has(target) && result?.state === 'complete' ? [result.exitCode] : [];
  });
  return fleetExitCode(report, codes);
}

/** Whether a target belongs to a shard, by its id alone. */
export function isInShard(id: string, shard: Shard | undefined): boolean {
  if (!shard) return true;
  return createHash('sha256').update(id).digest().readUInt32BE() % shard.of === shard.index - 1;
}

function announce(
  targets: readonly ListedTarget[],
  { night, complete, shard }: { night: string; complete: number; shard: Shard | undefined },
): void {
  const part = shard ? ` of shard ${shard.index}/${shard.of}` : '';
  const done = complete === 0 ? '' : `, ${complete} of them already checked`;
  writeNote(`Night of ${night}: ${targets.length} targets${part}${done}.`);
}

/** Separates the targets whose config and secrets can be used, before anything is sent. */
async function sortOut(
  list: TargetList,
  targets: readonly ListedTarget[],
): Promise<{ usable: PlannedTarget[]; without: Map<string, WithoutEntry> }> {
  const usable: PlannedTarget[] = [];
  const without = new Map<string, WithoutEntry>();
  for (const target of targets) {
    try {
      const { service, limits } = (await prepareTarget(list, target, process.env)).config;
      usable.push({
        ...target,
        limits: limits ? copyLimits(limits).limits : {},
        port: service.port === 0 ? undefined : service.port,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      without.set(target.id, { state: 'unusable', reason });
      writeNote(reason);
    }
  }
  return { usable, without };
}

function partsOf(
  list: TargetList,
  path: string,
  { memory, maxConcurrent }: FleetFlags,
  claims: TargetClaims,
  { emit, work, total, complete }: { emit: FleetParts['emit']; work: string; total: number; complete: number },
): FleetParts {
  const processors = availableParallelism();
  const most = maxConcurrent ?? processors * mostByProcessor;
  const style = { paint: createPaint(wantsColour(process.stderr)), width: outputWidth(process.stderr) };
  let finished = complete;
  const show = (event: Extract<FleetEvent, { event: 'target-finished' }>) => {
    const { target: id, verdict, durationMs, reason, state } = event;
    if (state === 'complete' || state === 'failed') finished += 1;
    const line = fleetTargetLine(
      { id, state: state === 'complete' ? state : 'failed', verdict, durationMs, reason },
      style,
    );
    writeNote(`${finished}/${total} ${line}`);
  };
  return {
    claims,
    concurrency: new Concurrency({ processors, most, now: Date.now() }),
    check: async (target, claim, running) => {
      const prepared = await prepareTarget(list, target, process.env);
      const place = { list: path, out: claims.place(claim), sent: claim.sent };
      return await checkTarget(prepared, {
        ...place,
        memoryMb: memory,
        compileCache: join(work, 'compiled'),
        ...running,
      });
    },
    emit: (event) => {
      emit(event);
      if (event.event === 'target-finished') show({ ...event, at: '' });
    },
    now: () => Date.now(),
  };
}
