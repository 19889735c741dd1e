import { InvalidArgumentError, type Command } from 'commander';
import { limits } from '../specs/limits.ts';
import type { CallerInput, SendOptions } from '../simulate/send/send-options.ts';
import { sendableNames } from '../simulate/send/sendable.ts';
import { decideExitCode } from './exit-codes.ts';
import { addEndpointOptions } from './target-options.ts';

/** Seconds in which a callback must arrive (interface: Limits); longer waits for a reply make no sense. */
const mostWaitSeconds = limits.crmCallbackWithinMs / 1000;

/** `svc-conform send`: sends one event or call like the service, and shows the answer and its effects in the service. */
export function addSend(program: Command): void {
  const acts: CallerInput[] = [];
  const sets: SendOptions['sets'] = [];
  const add = <T>(list: T[], item: T): T[] => {
    list.push(item);
    return list;
  };
  const command = program
    .command('send')
    .description('send one event or call as the service does; show the answer and how the service handles it')
    .argument('<what>', 'the event or call to send; see below');
  addEndpointOptions(command, 'addresses and secrets of your endpoint (default: the nearest svc-conform.config.*)')
    .option('--text <text>', "message.received: the customer's message")
    .option('--say <sentence>', 'call: the caller says this and waits for the answer; repeatable', (say: string) =>
      add(acts, { say }),
    )
    .option(
      '--press <key>',
      'call: the caller presses 0 to 9, * or #; repeatable, in the order of --say and --press',
      (key: string) => add(acts, { press: digit(key) }),
    )
    .option(
      '--set <path=string>',
      'set a field to a string, such as data.contact.name=Erika; repeatable',
      (text: string) => add(sets, { form: '--set', text }),
    )
    .option(
      '--set-json <path=json>',
      "set a field to a JSON value, such as data.skills='[]'; repeatable",
      (text: string) => add(sets, { form: '--set-json', text }),
    )
    .option('--body <file>', 'send exactly this body, signed; call: the JSON of the first frame')
    .option('--api-key <key>', 'API key that your endpoint uses for replies: svc_sk_… or env:NAME')
    .option(
      '--wait <seconds>',
      `wait for a callback or reply, up to ${mostWaitSeconds} s (default: 10 s after a 202)`,
      seconds,
    )
    .option('--json', 'print only one JSON object on standard output')
    .addHelpText(
      'after',
      `
Events and calls:
${sendableNames.replaceAll(/^/gm, '  ')}

Exit codes: 0 the service accepts the answer, 1 it does not, 2 wrong usage or config, 3 no connection.`,
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
    throw new InvalidArgumentError(`expected seconds from 0 to ${mostWaitSeconds}`);
  }
  return number;
}
