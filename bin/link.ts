import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ListedLink } from '../harness/client/deep-links.ts';
import type { DeepLinkForm } from '../specs/deep-link.ts';
import { decideExitCode } from './exit-codes.ts';
import { UsageError } from '../run/usage-error.ts';

interface BuildOptions {
  appUrl?: string;
  scheme?: boolean;
  projectId?: string;
  crmId?: string;
  crmContactId?: string;
  dial?: string;
}

interface CheckOptions {
  file?: string;
  json?: boolean;
}

/** The flag that gives the value of each form. */
const flags = {
  projectId: '--project-id',
  crmId: '--crm-id',
  crmContactId: '--crm-contact-id',
  dial: '--dial',
} as const satisfies Record<DeepLinkForm, string>;

/** `svc-conform link build` and `svc-conform link check`: writes deep links, or judges some without a config. */
export function addLink(program: Command): void {
  const link = program.command('link').description('write deep links, or judge them');
  link
    .command('build')
    .description('print the deep link to a project, a case, a customer or a number')
    .option('--app-url <address>', 'a web link with this app address, https://…')
    .option('--scheme', 'a link with the app scheme, svc://; beside --app-url both are printed, one on each line')
    .option('--project-id <id>', "the project by the service's id (svcProjectId)")
    .option('--crm-id <text>', 'the project by your case number (crmProjectId)')
    .option('--crm-contact-id <text>', "the customer's project by your customer number (crmContactId)")
    .option('--dial <number>', 'the call screen with a phone number in international form')
    .action(async (options: BuildOptions) => {
      const { write } = await import('../run/output/terminal.ts');
      const links = await buildLinks(options);
      await write(process.stdout, `${links.join('\n')}\n`);
    });
  link
    .command('check')
    .description('judge deep links; exit code 0 when every must holds, 1 when one does not')
    .argument('[link...]', 'the links, in quotes; - reads them from standard input')
    .option('--file <file>', 'a file with a link on each line; lines that begin with # are omitted')
    .option('--json', 'print the verdicts as JSON')
    .action(async (links: string[], options: CheckOptions) => {
      const { judgedLinks, linkVerdictsJson, renderLinks } = await import('./link-verdicts.ts');
      const { wantsColour, write } = await import('../run/output/terminal.ts');
      const listed = await readLinks(links, options);
      const verdicts = judgedLinks(listed);
      const shown = { colour: wantsColour(process.stdout), width: process.stdout.columns || 100 };
      const json = options.json === true;
      const text = json ? linkVerdictsJson(verdicts) : renderLinks(verdicts, shown);
      await write(process.stdout, text, { notation: json ? 'json' : 'plain' });
      decideExitCode(verdicts.summary.fail > 0 ? 1 : 0);
    });
}

async function buildLinks(options: BuildOptions): Promise<string[]> {
  const { buildDeepLink, deepLinkFormNames, readAppUrl, valueFault } = await import('../specs/deep-link.ts');
  const given = deepLinkFormNames.filter((form) => options[form] !== undefined);
  const every = Object.values(flags).join(', ');
  const [form] = given;
  if (form === undefined) throw new UsageError(`Say what the link opens: one of ${every}.`);
  if (given.length > 1) {
    const named = given.map((one) => flags[one]).join(' and ');
    throw new UsageError(`A link names what it opens in one way: give one of ${every}, not ${named}.`);
  }
  const value = options[form] ?? '';
  const fault = valueFault(form, value);
  if (fault) throw new UsageError(formatFault(flags[form], fault));
  if (options.appUrl === undefined && options.scheme !== true) {
    throw new UsageError('Say where the link leads: --app-url https://… for a web link, --scheme for svc://, or both.');
  }
  const app = options.appUrl === undefined ? undefined : readAppUrl(options.appUrl);
  if (app && !('url' in app)) throw new UsageError(formatFault('--app-url', app));
  return [
    ...(app ? [buildDeepLink(form, value, app.url)] : []),
    ...(options.scheme === true ? [buildDeepLink(form, value)] : []),
  ];
}

function formatFault(flag: string, fault: { expected: string; received: string; hint?: string }): string {
  return `${flag}: expected ${fault.expected}, received ${fault.received}.${fault.hint === undefined ? '' : ` ${fault.hint}`}`;
}

/** The links of the arguments without lines, or those of a file or of standard input with theirs. */
async function readLinks(links: readonly string[], { file }: CheckOptions): Promise<(ListedLink | { text: string })[]> {
  if (file !== undefined && links.length > 0) throw new UsageError('Give the links, or --file with a list, not both.');
  if (links.includes('-') && links.length > 1) throw new UsageError('Give the links, or - alone, not both.');
  if (file === undefined && links[0] !== '-') {
    if (links.length === 0)
      throw new UsageError('Give the links in quotes, --file with a list, or - for standard input.');
    return links.map((text) => ({ text }));
  }
  const { linksInFile, parseLinkList } = await import('../harness/client/deep-links.ts');
  const read = file === undefined ? { links: parseLinkList(await standardInput()) } : linksInFile(resolve(file));
  if ('problem' in read) throw new UsageError(`--file ${file}: ${read.problem}.`);
  if (read.links.length === 0) throw new UsageError(`${file ?? 'Standard input'} lists no link.`);
  return read.links;
}

async function standardInput(): Promise<Uint8Array> {
  const { largestListBytes } = await import('../harness/client/deep-links.ts');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestListBytes) throw new UsageError(`Standard input is larger than ${largestListBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
