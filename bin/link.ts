import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { ListedLink } from '../harness/client/deep-links.ts';
import type { DeepLinkForm } from '../specs/deep-link.ts';
import { decideExitCode } from './exit-codes.ts';
import { HarnessFault } from '../harness/checks/faults.ts';
import { brandDescription } from './target-options.ts';

interface BuildOptions {
  appUrl?: string;
  scheme?: boolean;
  projectId?: string;
  crmId?: string;
  crmContactId?: string;
  dial?: string;
  brand?: string;
}

interface LinkCheckOptions {
  file?: string;
  json?: boolean;
  brand?: string;
}

/** The flag that gives the value of each form. */
const flags = {
  projectId: '--project-id',
  crmId: '--crm-id',
  crmContactId: '--crm-contact-id',
  dial: '--dial',
} as const satisfies Record<DeepLinkForm, string>;

/** `svc-conform link build` and `svc-conform link check`: builds or judges deep links. Only the brand is read of a config. */
export function addLink(program: Command): void {
  const link = program.command('link').description('build or judge deep links');
  link
    .command('build')
    .description('print the deep link to a project, a case, a customer or a number')
    .option('--app-url <address>', 'print a web link with this app address, https://…')
    .option('--scheme', 'print a link with the app scheme, svc://; with --app-url, print both')
    .option('--project-id <id>', 'open the project with this id of the service (svcProjectId)')
    .option('--crm-id <id>', 'open the project with your case number (crmProjectId)')
    .option('--crm-contact-id <id>', 'open the project of the customer with your customer number (crmContactId)')
    .option('--dial <number>', 'open the call screen with this phone number, in international format')
    .option('--brand <name>', brandDescription)
    .action(async (options: BuildOptions) => {
      const { write } = await import('../run/output/terminal.ts');
      const links = await buildLinks(options);
      await write(process.stdout, `${links.join('\n')}\n`);
    });
  link
    .command('check')
    .description('judge deep links; exit code 0 if every MUST requirement passes, 1 if one fails')
    .argument('[link...]', 'the links, in quotes; - reads them from standard input')
    .option('--file <file>', 'a file with one link per line; lines that begin with # are skipped')
    .option('--json', 'print the verdicts as JSON')
    .option('--brand <name>', brandDescription)
    .action(async (links: string[], options: LinkCheckOptions) => {
      const { judgedLinks, linkVerdictsJson, renderLinks } = await import('./link-verdicts.ts');
      const { outputWidth, wantsColour, write } = await import('../run/output/terminal.ts');
      const { configuredBrand } = await import('../run/config/configured-brand.ts');
      const brand = await configuredBrand(options.brand);
      const listed = await readLinks(links, options);
      const verdicts = judgedLinks(listed, brand);
      const shown = { colour: wantsColour(process.stdout), width: outputWidth(process.stdout) };
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
  if (form === undefined) throw new HarnessFault('flag-missing:link-target', { flags: every });
  if (given.length > 1) {
    const named = given.map((one) => flags[one]).join(' and ');
    throw new HarnessFault('flags-conflict:link-targets', { flags: every, given: named });
  }
  const value = options[form] ?? '';
  const fault = valueFault(form, value);
  if (fault) {
    const { configuredBrand } = await import('../run/config/configured-brand.ts');
    const brand = await configuredBrand(options.brand);
    const expected = brand.text(fault.expected);
    throw new HarnessFault('value-invalid:flag', { flag: flags[form], ...fault, expected });
  }
  if (options.appUrl === undefined && options.scheme !== true) {
    throw new HarnessFault('flag-missing:link-address');
  }
  const app = options.appUrl === undefined ? undefined : readAppUrl(options.appUrl);
  if (app && !('url' in app)) throw new HarnessFault('value-invalid:flag', { flag: '--app-url', ...app });
  return [
    ...(app ? [buildDeepLink(form, value, app.url)] : []),
    ...(options.scheme === true ? [buildDeepLink(form, value)] : []),
  ];
}

/** The links of the arguments without lines, or those of a file or of standard input with theirs. */
async function readLinks(
  links: readonly string[],
  { file }: LinkCheckOptions,
): Promise<(ListedLink | { text: string })[]> {
  if (file !== undefined && links.length > 0) throw new HarnessFault('flags-conflict:links');
  if (links.includes('-') && links.length > 1) throw new HarnessFault('flags-conflict:standard-input');
  if (file === undefined && links[0] !== '-') {
    if (links.length === 0) throw new HarnessFault('flag-missing:links');
    return links.map((text) => ({ text }));
  }
  const { linksInFile, parseLinkList } = await import('../harness/client/deep-links.ts');
  const read = file === undefined ? { links: parseLinkList(await standardInput()) } : linksInFile(resolve(file));
  if ('problem' in read)
    throw new HarnessFault('file-unreadable:flag', { flag: '--file', file: file ?? '-', reason: read.problem });
  if (read.links.length === 0) throw new HarnessFault('file-unreadable:no-link', { file: file ?? 'Standard input' });
  return read.links;
}

async function standardInput(): Promise<Uint8Array> {
  const { largestListBytes } = await import('../harness/client/deep-links.ts');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > largestListBytes) throw new HarnessFault('file-unreadable:too-large', { bytes: largestListBytes });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
