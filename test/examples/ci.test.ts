import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../bin/main.ts';
import { formats } from '../../reports/write/formats.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { optionalPackages } from '../../specs/optional-packages.ts';
import { schemas } from '../../specs/schemas.ts';
import type { Report } from '../../specs/generated/types.ts';
import { temporaryDirectory } from '../bin/run-command.ts';
import { cleanReport, manyFailuresReport } from '../reports/sample-report.ts';
import { actionProblems, workflowProblems } from './read-workflow.ts';

const read = (path: string) => readFile(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const action = await read('action.yml');
const github = await read('examples/ci/shards/github-actions.yml');
const gitlab = await read('examples/ci/shards/gitlab-ci.yml');
const jenkins = await read('examples/ci/shards/Jenkinsfile');
const fleet = await read('examples/ci/fleet/github-actions.yml');
const kubernetes = await read('examples/ci/fleet/kubernetes-job.yaml');
const compose = await read('examples/ci/fleet/compose.yaml');
const short = {
  'github-actions.yml': await read('examples/ci/github-actions.yml'),
  'gitlab-ci.yml': await read('examples/ci/gitlab-ci.yml'),
  Jenkinsfile: await read('examples/ci/Jenkinsfile'),
};
const docs = await read('docs/ci.md');
const readme = await read('README.md');
const { version } = JSON.parse(await read('package.json')) as { version: string };

interface Step {
  id?: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}
interface Action {
  inputs: Record<string, { default?: string; description: string }>;
  outputs: Record<string, { value: string }>;
  runs: { steps: Step[] };
}
const { inputs, outputs, runs } = parse(action) as Action;

describe('action.yml', () => {
  it('is valid for the parser of GitHub, which detects an invalid one', () => {
    expect(actionProblems(action)).toEqual([]);
    expect(actionProblems(action.replace('using: composite', 'using: composites'))).not.toEqual([]);
    expect(actionProblems(action.replace('      shell: bash\n', ''))).not.toEqual([]);
  });

  it('uses exactly its inputs', () => {
    const used = [...action.matchAll(/\binputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  });

  it('inserts no text from outside into a script', () => {
    for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
  });

  /**
   * Runs the scripts of the action with an `npx` that writes a report (or this content) and exits with this code, in a
   * directory with the report of an earlier run. Returns the outputs of the action.
   */
  async function runAction(
    given: Record<string, string>,
    leaves: { code: number; report?: Report | string; earlier?: Report },
  ) {
    await using directory = await temporaryDirectory();
    const wordsFile = directory.at('words.txt');
    await writeFile(
      directory.at('npx'),
      `#!/bin/bash\nprintf '%s\\n' "$@" > '${wordsFile}'\ncp -r '${directory.at('left')}/.' .\nexit ${leaves.code}\n`,
    );
    await chmod(directory.at('npx'), 0o755);
    const out = given['out'] ?? inputs['out']?.default ?? '';
    await mkdir(directory.at(`left/${out}`), { recursive: true });
    await mkdir(directory.at(`work/${out}`), { recursive: true });
    const { report, earlier } = leaves;
    if (report !== undefined) {
      const text = typeof report === 'string' ? report : renderJson(report);
      await writeFile(directory.at(`left/${out}/report.json`), text);
    }
    if (earlier) await writeFile(directory.at(`work/${out}/report.json`), renderJson(earlier));
    const steps: Record<string, Record<string, string>> = {};
    const valueOf = (text: string) =>
      text.replaceAll(/\$\{\{ (?:inputs\.([\w-]+)|steps\.(\w+)\.outputs\.(\w+)) \}\}/g, (_, input, step, name) =>
        input === undefined ? (steps[step]?.[name] ?? '') : (given[input] ?? inputs[input]?.default ?? ''),
      );
    let last: number | null = 0;
    for (const { id = 'none', if: condition, run, env = {} } of runs.steps) {
      if (run === undefined || (last !== 0 && condition !== 'always()')) continue;
      const file = directory.at(`${id}.out`);
      await writeFile(file, '');
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
        cwd: directory.at('work'),
        env: {
          PATH: [directory.path, dirname(process.execPath), process.env['PATH']].join(delimiter),
          GITHUB_OUTPUT: file,
          ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, valueOf(text)])),
        },
      });
      last = await new Promise<number | null>((resolve) => child.once('close', resolve));
      steps[id] = Object.fromEntries(
        (await readFile(file, 'utf8')).split('\n').flatMap((line) => (line === '' ? [] : [line.split('=', 2)])),
      );
    }
    return {
      words: (await readFile(wordsFile, 'utf8')).trimEnd().split('\n'),
      code: last,
      outputs: Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, valueOf(value)])),
    };
  }

  it('runs testcontainers with an image, unless the packages name it', async () => {
    const { major } = optionalPackages.testcontainers;
    const run = await runAction({ image: 'acme/app' }, { code: 0, report: cleanReport });
    expect(run.words.filter((word) => word.startsWith('--package='))).toEqual([
      '--package=svc-conform',
      `--package=testcontainers@${major}`,
    ]);
    const named = await runAction(
      { image: 'acme/app', package: 'svc-conform testcontainers@12.0.1' },
      { code: 0, report: cleanReport },
    );
    expect(named.words.filter((word) => word.includes('testcontainers'))).toEqual(['--package=testcontainers@12.0.1']);
  });

  it('outputs the verdict, the counts and the path of the report of a run that passes', async () => {
    const run = await runAction({ 'working-directory': 'server' }, { code: 0, report: cleanReport });
    expect(run.code).toBe(0);
    expect(run.outputs).toEqual({
      verdict: 'conformant',
      passed: 'true',
      'exit-code': '0',
      report: 'server/conformance-report',
      pass: String(cleanReport.summary.pass),
      fail: '0',
      warn: '0',
      blocked: '0',
      'not-exercised': String(cleanReport.summary.notExercised),
    });
  });

  it.each([1, 3])('outputs them before it fails with %i', async (code) => {
    const run = await runAction({}, { code, report: manyFailuresReport });
    expect(run.code).toBe(code);
    expect(run.outputs).toMatchObject({
      verdict: manyFailuresReport.verdict,
      passed: 'false',
      'exit-code': String(code),
      fail: String(manyFailuresReport.summary.fail),
      report: 'conformance-report',
    });
  });

  it('outputs no verdict if nothing was judged, whatever file exists', async () => {
    const run = await runAction({}, { code: 2, report: cleanReport });
    expect(run).toMatchObject({ code: 2, outputs: { verdict: '', passed: 'false', 'exit-code': '2', pass: '' } });
  });

  it.each([1, 3])('does not use the report of an earlier run if a run with %i wrote none', async (code) => {
    const outputs = { verdict: '', passed: 'false', 'exit-code': String(code), pass: '' };
    expect(await runAction({}, { code, earlier: cleanReport })).toMatchObject({ code, outputs });
    expect(await runAction({ out: 'a b' }, { code, earlier: cleanReport })).toMatchObject({ code, outputs });
    expect(await runAction({}, { code })).toMatchObject({ code, outputs });
  });

  it('ends with the code of the run, also if its report cannot be read', async () => {
    expect(await runAction({}, { code: 3, report: '{' })).toMatchObject({ code: 3, outputs: { 'exit-code': '3' } });
  });

  it('accepts arguments on separate lines', async () => {
    const { words } = await runAction(
      { arguments: '--thorough\n--answer-timeout 5\n\n--confirm 2\n' },
      { code: 0, report: cleanReport },
    );
    expect(words.slice(-5)).toEqual(['--thorough', '--answer-timeout', '5', '--confirm', '2']);
  });

  it('passes its inputs word by word, without empty ones', async () => {
    const some = {
      config: 'a b.json',
      shard: '2/4',
      seed: '7',
      'fail-on': 'should',
      baseline: '$(touch owned)',
      arguments: '--thorough  --answer-timeout 5 *',
      package: './svc.tgz testcontainers@12',
      out: 'out/here',
    };
    const { words } = await runAction(some, { code: 0, report: cleanReport });
    expect(words).toEqual([
      ...[
        '--yes',
        '--package=./svc.tgz',
        '--package=testcontainers@12',
        '--',
        'svc-conform',
        'check',
        '--config',
        'a b.json',
      ],
      ...['--shard', '2/4', '--seed', '7', '--baseline', '$(touch owned)', '--fail-on', 'should'],
      ...['--format', 'html,junit,sarif', '--out', 'out/here', '--thorough', '--answer-timeout', '5', '*'],
    ]);
    const { words: plain } = await runAction({}, { code: 0, report: cleanReport });
    expect(plain.slice(3)).toEqual([
      'svc-conform',
      'check',
      '--format',
      'html,junit,sarif',
      '--out',
      'conformance-report',
    ]);
    const { words: merge } = await runAction({ merge: 'a b', config: 'x.json' }, { code: 0, report: cleanReport });
    expect(merge.slice(3, 8)).toEqual(['svc-conform', 'report', 'merge', 'a', 'b']);
    expect(merge).not.toContain('x.json');
  });

  it('uses existing flags', () => {
    const flags = flagsOf('check');
    for (const [flag] of action.matchAll(/--(?:config|image|shard|seed|baseline|fail-on|format|out)\b/g)) {
      expect(flags).toContain(flag);
    }
    for (const flag of ['--baseline', '--fail-on', '--format', '--out'])
      expect(flagsOf('report merge')).toContain(flag);
  });
});

