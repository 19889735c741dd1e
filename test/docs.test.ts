import type { Command } from 'commander';
import { glob, readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../bin/main.ts';
import { sendableNames } from '../simulate/send/sendable.ts';
import { requirements } from '../specs/requirements/catalogue.ts';
import { schemas } from '../specs/schemas.ts';
import { validate } from '../specs/validators.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');

const pages: string[] = [];
for await (const path of glob('{*.md,docs/**/*.md,examples/**/*.md}', { cwd: root })) pages.push(path);

/** The part of a page below one heading. */
function section(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n## ${heading}\n`);
  return after.split('\n## ', 1)[0] ?? '';
}

/** Anchors of the headings of a page, as GitHub forms them. */
function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(/^ *```(\w+)\n([\s\S]*?)^ *```$/gm)].flatMap(([, name, code = '']) =>
    name === language ? code : [],
  );
}

/** Command lines of svc-conform on a page, in code blocks and in sentences, from the command name on. */
function commandLines(text: string): string[] {
  const joined = text.replaceAll(/\\\n\s*/g, '');
  const verbs = createProgram()
    .commands.map((command) => command.name())
    .join('|');
  return [
    ...[...joined.matchAll(/(?:npx |`)svc-conform ([a-z]+[^\n`|]*)/g)].map(([, line = '']) => line),
    ...[...joined.matchAll(new RegExp(`\`((?:${verbs})(?: [^\`]+)?)\``, 'g'))].map(([, line = '']) => line),
  ];
}

/** The command of a line, which may be a subcommand (`link build`). */
function commandOf(line: string): Command | undefined {
  const [verb, part] = line.split(/\s+/);
  const command = createProgram().commands.find((one) => one.name() === verb);
  return command?.commands.find((one) => one.name() === part) ?? command;
}

describe('README.md', () => {
  it('has under 1,000 words', async () => {
    expect((await read('README.md')).trim().split(/\s+/).length).toBeLessThan(1000);
  });

  it('uses scripts that exist', async () => {
    // A config contains commands of the integrator.
    const text = (await read('README.md')).replaceAll(/^```json\n[\s\S]*?^```$/gm, '');
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of text.matchAll(/npm run ([a-z:-]+)/g)) expect(scripts).toHaveProperty(script);
  });

  it('links to the index', async () => {
    expect(await read('README.md')).toContain('](docs/README.md)');
  });
});

describe('docs/README.md', () => {
  it('links to every other page of docs/', async () => {
    const text = await read('docs/README.md');
    // The page of topics links to those of the frameworks.
    const isIndexed = (path: string) => path !== 'docs/README.md' && !path.startsWith('docs/reference/snippets/');
    const others = pages.filter((path) => path.startsWith('docs/') && isIndexed(path));
    expect(others.length).toBeGreaterThan(5);
    for (const page of others) expect(text).toContain(`](${page.slice('docs/'.length)})`);
  });
});

describe('ARCHITECTURE.md', () => {
  it('lists directories that exist', async () => {
    const rows = section(await read('ARCHITECTURE.md'), 'Directories').matchAll(/^\| `([^`]+)\/`/gm);
    const directories = [...rows].map(([, directory = '']) => directory);
    expect(directories.length).toBeGreaterThan(5);
    for (const directory of directories)
      expect((await stat(join(root, directory))).isDirectory(), directory).toBe(true);
  });
});

describe('examples/integrator/README.md', () => {
  it('describes every file of the example, and no other', async () => {
    const described = [...(await read('examples/integrator/README.md')).matchAll(/`([\w-]+\.ts)`/g)].map(
      ([, name]) => name,
    );
    const files = await readdir(join(root, 'examples/integrator'));
    const sources = files.filter((name) => name.endsWith('.ts'));
    // exchange.ts contains types only.
    expect(new Set(described)).toEqual(new Set(sources.filter((name) => !['exchange.ts'].includes(name))));
  });
});

describe('docs/config.md', () => {
  it('lists exactly the keys of the config', async () => {
    const [keysFirst = ''] = (await read('docs/config.md')).split('\n## ', 1);
    const rows = keysFirst.matchAll(/^\| `(\w+)`/gm);
    const keys = Object.keys(schemas.config.properties ?? {}).filter((key) => key !== '$schema');
    expect([...rows].map(([, key]) => key)).toEqual(keys);
  });
});

describe('every page', () => {
  it.each(pages)('%s shows commands that exist, with their flags', async (page) => {
    for (const line of commandLines(await read(page))) {
      const command = commandOf(line);
      expect(command, line).toBeDefined();
      const flags = ['--help', ...(command?.options.map(({ long }) => long) ?? [])];
      for (const [flag] of line.matchAll(/(?<=\s)--[a-z][a-z-]*/g)) expect(flags, line).toContain(flag);
      const [verb, what = ''] = line.split(/\s+/);
      if (verb === 'send' && /^[\w.]+$/.test(what)) expect(sendableNames).toContain(what);
    }
  });

  it.each(pages)('%s shows configs that are valid', async (page) => {
    const shown = codeBlocks(await read(page), 'json').map((code) => JSON.parse(code) as object);
    // Output of commands has a schemaVersion; the page about clients shows a tsconfig.
    const configs = shown.filter((one) => !('schemaVersion' in one || 'compilerOptions' in one));
    for (const config of configs) expect(validate('config', config)).toEqual([]);
  });

  // Ids with acme belong to example suites of an integrator.
  it.each(pages)('%s names requirements that exist', async (page) => {
    const ids = (await read(page)).matchAll(
      /(?<![\w/.-])(?:crm-webhook|api-webhooks|own-ai-chat|own-ai-phone|api-client|deep-links)\/(?!acme-)[a-z0-9-]+(?![\w./-])/g,
    );
    for (const [id] of ids) expect(requirements).toHaveProperty([id]);
  });

  it.each(pages)('%s links to files that exist', async (page) => {
    for (const [, target = ''] of (await read(page)).matchAll(/\]\(([^)#:]+)\)/g)) {
      await expect(read(join(dirname(page), target)), target).resolves.toBeDefined();
    }
  });

  it.each(pages)('%s links to headings that exist', async (page) => {
    for (const [, target = '', anchor = ''] of (await read(page)).matchAll(/\]\(([^)#:]*)#([^)]+)\)/g)) {
      const linked = target === '' ? page : join(dirname(page), target);
      expect(anchorsOf(await read(linked)), `${linked}#${anchor}`).toContain(anchor);
    }
  });
});

it('the changelog has an entry for the version of the package', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  expect(await read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
});

it('the page about the network lists the contacts of every command', async () => {
  const table = (await read('docs/network.md')).split('\n').filter((line) => line.startsWith('| '));
  const listed = new Set(table.flatMap((line) => [...line.matchAll(/`([a-z]+)[^`]*`/g)].map(([, name]) => name)));
  const names = createProgram().commands.map((command) => command.name());
  expect(names.filter((name) => name !== 'help' && !listed.has(name))).toEqual([]);
});
