import { InvalidArgumentError, type Command } from 'commander';
import type { ServeOptions } from '../simulate/serve/serve-options.ts';
import { decideExitCode } from './exit-codes.ts';

/** `svc-conform serve`: the simulated service, to develop and test against. */
export function addServe(program: Command): void {
  program
    .command('serve')
    .description(
      'the simulated service: API v1 with state, and all that it sends and calls, to develop and test against',
    )
    .option('--host <host>', 'where to listen (default: service.host of the config, else 127.0.0.1)')
    .option('--port <port>', 'port, 0 for any free one (default: service.port of the config, else 0)', portNumber)
    .option('--api-key <key>', 'the API key that it takes: svc_sk_… or env:NAME; one is made up otherwise')
    .option('--config <file>', 'addresses and secrets of your endpoint; default: the nearest svc-conform.config.*')
    .option('--script <file>', 'plays this scenario: a list of steps in YAML or JSON')
    .option(
      '--connect <address>',
      'an address to which the scenario may connect, in addition to those of the config; repeatable',
      (address, earlier: string[]) => [...earlier, address],
      [],
    )
    .option('--json', 'one JSON object per line: first addresses and secrets, then each event')
    .option('--record <directory>', 'judges the client that was connected when it stops, and writes the report there')
    .addHelpText(
      'after',
      `
A customer writes, a day passes, an appointment is declined: POST {controlUrl}/customer-writes, /time-passes,
/customer-declines …; GET {controlUrl} lists the steps. docs/serve.md shows a session.`,
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
