import { HarnessFault } from '../checks/faults.ts';

/** Open files that a run may need: sockets both ways for each of the checks that run at once, and what is loaded. */
const neededFiles = 256;

/** What to do about an error that this machine's own limits cause, by the code of the system or of Node. */
const advice: Readonly<Record<string, string>> = {
  EMFILE: 'This process has no file handles left: raise its limit (ulimit -n).',
  ENFILE: 'This machine has no file handles left: close other programs, or raise its limit.',
  ENOSPC: 'The disk is full.',
  EDQUOT: "This user's share of the disk is used up.",
  ENOMEM: 'This machine has no memory left.',
  ERR_WORKER_OUT_OF_MEMORY: 'Node has no memory left: raise its limit (--max-old-space-size).',
  ERR_WORKER_INIT_FAILED: 'No thread could be started: raise the limit of threads or memory.',
};

/** The fault of an error that only this machine's own limits caused; `undefined` for any other error. */
export function resourceFault(error: unknown): HarnessFault | undefined {
  if (!(error instanceof Error)) return undefined;
  const { [(error as NodeJS.ErrnoException).code ?? '']: what } = advice;
  if (what === undefined) return undefined;
  return new HarnessFault('out-of-resources', `${what} Node reports: ${error.message}`, { cause: error });
}

/**
 * Throws {@link HarnessFault} `out-of-resources` when this process may open fewer files than a run needs: then
 * connections of the endpoint to us fail without a trace, and a correct endpoint seems not to call back.
 */
export function assertFileHandles(limit: number | undefined = fileLimit()): void {
  if (limit === undefined || limit >= neededFiles) return;
  throw new HarnessFault(
    'out-of-resources',
    `A run needs ${neededFiles} file handles, and this process may open ${limit}: raise its limit (ulimit -n ${neededFiles}).`,
  );
}

/** How many files this process may open; `undefined` where the system sets no such limit. */
function fileLimit(): number | undefined {
  // The interfaces of the network would be looked up, by name servers too.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
