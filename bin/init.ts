import { Option, type Command } from 'commander';
import { endpointFlags, type EndpointOptions } from '../specs/endpoint-flags.ts';
import { endpointSurfaces } from '../specs/surfaces.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { assertReference } from '../run/config/endpoint-flags.ts';
import { usualVariables, type InitAnswers } from '../run/init/init-answers.ts';
import { decideExitCode } from './exit-codes.ts';
import { addAddressOptions, knownCallerDescription } from './target-options.ts';

interface InitFlags extends EndpointOptions {
  yes?: boolean;
  start?: string;
  tunnel?: string;
  allowHttp: string[];
  brand?: string;
  knownCaller?: string;
  ci?: 'github' | 'gitlab' | 'jenkins' | 'none';
  probe: boolean;
}

/** Exit code of a cancelled command, as of SIGINT in shells. */
const cancelledExitCode = 130;

/** `svc-conform init`: writes a config file, a CI file and a line in .gitignore. */
export function addInit(program: Command): void {
  const command = program
    .command('init')
    .description(
      'ask for your endpoints, probe them, and write svc-conform.config.json, a CI file and a line in .gitignore',
    );
  addAddressOptions(command)
    .option('--yes', 'ask nothing; needs an address')
    .option('--start <command>', 'a command that starts your endpoint')
    .option('--known-caller <number>', knownCallerDescription)
    .addOption(
      new Option('--ci <system>', 'write a file for this CI system (default: the one that is in use)').choices([
        'github',
        'gitlab',
        'jenkins',
        'none',
      ]),
    )
    .option('--no-probe', 'send nothing')
    .addHelpText(
      'after',
      `
It never overwrites a file. If the variable of the secret is set, the endpoint receives one request or call, and a chat
three messages.`,
    )
    .action(async (flags: InitFlags) => {
      const { runInit } = await import('./run-init.ts');
      const { PromptCancelled } = await import('../run/init/prompter.ts');
      try {
        await runInit(answersOf(flags), { yes: flags.yes === true, ci: flags.ci, probes: flags.probe });
      } catch (error) {
        if (!(error instanceof PromptCancelled)) throw error;
        process.stderr.write(`${error.message}\n`);
        decideExitCode(cancelledExitCode);
      }
    });
}

function answersOf(flags: InitFlags): InitAnswers {
  const { start, tunnel, brand, knownCaller, allowHttp, ci } = flags;
  const endpoints: InitAnswers['endpoints'] = {};
  for (const surface of endpointSurfaces) {
    const { url, credential, urlFlag, credentialFlag } = endpointFlags[surface];
    const address = flags[url];
    const reference = flags[credential];
    if (address !== undefined) endpoints[surface] = { url: address, variable: variableOf(reference, surface) };
    else if (reference !== undefined) {
      throw new HarnessFault('flag-missing:address', { flag: credentialFlag, needed: urlFlag });
    }
  }
  return { endpoints, start, tunnel, brand, knownCaller, allowHttp, ...(ci !== undefined && ci !== 'none' && { ci }) };
}

function variableOf(reference: string | undefined, surface: DiagnosedSurface): string {
  if (reference === undefined) return usualVariables[surface];
  assertReference(reference, endpointFlags[surface].credentialFlag);
  return reference.replace(/^env:/, '');
}
