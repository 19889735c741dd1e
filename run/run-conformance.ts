import { assertFileHandles } from '../harness/wire/resource-limits.ts';
import type { Report } from '../specs/generated/types.ts';
import { publishToBroker } from './execute/contract-run.ts';
import { withTunnel, withUsedTunnel } from './execute/with-tunnel.ts';
import { withStartedEndpoint } from './execute/with-started-endpoint.ts';
import { incompleteExitCode } from './exit-code.ts';
import { claimDirectory } from './plan/claim-directory.ts';
import { planRun } from './plan/plan-run.ts';
import { tryServiceAddress } from './plan/try-service-address.ts';
import type { RunContext } from './run-context.ts';
import type { RunInput } from './run-input.ts';
import { runPipeline, type FinishedRun } from './run-pipeline.ts';
import type { RunPlan } from './run-plan.ts';
import type { RunOutput } from './run-step.ts';

/**
 * Certifies the endpoints of a config: plans the run, starts the container or the command of the config if it has one, runs the plan and
 * publishes the report.
 *
 * @throws HarnessFault for an input that cannot be used, before anything is sent
 */
export async function runConformance(input: RunInput, output: RunOutput): Promise<FinishedRun> {
  const { context, plan, hasContracts } = await planRun(input, output);
  const { config } = context.settings;
  const { note } = context.output;
  assertFileHandles();
  // A tunnel is tested when it has started.
  const asked = withUsedTunnel(config.service, plan.selected.surfaces);
  const isTested = config.container === undefined && asked.tunnel === undefined;
  if (isTested) await tryServiceAddress(config, plan.selected.surfaces);
  const progress = { redact: context.redact, report: note };
  return await runPlan(context, plan, async (run) =>
    withTunnel(asked, progress, async (service, assertOpen) =>
      withStartedEndpoint({ ...config, service }, progress, async (placed, complete) => {
        const placedContext = { ...context, settings: { ...context.settings, config: placed } };
        const finished = await run(placedContext, async (report) => {
          await assertOpen();
          return await complete(report);
        });
        if (!hasContracts || (await publishToBroker(placedContext, plan.selected, finished.report))) return finished;
        return { ...finished, exitCode: finished.exitCode || incompleteExitCode };
      }),
    ),
  );
}

type RunHere = (context: RunContext, complete?: (report: Report) => Promise<Report>) => Promise<FinishedRun>;

/** Runs a plan within its surroundings, once its directory is claimed and its output is usable. An error is emitted as well. */
export async function runPlan(
  { output }: RunContext,
  plan: RunPlan,
  surround: (run: RunHere) => Promise<FinishedRun>,
): Promise<FinishedRun> {
  await using _claim = plan.out === undefined ? undefined : await claimDirectory(plan.out);
  await output.open?.();
  try {
    return await surround((context, complete) => runPipeline(context, plan, complete));
  } catch (error) {
    output.emit({ step: 'run-stopped', reason: error instanceof Error ? error : String(error), isCutShort: false });
    throw error;
  }
}
