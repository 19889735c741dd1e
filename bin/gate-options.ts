import { Option, type Command } from 'commander';
import type { Gate } from '../specs/types.ts';
import { placeArgument } from './place-argument.ts';

/** The flags that say what fails a run beside its verdict. */
export interface GateFlagOptions {
  /** Report, or the directory of one, that the run is held against. */
  baseline?: string;
  failOn?: Gate['failOn'];
}

const failLevels: readonly Gate['failOn'][] = ['must', 'should'];

/**
 * Adds the flags of {@link GateFlagOptions} to a verb.
 *
 * @param otherwise in words: the level without `--fail-on`
 */
export function addGateOptions(command: Command, otherwise: string): Command {
  return command
    .option('--baseline <report>', 'fail only for what did not fail in this report.json', placeArgument)
    .addOption(
      new Option('--fail-on <level>', `failures of this level and above fail the run (default: ${otherwise})`).choices(
        failLevels,
      ),
    );
}
