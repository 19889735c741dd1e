import type { Command } from 'commander';

/** Adds the flags that select endpoints: a config file, addresses and secrets, or an image (`TargetOptions`). */
export function addTargetOptions(command: Command): Command {
  return addEndpointOptions(command, 'use this config file (default: the nearest svc-conform.config.*)').option(
    '--image <name>',
    'start this image; {container} in URLs is its host and port',
  );
}

/** Adds the same flags without `--image`, for commands that start no container. */
export function addEndpointOptions(command: Command, config: string): Command {
  return command
    .option('--config <file>', config)
    .option('--crm-url <address>', 'address of the CRM webhook')
    .option('--crm-token <env:NAME>', 'environment variable with its bearer token')
    .option('--hooks-url <address>', 'address of the API webhooks')
    .option('--hooks-secret <env:NAME>', 'environment variable with the secret of the subscription')
    .option('--chat-url <address>', 'address of the own-AI chat')
    .option('--chat-secret <env:NAME>', 'environment variable with the secret of the assistant')
    .option('--phone-url <address>', 'address of the own-AI phone, wss: (ws: for loopback only)')
    .option('--phone-secret <env:NAME>', 'environment variable with the secret of the assistant');
}
