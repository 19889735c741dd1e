import { execFile } from 'node:child_process';
import { access, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../specs/open-api-document.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { apiKey, openService } from '../service/open-service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'docs/clients.md'), 'utf8');

/** The only code block in a language on the page. */
function block(language: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  expect(found, language).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

/** The code blocks of the page, in order. */
const blocks = [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, { version: string }>;
};

const compile = (cwd: string) => run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd });

describe('a typed client as docs/clients.md says', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let packages: readonly string[] = [];
  /** Executes a line of the page without a network. */
  const follow = async (command: string): Promise<void> => {
    const [, generated] = /^npx openapi-ts (.+)$/.exec(command) ?? [];
    const [, installed] = /^npm install --save-dev (.+)$/.exec(command) ?? [];
    if (command === 'npx svc-conform schemas --out schemas') {
      await mkdir(directory.at('schemas'));
      await writeFile(directory.at('schemas/openapi.json'), JSON.stringify(openApiDocument()));
    } else if (installed !== undefined) {
      packages = installed.split(' ');
      await symlink(join(root, 'node_modules'), directory.at('node_modules'));
    } else if (generated !== undefined) {
      expect(generated).toContain('--input ./schemas/openapi.json');
      // The generator reads the form of imports from the nearest package; without one here, it would find ours through
      // the link.
      await access(directory.at('tsconfig.json'));
      const generator = join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js');
      await run(process.execPath, [generator, ...generated.split(' '), '--no-log-file'], { cwd: directory.path });
    } else expect.fail(`expected a command that this test follows, received ${command}`);
  };
  beforeAll(async () => {
    directory = await temporaryDirectory();
    await mkdir(directory.at('src'));
    await writeFile(directory.at('package.json'), '{ "type": "module" }');
    // The steps up to the code that uses the client, in the order of the page: later files do not exist yet.
    for (const { language, code } of blocks.slice(
      0,
      blocks.findIndex((each) => each.language === 'ts'),
    )) {
      if (language === 'json') await writeFile(directory.at('tsconfig.json'), code);
      else for (const command of code.trim().split('\n')) await follow(command);
    }
    await writeFile(directory.at('src/first.ts'), block('ts'));
  }, 60_000);
  afterAll(() => directory[Symbol.asyncDispose]());

  it('installs the versions of our lock file', () => {
    const names = ['typescript', '@types/node', '@hey-api/openapi-ts'];
    expect(packages).toEqual(names.map((name) => `${name}@${lock.packages[`node_modules/${name}`]?.version ?? ''}`));
  });

  it('is generated, compiles, and calls the simulated service', { timeout: 60_000 }, async () => {
    await compile(directory.path);
    await using open = await openService({ name: 'Workshop' });
    const { stdout } = await run(process.execPath, ['dist/first.js'], {
      cwd: directory.path,
      env: { ...process.env, SVC_BASE_URL: open.service.baseUrl, SVC_API_KEY: apiKey },
    });
    const contact = open.inbox.contacts.forPhone('+4930901820');
    expect(stdout.split('\n')).toEqual([
      'Inbox: Workshop',
      `Contact ${contact.id}, new`,
      expect.stringMatching(/^Note [0-9]+$/),
      'Refused: project_not_found',
      '',
    ]);
    expect(contact.firstName).toBe('Erika');
  });

  it('does not compile with an unknown field', { timeout: 60_000 }, async () => {
    const wrong = block('ts').replace("text: 'Wants an invoice.'", "txt: 'Wants an invoice.'");
    await writeFile(directory.at('src/first.ts'), wrong);
    const ended = await compile(directory.path).catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^src\/first\.ts\(\d+,\d+\): error .*'?txt'?/),
    });
    await writeFile(directory.at('src/first.ts'), block('ts'));
  });
});
