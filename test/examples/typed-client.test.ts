import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiDocument } from '../../specs/open-api.ts';
import { temporaryFolder } from '../bin/run-command.ts';
import { apiKey, openService } from '../service/open-service.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const page = await readFile(join(root, 'docs/clients.md'), 'utf8');

/** The only block of code in a language on the page. */
function block(language: string): string {
  const found = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))];
  expect(found, language).toHaveLength(1);
  return found[0]?.[1] ?? '';
}

const compile = (cwd: string) => run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc')], { cwd });

describe('a typed client as docs/clients.md says', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await mkdir(folder.at('src'));
    await mkdir(folder.at('schemas'));
    await symlink(join(root, 'node_modules'), folder.at('node_modules'));
    await writeFile(folder.at('package.json'), '{ "type": "module" }');
    await writeFile(folder.at('tsconfig.json'), block('json'));
    await writeFile(folder.at('src/first.ts'), block('ts'));
    await writeFile(folder.at('schemas/openapi.json'), JSON.stringify(openApiDocument()));
    const [, command = ''] = /^npx openapi-ts (.*)$/m.exec(page) ?? [];
    expect(command).toContain('--input ./schemas/openapi.json');
    const generator = join(root, 'node_modules/@hey-api/openapi-ts/bin/run.js');
    await run(process.execPath, [generator, ...command.split(' '), '--no-log-file'], { cwd: folder.path });
  }, 60_000);
  afterAll(() => folder[Symbol.asyncDispose]());

  it('is generated, compiles, and calls the simulated service', { timeout: 60_000 }, async () => {
    await compile(folder.path);
    await using open = await openService({ name: 'Workshop' });
    const { stdout } = await run(process.execPath, ['dist/first.js'], {
      cwd: folder.path,
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

  it('does not compile with a member that the API does not have', { timeout: 60_000 }, async () => {
    const wrong = block('ts').replace("text: 'Wants an invoice.'", "txt: 'Wants an invoice.'");
    await writeFile(folder.at('src/first.ts'), wrong);
    const ended = await compile(folder.path).catch((error: unknown) => error);
    expect(ended).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^src\/first\.ts\(\d+,\d+\): error .*'?txt'?/),
    });
    await writeFile(folder.at('src/first.ts'), block('ts'));
  });
});
