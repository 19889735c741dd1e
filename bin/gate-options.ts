import { Option, type Command } from 'commander';
import type { Gate } from '../specs/generated/types.ts';
import { placeArgument } from './place-argument.ts';

const failLevels: readonly Gate['failOn'][] = ['must', 'should'];

/**
 * Adds the flags of `GateInput` to a command.
 *
 * @param otherwise describes the level without `--fail-on`
 */
export function addGateOptions(command: Command, otherwise: string): Command {
  return command
    .option('--baseline <report>', 'fail only for new failures, compared with this report.json', placeArgument)
    .addOption(
      new Option('--fail-on <level>', `failures of this level and above fail the run (default: ${otherwise})`).choices(
        failLevels,
      ),
    );
}