function flagsOf(verb: string): (string | undefined)[] {
  const [first, second] = verb.split(' ');
  const command = createProgram().commands.find((one) => one.name() === first);
  const part = second === undefined ? command : command?.commands.find((one) => one.name() === second);
  return part?.options.map(({ long }) => long) ?? [];
}

const pages = { 'github-actions.yml': github, 'gitlab-ci.yml': gitlab, Jenkinsfile: jenkins };

describe.each(Object.entries(short))('examples/ci/%s', (_, page) => {
  it('runs one command of this version, with existing flags and no secrets of the repository', () => {
    const [line, ...others] = [...page.matchAll(/npx --yes svc-conform@(\S+) check ([^\n]*)/g)];
    expect(others).toEqual([]);
    const [, used, words = ''] = line ?? [];
    expect(used).toBe(version);
    const flags = [...words.matchAll(/(?<=\s|^)--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(flags).toContain('--start');
    for (const flag of flags) expect(flagsOf('check')).toContain(flag);
    expect(page).not.toMatch(/secrets\.|credentials\(|--shard|parallel|matrix/);
  });

  it('generates a token that does not have the form of a signing secret, and collects existing files', () => {
    expect(page).toMatch(/CRM_TOKEN="\$\(openssl rand -hex 32\)"/);
    expect(page).toMatch(/HOOK_SECRET="whsec_\$\(openssl/);
    expect(page).toMatch(/AGENT_SECRET="whsec_\$\(openssl/);
    expect(page).toContain('conformance-report/');
    const collected = [...page.matchAll(/conformance-report\/([\w.]+\.\w+)/g)].map(([, name]) => name);
    for (const name of collected) expect(['junit.xml', 'report.html']).toContain(name);
  });
});

describe('the short files', () => {
  it('are accepted by the parsers of their systems', async () => {
    expect(await workflowProblems(short['github-actions.yml'])).toEqual([]);
    expect(await workflowProblems(short['github-actions.yml'].replace('runs-on', 'runs_on'))).not.toEqual([]);
    expect(parse(short['gitlab-ci.yml'])).toMatchObject({ conformance: { script: expect.any(Array) } });
  });
});

describe.each(Object.entries(pages))('examples/ci/shards/%s', (_, page) => {
  it('runs existing commands of this version, with existing flags', () => {
    const lines = [...page.matchAll(/npx --yes "\$SVC_CONFORM" (check|report merge) ([^\n]*)/g)];
    expect(lines.map(([, verb]) => verb)).toEqual(['check', 'report merge']);
    for (const [, verb = '', words = ''] of lines) {
      for (const [flag] of words.matchAll(/(?<=\s|^)--[a-z][a-z-]*/g)) expect(flagsOf(verb)).toContain(flag);
    }
    expect(page).toMatch(new RegExp(`SVC_CONFORM[ :=']+svc-conform@${version.replaceAll('.', '\\.')}'?\n`));
  });

  it('collects files that the merge writes', () => {
    const [, words = ''] = /--format (\S+)'?$/m.exec(page) ?? [];
    const names = words.replace(/'$/, '').split(',');
    const written = names.flatMap((name) => Object.keys(formats[name as keyof typeof formats].files));
    const collected = [...page.matchAll(/conformance-report\/([\w.]+\.\w+)/g)].map(([, name]) => name);
    expect(collected.length).toBeGreaterThan(0);
    for (const name of collected) expect(written).toContain(name);
  });
});

describe('examples/ci/shards/github-actions.yml', () => {
  it('is valid for the parser of GitHub and for actionlint, which detect an invalid one', async () => {
    expect(await workflowProblems(github)).toEqual([]);
    for (const spoilt of [
      github.replace('runs-on', 'runs_on'),
      github.replace('${{ matrix.shard }}', '${{ matrix.shards }}'),
      github.replace('needs: shard', 'needs: shards'),
    ]) {
      expect(await workflowProblems(spoilt)).not.toEqual([]);
    }
  });

  it('merges as many shards as run', () => {
    const { jobs } = parse(github) as { jobs: Record<string, { strategy?: { matrix: { shard: number[] } } }> };
    const shards = jobs['shard']?.strategy?.matrix.shard ?? [];
    expect(shards).toEqual(shards.map((_, at) => at + 1));
    expect(github).toContain(`--shard "$SHARD/${shards.length}"`);
  });
});

describe('examples/ci/fleet', () => {
  it('runs existing commands of this version, with existing flags', () => {
    const examples = `${fleet}${compose}${kubernetes.replaceAll(/\n\s+--/g, ' --')}`;
    const lines = [...examples.matchAll(/ (fleet(?: merge| sign)?) ([^\n]*)/g)];
    const commands = lines.filter(([line]) => /targets\.yaml|merge|sign/.test(line));
    expect(new Set(commands.map(([, verb]) => verb))).toEqual(new Set(['fleet', 'fleet merge', 'fleet sign']));
    for (const [, verb = '', words = ''] of commands) {
      for (const [flag] of words.matchAll(/(?<=\s|^)--[a-z][a-z-]*/g)) expect(flagsOf(verb)).toContain(flag);
    }
    expect(fleet).toContain(`SVC_CONFORM: svc-conform@${version}\n`);
    expect(kubernetes).toContain(`svc-conform@${version} fleet`);
    const { services } = parse(compose, { merge: true }) as { services: Record<string, { command: string }> };
    for (const name of ['worker', 'overview']) {
      const packages = ['bullmq', 'ioredis'] as const;
      const installed = packages.map((one) => `--package ${one}@${optionalPackages[one].major}`).join(' ');
      expect(services[name]?.command).toContain(`--package svc-conform@${version} ${installed} svc-conform fleet`);
    }
  });

  it('keeps the history of a night in which a target failed, and gives the key to the step that signs only', () => {
    const { jobs } = parse(fleet) as { jobs: Record<string, { steps: Step[] }> };
    const { steps = [] } = jobs['overview'] ?? {};
    const save = steps.find(({ uses = '' }) => uses.startsWith('actions/cache/save@'));
    expect(save?.if).toBe('${{ !cancelled() }}');
    const withKey = Object.keys(jobs).filter((name) => JSON.stringify(jobs[name]).includes('SIGNING_KEY'));
    expect(withKey).toEqual(['certificates']);
  });

  it('is a valid workflow that merges as many shards as run', async () => {
    expect(await workflowProblems(fleet)).toEqual([]);
    const { jobs } = parse(fleet) as { jobs: Record<string, { strategy?: { matrix: { shard: number[] } } }> };
    const shards = jobs['shard']?.strategy?.matrix.shard ?? [];
    expect(shards).toEqual(shards.map((_, at) => at + 1));
    expect(fleet).toContain(`--shard "$SHARD/${shards.length}"`);
  });

  it('is a job of Kubernetes with as many indexes as shards, which retries only what has no result', () => {
    const { spec } = parse(kubernetes) as {
      spec: {
        completions: number;
        completionMode: string;
        podFailurePolicy: { rules: { action: string; onExitCodes?: { values: number[]; containerName: string } }[] };
        template: { spec: { containers: { name: string }[] } };
      };
    };
    expect(spec.completionMode).toBe('Indexed');
    expect(kubernetes).toContain(`--shard "$((JOB_COMPLETION_INDEX + 1))/${spec.completions}"`);
    const [first] = spec.podFailurePolicy.rules;
    expect(first).toMatchObject({ action: 'FailIndex', onExitCodes: { values: [1, 2] } });
    expect(first?.onExitCodes?.containerName).toBe(spec.template.spec.containers[0]?.name);
  });
});

describe('the actions of GitHub', () => {
  it('have the same version on every page', () => {
    const versions = new Map<string, Set<string>>();
    for (const [, name = '', used = ''] of [action, github, fleet, ...Object.values(short), docs, readme]
      .join('\n')
      .matchAll(/uses: ((?:actions|github)\/[\w/-]+)@(\S+)/g)) {
      versions.set(name, (versions.get(name) ?? new Set()).add(used));
    }
    expect(versions.size).toBeGreaterThan(3);
    for (const [name, used] of versions) expect([name, ...used]).toHaveLength(2);
  });
});

describe('examples/ci/shards/gitlab-ci.yml', () => {
  const jobs = parse(gitlab) as Record<string, Record<string, unknown>>;

  it('numbers its shards as GitLab does, and keeps what failed', () => {
    expect(jobs['conformance']).toMatchObject({
      parallel: 4,
      allow_failure: { exit_codes: [1, 3] },
      artifacts: { when: 'always', paths: ['shards/'] },
    });
    expect(gitlab).toContain('--shard "$CI_NODE_INDEX/$CI_NODE_TOTAL"');
  });

  it('gives GitLab the merged report, also of a run that fails', () => {
    expect(jobs['conformance-report']).toMatchObject({
      needs: ['conformance'],
      artifacts: { when: 'always', reports: { junit: 'conformance-report/junit.xml' } },
    });
  });
});

describe('examples/ci/shards/Jenkinsfile', () => {
  it('merges as many shards as run', () => {
    const [, list = ''] = /values ('\d'(?:, '\d')*)/.exec(jenkins) ?? [];
    const shards = [...list.matchAll(/\d/g)].map(([digit]) => digit);
    expect(shards).toHaveLength(4);
    expect(jenkins).toContain(`--shard "$SHARD/${shards.length}"`);
    expect([...jenkins.matchAll(/unstash 'shard-(\d)'/g)].map(([, digit]) => digit)).toEqual(shards);
  });

  it.each([jenkins, short.Jenkinsfile])('closes what it opens', (text) => {
    const code = text.replaceAll(/\/\/.*$/gm, '').replaceAll(/'''[\s\S]*?'''|'[^'\n]*'|"[^"\n]*"/g, '');
    const open: string[] = [];
    for (const [mark] of code.matchAll(/[{}()[\]]/g)) {
      if ('{(['.includes(mark)) open.push(mark);
      else expect(`${open.pop()}${mark}`).toMatch(/^(?:\{\}|\(\)|\[\])$/);
    }
    expect(open).toEqual([]);
  });
});

describe('docs/ci.md', () => {
  const rows = (heading: string) => {
    const [, table = ''] = docs
      .replaceAll(/ +\|/g, ' |')
      .split(new RegExp(`\\| ${heading} \\|[^\\n]*\\n\\| -[^\\n]*\\n`));
    const [lines = ''] = table.split('\n\n', 1);
    return lines.split('\n').map((line) => line.split(/(?<!\\) ?\| ?/).slice(1, -1));
  };

  it('lists the inputs of the action with their defaults, and its outputs', () => {
    expect(rows('input')).toEqual(
      Object.entries(inputs).map(([name, { description, default: value }]) => [
        `\`${name}\``,
        description,
        value === undefined ? '' : `\`${value}\``,
      ]),
    );
    const { outputs: described } = parse(action) as { outputs: Record<string, { description: string }> };
    expect(rows('output')).toEqual(
      Object.entries(described).map(([name, { description }]) => [`\`${name}\``, description]),
    );
  });

  it('lists every format with its files', () => {
    expect(rows('name').map(([name, files]) => [name, files])).toEqual(
      Object.entries(formats).map(([name, { files }]) => [
        `\`${name}\``,
        Object.keys(files)
          .map((file) => `\`${file}\``)
          .join(', '),
      ]),
    );
  });

  it('lists every event of --events', () => {
    const kinds = Object.values(schemas.runEvent.$defs ?? {}).map((event) => {
      const kind = event.properties?.['event'];
      return kind === undefined || kind === false ? undefined : kind.const;
    });
    expect(kinds).toHaveLength(7);
    expect(rows('event').map(([kind]) => kind)).toEqual(kinds.map((kind) => `\`${kind as string}\``));
  });
});
