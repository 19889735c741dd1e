import { InvalidArgumentError, Option, type Command } from 'commander';
import type { ServeOptions } from '../simulate/serve/serve-options.ts';
import { decideExitCode } from './exit-codes.ts';
import { targetOption, tunnelOption } from './target-options.ts';

/** `svc-conform serve`: runs the simulated service for development and tests. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description('run the simulated service for development and tests: API v1 with state, events and calls')
    .option('--host <host>', 'host to listen on (default: service.host of the config, or 127.0.0.1)')
    .option(
      '--port <port>',
      'port to listen on, 0 for any free one (default: service.port of the config, or 0)',
      portNumber,
    )
    .option(
      '--api-key <key>',
      'API key that it accepts: svc_sk_… or env:NAME (default: service.apiKey of the config, or a random one)',
    )
    .option('--config <file>', 'addresses and secrets of your endpoint (default: the nearest svc-conform.config.*)')
    .addOption(targetOption())
    .addOption(tunnelOption())
    .option('--script <file>', 'play this scenario: a list of steps in YAML or JSON')
    .addOption(
      new Option(
        '--connect <address>',
        'allow the scenario to connect to this address, in addition to those of the config; repeatable',
      )
        .argParser((address: string, earlier: string[]) => [...earlier, address])
        .default([], 'none'),
    )
    .option(
      '--secrets <file>',
      'keep the generated secrets in this file of NAME=value lines, so that they stay the same after a restart',
    )
    .option('--open', 'open the page of the service in a browser')
    .option('-v, --verbose', 'also print the bodies of deliveries, callbacks and API requests, without secrets')
    .option(
      '--json',
      'print one JSON object per line: first the addresses and secrets, then each event; with -v, exchanges too',
    )
    .option(
      '--record <directory>',
      'when it stops, judge the client that was connected, and write the report to this directory',
    )
    .addHelpText(
      'after',
      `
The base URL in a browser shows conversations, calls and deliveries, with buttons that trigger events.
The control API triggers them from code: POST {controlUrl}/customer-writes, /time-passes, /customer-declines …;
GET {controlUrl} lists the steps. docs/serve.md shows a session.`,
    )
    .action(async (options: ServeOptions) => {
      const { runService } = await import('../simulate/serve/run-service.ts');
      await runService(options, decideExitCode);
    });
}

function portNumber(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('expected a port from 0 to 65535');
  return port;
}
