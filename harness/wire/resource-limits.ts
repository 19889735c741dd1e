import { HarnessFault } from '../checks/faults.ts';

/** Open files that a run may need: sockets in both directions for each concurrent check, and loaded modules. */
const neededFiles = 256;

/** Remedies for errors caused by limits of this machine, by error code. */
const advice: Readonly<Record<string, string>> = {
  EMFILE: 'This process has no file handles left: raise its limit (ulimit -n).',
  ENFILE: 'This machine has no file handles left: close other programs, or raise its limit.',
  ENOSPC: 'The disk is full.',
  EDQUOT: "This user's disk quota is exhausted.",
  ENOMEM: 'This machine is out of memory.',
  ERR_WORKER_OUT_OF_MEMORY: 'Node is out of memory: raise its limit (--max-old-space-size).',
  ERR_WORKER_INIT_FAILED: 'No thread could be started: raise the thread or memory limit.',
};

/** The fault for an error caused by limits of this machine; `undefined` for any other error. */
export function resourceFault(error: unknown): HarnessFault | undefined {
  if (!(error instanceof Error)) return undefined;
  // Node's loader reports its own code where it cannot read a package.json.
  const code = /too many open files/.test(error.message) ? 'EMFILE' : (error as NodeJS.ErrnoException).code;
  const { [code ?? '']: what } = advice;
  if (what === undefined) return undefined;
  return new HarnessFault('out-of-resources:error', { advice: what, reason: error.message }, { cause: error });
}

/**
 * Throws {@link HarnessFault} `out-of-resources` when the limit of open files is too low: otherwise connections from
 * the endpoint would fail without a trace, and a correct endpoint would appear not to call back.
 */
export function assertFileHandles(limit: number | undefined = fileLimit()): void {
  if (limit === undefined || limit >= neededFiles) return;
  throw new HarnessFault('out-of-resources:files', { needed: neededFiles, limit });
}

/** The limit of open files, read once, since the report that contains it is expensive. */
let known: { limit: number | undefined } | undefined;

/** The limit of open files; `undefined` where the system has none. */
function fileLimit(): number | undefined {
  return (known ??= { limit: readFileLimit() }).limit;
}

function readFileLimit(): number | undefined {
  // Otherwise the report resolves the names of network interfaces.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === 'number' ? soft : undefined;
}
