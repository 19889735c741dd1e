import type { Command } from 'commander';
import type { BrokerOptions } from './broker-options.ts';
import { formatOption } from './format-option.ts';
import { addGateOptions } from './gate-options.ts';
import type { TargetOptions } from '../run/config/read-target.ts';
import { listOption } from './list-option.ts';
import { seconds, whole } from './run-options.ts';
import { maxAnswerTimeoutSeconds, mostRepeats, type RunInput } from '../run/run-input.ts';
import type { RunFlags } from './show-run.ts';
import { addTargetOptions } from './target-options.ts';

type PactVerifyOptions = TargetOptions & RunFlags & BrokerOptions;

/** `svc-conform pact verify`: verifies the service's contracts against endpoints with Pact's own verifier. */
export function addPactVerify(pact: Command): void {
  const command = addTargetOptions(
    pact
      .command('verify')
      .description("verify the service's Pact contracts against the endpoints of the config, or those given by flags"),
  )
    .addOption(listOption('--surface <name>', 'only the contract of this surface; repeatable, or comma-separated'))
    .addOption(listOption('--only <id>', 'only this interaction, or those that belong to this requirement'))
    .option('--answer-timeout <seconds>', 'timeout for an answer', seconds(maxAnswerTimeoutSeconds))
    .option('--out <directory>', 'directory of the report (default: conformance-report/partial)')
    .addOption(formatOption('formats in addition to report.json; repeatable, or comma-separated (default: html)'))
    .option('--json', 'print only report.json on standard output')
    .option('--confirm <times>', 're-run failures this many times to confirm them', whole(1, mostRepeats))
    .option('--broker-url <address>', 'Pact broker; the contracts are published to it if it lacks them')
    .option('--broker-token <env:NAME>', 'environment variable with its bearer token')
    .option('--publish', 'publish the results to the broker; needs --provider-version')
    .option('--provider-version <version>', 'version of the endpoint for the broker, such as a commit')
    .option('--provider-branch <name>', 'branch of that version');
  addGateOptions(command, 'must').action(async (flags: PactVerifyOptions) => {
    const { defaultReportDirectory } = await import('../run/plan/report-directory.ts');
    const options = { ...flags, defaultOut: defaultReportDirectory };
    const { readTarget } = await import('../run/config/read-target.ts');
    const { withBroker } = await import('./broker-options.ts');
    const { config, flags: targetFlags, configFile, configInRepository } = await readTarget(options, process.env);
    const { limitYoungGeneration, showRun } = await import('./show-run.ts');
    const { runConformance } = await import('../run/run-conformance.ts');
    const input: RunInput = {
      config: withBroker(config, options, process.env),
      command: ['pact', 'verify', ...targetFlags],
      notes: [],
      options,
      configFile,
      configInRepository,
      contracts: 'alone',
    };
    limitYoungGeneration();
    await showRun(options, (output) => runConformance(input, output));
  });
}
