import { isMainThread } from 'node:worker_threads';

// Loaded before a program: the process tells at its end how much memory it has had at the most.
if (isMainThread) {
  process.on('exit', () => process.stderr.write(`\npeak memory: ${process.resourceUsage().maxRSS} KiB\n`));
}
