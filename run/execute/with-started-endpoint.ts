import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Redact } from '../../service/redact.ts';
import type { CompleteReport } from './started-record.ts';
import { withContainer } from './with-container.ts';
import { withStart } from './with-start.ts';

/** Runs with the endpoint that the config starts: its container, its command, or neither. */
export async function withStartedEndpoint<Result>(
  config: ResolvedConfig,
  context: { redact: Redact; report: (line: string) => void },
  run: (config: ResolvedConfig, complete: CompleteReport) => Promise<Result>,
): Promise<Result> {
  const { container, start } = config;
  if (container) return await withContainer({ ...config, container }, context, run);
  if (start) return await withStart({ ...config, start }, context, run);
  return await run(config, async (report) => report);
}
