import { isLoopback } from '../../specs/is-loopback.ts';
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
  const names = [...new Set(Object.values(answers.endpoints).map(({ variable }) => variable))];
  const isLocal = Object.values(answers.endpoints).every(({ url }) => isLoopback(new URL(url).hostname));
  // The usual command of a Node project, for the user to change.
  const start = isLocal && answers.start === undefined ? " --start 'npm start'" : '';
  const run = `npx --yes svc-conform@${version} check${start} --format html,junit`;
  const job: Job = { names, isLocal, installs: isLocal && hasLockFile, run };
  const variables = names.join(', ');
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

interface Job {
  /** Environment variables with secrets. */
  names: readonly string[];
  /** The endpoints run in the job, so it can generate their secrets. */
  isLocal: boolean;
  /** Whether it installs the dependencies of the project; `npm ci` needs a lock file. */
  installs: boolean;
  run: string;
}

/** A random value for a variable, in a shell: valid as a token and as a secret of signatures. */
function generated(name: string): string {
  return `${name}="whsec_$(openssl rand -base64 32)"`;
}

function githubFile({ names, isLocal, installs, run }: Job): string {
  const secrets = names.map((name) => `          ${name}: \${{ secrets.${name} }}`);
  return `${[
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
    ...(isLocal
      ? [
          '      - name: Generate the secrets of this job',
          '        run: |',
          ...names.map((name) => `          echo ${generated(name)} >> "$GITHUB_ENV"`),
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

function gitlabFile({ names, isLocal, installs, run }: Job): string {
  return `${[
    ...(isLocal ? [] : [`# Set ${names.join(', ')} as masked variables under Settings > CI/CD.`]),
    'conformance:',
    '  image: node:24',
    '  timeout: 20 minutes',
    '  script:',
    ...(isLocal ? names.map((name) => `    - export ${generated(name)}`) : []),
    ...(installs ? ['    - npm ci'] : []),
    `    - ${run}`,
    '  artifacts:',
    '    when: always',
    '    paths: [conformance-report/]',
    '    reports:',
    '      junit: conformance-report/junit.xml',
  ].join('\n')}\n`;
}

function jenkinsFile({ names, isLocal, installs, run }: Job): string {
  const credentials = names.map((name) => `            ${name} = credentials('${name}')`);
  const lines = [
    ...(isLocal ? names.map((name) => `                    export ${generated(name)}`) : []),
    ...(installs ? ['                    npm ci'] : []),
    `                    ${run}`,
  ];
  return `${[
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
