import { isLoopback } from '../../specs/is-loopback.ts';
import { endpointSurfaces, surfaceTable } from '../../specs/surfaces.ts';
import type { CiSystem, InitAnswers } from './init-answers.ts';

/** A CI file, and what remains to be done with it. */
export interface CiFile {
  /** With slashes, from the directory of the config. */
  path: string;
  text: string;
  /** One or two sentences. */
  next: string;
}

/** A pipeline file with one job. Files that a CI system reads by itself, except on GitHub, exist already where it is in use. */
export function ciFile(
  system: CiSystem,
  answers: InitAnswers,
  { version, hasLockFile }: { version: string; hasLockFile: boolean },
): CiFile {
  const secrets = new Map<string, Credential>();
  for (const surface of endpointSurfaces) {
    const { [surface]: endpoint } = answers.endpoints;
    // Surfaces may share a variable; then the form of a secret of signatures is valid as a token, too.
    if (endpoint && secrets.get(endpoint.variable) !== 'secret')
      secrets.set(endpoint.variable, surfaceTable[surface].endpoint.credential);
  }
  const isLocal = Object.values(answers.endpoints).every(({ url }) => isLoopback(new URL(url).hostname));
  const starts = isLocal && secrets.size > 0;
  // The usual command of a Node project, for the user to change.
  const start = starts && answers.start === undefined ? " --start 'npm start'" : '';
  const run = `npx --yes svc-conform@${version} check${start} --format html,junit`;
  const job: Job = {
    names: [...secrets.keys()],
    secrets,
    isLocal,
    installs: (isLocal || answers.client !== undefined) && hasLockFile,
    run,
  };
  const variables = job.names.join(', ');
  switch (system) {
    case 'github':
      return {
        path: '.github/workflows/conformance.yml',
        text: githubFile(job),
        next: job.isLocal ? 'It needs no secrets.' : `Store ${variables} as secrets of the repository.`,
      };
    case 'gitlab':
      return {
        path: 'conformance.gitlab-ci.yml',
        text: gitlabFile(job),
        next: `${isLocal ? '' : `Set ${variables} as masked variables under Settings > CI/CD. `}Include it in .gitlab-ci.yml: include: [{ local: conformance.gitlab-ci.yml }]`,
      };
    case 'jenkins':
      return {
        path: 'conformance.Jenkinsfile',
        text: jenkinsFile(job),
        next: `${isLocal ? '' : `Store ${variables} as credentials (secret text). `}Create a pipeline job with this script path.`,
      };
  }
}

/** A bearer token, or a secret that signs. */
type Credential = 'token' | 'secret';

interface Job {
  /** Environment variables with secrets. */
  names: readonly string[];
  /** The kind of each. */
  secrets: ReadonlyMap<string, Credential>;
  /** The endpoints run in the job, so it can generate their secrets. */
  isLocal: boolean;
  /** Whether it installs the dependencies of the project; `npm ci` needs a lock file. */
  installs: boolean;
  run: string;
}

/** A random value for each variable, in a shell. */
function generated({ secrets }: Job): string[] {
  const values = { secret: '"whsec_$(openssl rand -base64 32)"', token: '"$(openssl rand -hex 32)"' };
  return [...secrets].map(([name, credential]) => `${name}=${values[credential]}`);
}

/** Instructions for the user of the file, at its top. */
function heading({ isLocal, names }: Job): string {
  if (names.length === 0) return 'What to change: nothing.';
  return isLocal
    ? 'What to change: the command that starts your endpoints. The job generates their secrets and keeps none.'
    : `What to change: nothing, once ${names.join(', ')} ${names.length > 1 ? 'are' : 'is'} stored in the CI system.`;
}

function githubFile(job: Job): string {
  const { names, isLocal, installs, run } = job;
  const secrets = names.map((name) => `          ${name}: \${{ secrets.${name} }}`);
  return `${[
    `# ${heading(job)}`,
    'name: Conformance',
    '',
    'on:',
    '  push:',
    '    branches: [main]',
    '  pull_request:',
    '',
    'permissions:',
    '  contents: read',
    '',
    'jobs:',
    '  conformance:',
    // Pull requests from forks get no secrets.
    ...(isLocal ? [] : ['    if: github.event.pull_request.head.repo.fork != true']),
    '    runs-on: ubuntu-latest',
    '    timeout-minutes: 20',
    '    steps:',
    '      - uses: actions/checkout@v7',
    '      - uses: actions/setup-node@v7',
    '        with:',
    "          node-version: '24'",
    ...(isLocal && names.length > 0
      ? [
          '      - name: Generate the secrets of this job',
          '        run: |',
          ...generated(job).map((line) => `          echo ${line} >> "$GITHUB_ENV"`),
        ]
      : []),
    ...(installs ? ['      - run: npm ci'] : []),
    '      - name: Check',
    `        run: ${run}`,
    ...(isLocal ? [] : ['        env:', ...secrets]),
    '      - uses: actions/upload-artifact@v7',
    '        if: ${{ !cancelled() }}',
    '        with:',
    '          name: conformance-report',
    '          path: conformance-report/',
  ].join('\n')}\n`;
}

function gitlabFile(job: Job): string {
  const { names, isLocal, installs, run } = job;
  return `${[
    `# ${heading(job)}`,
    ...(isLocal ? [] : [`# Set ${names.join(', ')} as masked variables under Settings > CI/CD.`]),
    'conformance:',
    '  image: node:24',
    '  timeout: 20 minutes',
    '  script:',
    ...(isLocal ? generated(job).map((line) => `    - export ${line}`) : []),
    ...(installs ? ['    - npm ci'] : []),
    `    - ${run}`,
    '  artifacts:',
    '    when: always',
    '    paths: [conformance-report/]',
    '    reports:',
    '      junit: conformance-report/junit.xml',
  ].join('\n')}\n`;
}

function jenkinsFile(job: Job): string {
  const { names, isLocal, installs, run } = job;
  const credentials = names.map((name) => `            ${name} = credentials('${name}')`);
  const lines = [
    ...(isLocal ? generated(job).map((line) => `                    export ${line}`) : []),
    ...(installs ? ['                    npm ci'] : []),
    `                    ${run}`,
  ];
  return `${[
    `// ${heading(job)}`,
    'pipeline {',
    '    agent any',
    "    options { timeout(time: 20, unit: 'MINUTES') }",
    '    stages {',
    "        stage('Conformance') {",
    ...(isLocal ? [] : ['            environment {', ...credentials.map((line) => `    ${line}`), '            }']),
    '            steps {',
    "                sh '''#!/bin/bash -e",
    ...lines,
    "                '''",
    '            }',
    '        }',
    '    }',
    '    post {',
    '        always {',
    "            junit 'conformance-report/junit.xml'",
    "            archiveArtifacts 'conformance-report/**'",
    '        }',
    '    }',
    '}',
  ].join('\n')}\n`;
}
