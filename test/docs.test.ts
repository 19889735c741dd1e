import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createProgram } from '../bin/main.ts';
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

function codeBlocks(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].flatMap(([, name, code = '']) =>
    name === language ? code : [],
  );
}

describe('README.md', () => {
  it('lists the flags of check, all and no others', async () => {
    const check = createProgram().commands.find((command) => command.name() === 'check');
    const flags = check?.options.map(({ long }) => long).filter((long) => long !== '--help') ?? [];
    const told = section(await read('README.md'), 'Flags of `check`').matchAll(/--[a-z][a-z-]*/g);
    expect(new Set([...told].map(([flag]) => flag))).toEqual(new Set(flags));
    expect(flags.length).toBeGreaterThan(10);
  });

  it('uses scripts, verbs and files that are there', async () => {
    const text = await read('README.md');
    const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
    for (const [, script = ''] of text.matchAll(/npm run ([a-z-]+)/g)) expect(scripts).toHaveProperty(script);
    const verbs = createProgram().commands.map((command) => command.name());
    for (const [, verb = ''] of text.matchAll(/npx svc-conform ([a-z]+)/g)) expect(verbs).toContain(verb);
  });
});

describe('docs/config.md', () => {
  it('lists the keys of the config, all and no others', async () => {
    const rows = (await read('docs/config.md')).matchAll(/^\| `(\w+)`/gm);
    const keys = Object.keys(schemas.config.properties ?? {}).filter((key) => key !== '$schema');
    expect([...rows].map(([, key]) => key)).toEqual(keys);
  });
});

describe('every page', () => {
  it.each(pages)('%s shows configs that are valid', async (page) => {
    for (const code of codeBlocks(await read(page), 'json')) expect(validate('config', JSON.parse(code))).toEqual([]);
  });

  it.each(pages)('%s names requirements that exist', async (page) => {
    const ids = (await read(page)).matchAll(
      /(?<![\w/.-])(?:crm-webhook|api-webhooks|own-ai-chat|own-ai-phone|api-client|deep-links)\/[a-z0-9-]+(?![\w./-])/g,
    );
    for (const [id] of ids) expect(requirements).toHaveProperty([id]);
  });

  it.each(pages)('%s links to files that are there', async (page) => {
    for (const [, target = ''] of (await read(page)).matchAll(/\]\(([^)#:]+)\)/g)) {
      await expect(read(join(dirname(page), target)), target).resolves.toBeDefined();
    }
  });
});

it('the changelog has an entry for the version of the package', async () => {
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  expect(await read('CHANGELOG.md')).toContain(`\n## ${version}\n`);
});
