import { Option, type Command } from 'commander';
import { endpointSurfaces, surfaceTable } from '../specs/surfaces.ts';
import { listOption } from './list-option.ts';
import { endpointFlags } from '../specs/endpoint-flags.ts';

/** Description of `--brand`. */
export const brandDescription =
  "the vendor's name in header names, id fields and API keys (default: brand of the config, or Svc)";

/**
 * Adds the flags that select endpoints: a config file, addresses and secrets, and the image or command that starts them
 * (`TargetOptions`).
 */
export function addTargetOptions(command: Command): Command {
  return addEndpointOptions(command, 'use this config file (default: the nearest svc-conform.config.*)')
    .option('--image <name>', 'start this image; {container} in URLs is its host and port')
    .option('--start <command>', 'start the endpoint with this command, and again whenever it ends')
    .option('--known-caller <number>', knownCallerDescription);
}

/** Description of `--known-caller`. */
export const knownCallerDescription = 'phone number of a contact that your CRM knows';

/** `--allow-http`, of every command that sends to an endpoint. */
export function allowHttpOption(): Option {
  return listOption(
    '--allow-http <host>',
    'allow http: and ws: for this private host; repeatable, or comma-separated',
    'none',
  );
}

/** `--target`, of every command with `--config`. */
export function targetOption(): Option {
  return new Option('--target <id>', 'the target with this id, if --config is a targets file of svc-conform fleet');
}

/** `--tunnel`, of every command that receives requests of an endpoint. */
export function tunnelOption(): Option {
  return new Option(
    '--tunnel <command>',
    'start this program, which forwards a public address to {port}, and read the address from its output',
  );
}

/** Adds the same flags without `--image` and `--start`, for commands that start nothing. */
export function addEndpointOptions(command: Command, config: string): Command {
  return addAddressOptions(command.option('--config <file>', config).addOption(targetOption()));
}

/** Adds the same flags without `--config`. */
export function addAddressOptions(command: Command): Command {
  command.option('--brand <name>', brandDescription);
  command.addOption(allowHttpOption()).addOption(tunnelOption());
  for (const surface of endpointSurfaces) {
    const { urlFlag, credentialFlag } = endpointFlags[surface];
    const { label, credentialOf } = surfaceTable[surface].endpoint;
    const [kind, note] =
      surface === 'own-ai-phone' ? ['wss: address', ' (ws: for loopback and --allow-http)'] : ['address', ''];
    command.option(`${urlFlag} <address>`, `${kind} of the ${label}${note}`);
    command.option(`${credentialFlag} <env:NAME>`, `environment variable with ${credentialOf}`);
  }
  return command;
}
