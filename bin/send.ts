import { InvalidArgumentError, type Command } from 'commander';
import { limits } from '../specs/limits.ts';
import type { CallerInput, SendOptions } from '../simulate/send/send-options.ts';
import { sendableNames } from '../simulate/send/sendable.ts';
import { decideExitCode } from './exit-codes.ts';
import { addEndpointOptions } from './target-options.ts';

/** Seconds that a callback can take (interface: Limits); nobody waits longer for a reply either. */
const mostWaitSeconds = limits.crmCallbackWithinMs / 1000;

/** `svc-conform send`: one event or call, as the service sends it, what came back, and what the service makes of it. */
export function addSend(program: Command): void {
  const acts: CallerInput[] = [];
  const sets: SendOptions['sets'] = [];
  const add = <T>(list: T[], item: T): T[] => {
    list.push(item);
    return list;
  };
  const command = program
    .command('send')
    .description('one event or call as the service sends it: shows what came back, and what the service makes of it')
    .argument('<what>', 'event or call; see below');
  addEndpointOptions(command, 'addresses and secrets of your endpoint; default: the nearest svc-conform.config.*')
    .option('--text <text>', "message.received: the customer's message")
    .option('--say <sentence>', 'call: the caller says it and hears the answer; repeatable', (say: string) =>
      add(acts, { say }),
    )
    .option(
      '--press <key>',
      'call: the caller presses 0 to 9, * or #; repeatable, in order with --say',
      (key: string) => add(acts, { press: digit(key) }),
    )
    .option('--set <path=text>', 'sets a field, such as data.contact.name=Erika; repeatable', (text: string) =>
      add(sets, { form: '--set', text }),
    )
    .option(
      '--set-json <path=json>',
      "sets a field to a JSON value, such as data.skills='[]'; repeatable",
      (text: string) => add(sets, { form: '--set-json', text }),
    )
    .option('--body <file>', 'sends exactly this body, signed; call: the JSON of the first frame')
    .option('--api-key <key>', 'the key that your endpoint replies with: svc_sk_… or env:NAME')
    .option(
      '--wait <seconds>',
      `how long a callback or reply is waited for that may follow, up to ${mostWaitSeconds} (default: 10 after a 202)`,
      seconds,
    )
    .option('--json', 'print one JSON object, and nothing else, on standard output')
    .addHelpText(
      'after',
      `
What can be sent:
${sendableNames.replaceAll(/^/gm, '  ')}

Exit codes: 0 the service can work with what came, 1 it cannot, 2 wrong usage or config, 3 nobody was reached.`,
    )
    .action(async (what: string, options: Omit<SendOptions, 'acts' | 'sets'>) => {
      const { sendOne } = await import('../simulate/send/send-one.ts');
      decideExitCode(await sendOne(what, { ...options, acts, sets }));
    });
}

function digit(key: string): string {
  if (!/^[0-9*#]$/.test(key)) throw new InvalidArgumentError('expected one of 0 to 9, * and #');
  return key;
}

function seconds(value: string): number {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  if (!(number <= mostWaitSeconds)) {
    throw new InvalidArgumentError(`expected seconds, from 0 to ${mostWaitSeconds}`);
  }
  return number;
}
