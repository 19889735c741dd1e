import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { BroadcastChannel, isMainThread } from 'node:worker_threads';

/** How long threads had work, and how much of it they waited for a processor, in milliseconds. */
export interface ProcessorWait {
  activeMs: number;
  waitedMs: number;
}

/** The variable that the command `fleet` sets for its checks, which then report their waits. */
export const reportWaitsVariable = 'SVC_CONFORM_REPORT_WAITS';
/** Between the threads of one process. */
const channelName = 'svc-conform/processor-wait';
/** Milliseconds between two reports. */
const reportEveryMs = 1_000;
/** Microseconds in a millisecond. */
const microseconds = 1_000;

let isReporting = false;

/**
 * Reports the waits of this thread every second, if the process was asked to: to `receive` in the main thread, which also
 * receives those of all others. The first call counts.
 */
export function reportWaits(receive?: (wait: ProcessorWait) => void): void {
  if (isReporting || process.env[reportWaitsVariable] === undefined) return;
  isReporting = true;
  const channel = new BroadcastChannel(channelName);
  channel.unref();
  if (isMainThread) channel.onmessage = ({ data }: { data?: unknown }) => receive?.(data as ProcessorWait);
  let loop: EventLoopUtilization = performance.eventLoopUtilization();
  let cpu = process.threadCpuUsage();
  setInterval(() => {
    const since = performance.eventLoopUtilization(loop);
    const used = process.threadCpuUsage(cpu);
    loop = performance.eventLoopUtilization();
    cpu = process.threadCpuUsage();
    const activeMs = since.active;
    const wait = { activeMs, waitedMs: Math.max(0, activeMs - (used.user + used.system) / microseconds) };
    if (isMainThread) receive?.(wait);
    else channel.postMessage(wait);
  }, reportEveryMs).unref();
}
