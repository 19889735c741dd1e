import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Redact } from '../../service/redact.ts';
import type { CompleteReport } from './started-record.ts';

/** Runs with the endpoint that the config starts: its container, its command, or neither. */
export async function withStartedEndpoint<Result>(
  config: ResolvedConfig,
  context: { redact: Redact; report: (line: string) => void },
  run: (config: ResolvedConfig, complete: CompleteReport) => Promise<Result>,
): Promise<Result> {
  const { container, start } = config;
  // Loaded only then: most runs start nothing, and it takes a quarter of a second.
  if (container) {
    const { withContainer } = await import('./with-container.ts');
    return await withContainer({ ...config, container }, context, run);
  }
  if (start) {
    const { withStart } = await import('./with-start.ts');
    return await withStart({ ...config, start }, context, run);
  }
  return await run(config, async (report) => report);
}
