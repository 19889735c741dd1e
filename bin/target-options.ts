import type { Command } from 'commander';

/** Adds the flags that name endpoints: a config file, or addresses and secrets, or an image (`TargetOptions`). */
export function addTargetOptions(command: Command): Command {
  return addEndpointOptions(command, 'this config file instead of the nearest one').option(
    '--image <name>',
    'start a container of this image, which addresses with {container} name',
  );
}

/** The same without an image: nothing is started. */
export function addEndpointOptions(command: Command, config: string): Command {
  return command
    .option('--config <file>', config)
    .option('--crm-url <address>', 'CRM webhook')
    .option('--crm-token <env:NAME>', 'the variable that holds its bearer token')
    .option('--hooks-url <address>', 'API webhooks')
    .option('--hooks-secret <env:NAME>', 'the variable that holds the secret of the subscription')
    .option('--chat-url <address>', 'own-AI chat')
    .option('--chat-secret <env:NAME>', 'the variable that holds the secret of the assistant')
    .option('--phone-url <address>', 'own-AI phone, a wss: address (ws: for loopback only)')
    .option('--phone-secret <env:NAME>', 'the variable that holds the secret of the assistant');
}
