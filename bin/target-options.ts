import type { Command } from 'commander';
import { endpointSurfaces, surfaceTable } from '../specs/surfaces.ts';
import { endpointFlags } from '../specs/endpoint-flags.ts';

/** Adds the flags that name endpoints: a config file, or addresses and secrets, or an image (`TargetOptions`). */
export function addTargetOptions(command: Command): Command {
  return addEndpointOptions(command, 'this config file instead of the nearest one').option(
    '--image <name>',
    'start a container of this image, which addresses with {container} name',
  );
}

/** The same without an image: nothing is started. */
export function addEndpointOptions(command: Command, config: string): Command {
  command.option('--config <file>', config);
  for (const surface of endpointSurfaces) {
    const { urlFlag, credentialFlag } = endpointFlags[surface];
    const { label, credentialOf } = surfaceTable[surface].endpoint;
    const form = surface === 'own-ai-phone' ? ', a wss: address (ws: for loopback only)' : '';
    command.option(`${urlFlag} <address>`, label + form);
    command.option(`${credentialFlag} <env:NAME>`, `the variable that holds ${credentialOf}`);
  }
  return command;
}
