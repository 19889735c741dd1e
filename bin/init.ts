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
  clientCommand?: string;
  linksFile?: string;
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
      'ask what you have, probe the endpoints, and write svc-conform.config.json, a CI file and a line in .gitignore',
    );
  addAddressOptions(command)
    .option('--client-command <command>', 'command that starts your API client')
    .option('--links-file <file>', 'file with your deep links, one per line')
    .option('--yes', 'ask nothing; needs an address, a client command or a links file')
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
It never overwrites a file. If the variable of its secret is set, an endpoint receives one request or call; a chat that
accepts it receives three more messages, and a phone four more calls.`,
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
  const { start, tunnel, brand, knownCaller, allowHttp, ci, clientCommand: client, linksFile: links } = flags;
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
  return {
    endpoints,
    client,
    links,
    start,
    tunnel,
    brand,
    knownCaller,
    allowHttp,
    ...(ci !== undefined && ci !== 'none' && { ci }),
  };
}

function variableOf(reference: string | undefined, surface: DiagnosedSurface): string {
  if (reference === undefined) return usualVariables[surface];
  assertReference(reference, endpointFlags[surface].credentialFlag);
  return reference.replace(/^env:/, '');
}
