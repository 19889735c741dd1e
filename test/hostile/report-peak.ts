import { isMainThread } from 'node:worker_threads';

// Loaded before a program: at its end the process prints its peak memory use.
if (isMainThread) {
  process.on('exit', () => process.stderr.write(`\npeak memory: ${process.resourceUsage().maxRSS} KiB\n`));
}
