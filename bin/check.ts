import type { Command } from 'commander';
import type { TargetOptions } from './read-target.ts';
import { addRunOptions, type RunOptions } from './run-options.ts';

/** `svc-conform check`: certifies the endpoints that a config file or flags name. */
export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description('certify endpoints: those of svc-conform.config.{ts,js,json,yaml}, or those that flags name')
    .option('--config <file>', 'this config file instead of the nearest one')
    .option('--crm-url <address>', 'CRM webhook')
    .option('--crm-token <env:NAME>', 'the variable that holds its bearer token')
    .option('--hooks-url <address>', 'API webhooks')
    .option('--hooks-secret <env:NAME>', 'the variable that holds the secret of the subscription')
    .option('--chat-url <address>', 'own-AI chat')
    .option('--chat-secret <env:NAME>', 'the variable that holds the secret of the assistant')
    .option('--phone-url <address>', 'own-AI phone, a wss: address (ws: for loopback only)')
    .option('--phone-secret <env:NAME>', 'the variable that holds the secret of the assistant')
    .option('--image <name>', 'start a container of this image, which addresses with {container} name');
  addRunOptions(command).action(async (options: TargetOptions & RunOptions) => {
    const { readTarget } = await import('./read-target.ts');
    const { config, flags, configFile } = await readTarget(options, process.env);
    const { certify } = await import('./certify.ts');
    await certify({ config, command: ['check', ...flags], notes: [], options, configFile });
  });
}
