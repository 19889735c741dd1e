import type { FaultRow } from './fault-row.ts';

/** Faults of this machine, of containers and of svc-conform itself. */
export const systemFaults = {
  'package-missing': {
    exitCode: 2,
    meaning: 'The command needs a package that is installed separately, so that the usual installation stays small.',
    remediation:
      'Run the command of the message in the directory of your project, or in that of the Dockerfile of svc-conform.',
    message: ({ names, uses, command }: { names: readonly string[]; uses: readonly string[]; command: string }) =>
      `${names.map((name, at) => `${name} is not installed; svc-conform needs it for ${uses[at]}.`).join(' ')} Install: ${command}`,
  },
  'container-runtime-missing': {
    exitCode: 3,
    meaning: 'Docker, or another container runtime, could not be reached.',
    remediation: 'Start it, give this user access to it, or set DOCKER_HOST.',
    message:
      'Neither Docker nor another container runtime could be reached. Check that it is running and that this user may use it; set DOCKER_HOST if it runs elsewhere.',
  },
  'image-not-found': {
    exitCode: 3,
    meaning: 'The image is not on this machine and could not be pulled.',
    remediation: 'Check its name and tag, and log in to its registry.',
    message: ({ image, reason }: { image: string; reason: string }) =>
      `The image ${image} is not on this machine and could not be pulled: ${reason}.`,
  },
  'container-incomplete': {
    exitCode: 2,
    meaning: 'The config does not state which image to start, or on which port it listens.',
    remediation: 'Set container.image or give --image, and set container.port.',
    message: {
      image: 'The config has container, but no image: give --image, or set container.image.',
      port: ({ image, ports }: { image: string; ports: readonly number[] }) =>
        `The port of ${image} is unknown: it exposes ${ports.length === 0 ? 'none' : ports.join(', ')}. Set container.port in the config.`,
    },
  },
  'container-not-supported': {
    exitCode: 2,
    meaning: 'The config names a container to start, and this command starts none.',
    remediation: 'Start the container yourself and give its address.',
    message: {
      diagnose: ({ address, flags }: { address: string; flags: string }) =>
        `diagnose does not start containers, and the address is ${address}. Give the address of a running one with ${flags}.`,
      load: ({ address }: { address: string }) =>
        `load does not start containers, and the config has the address ${address}. Give the address of a running one.`,
      serve: ({ address }: { address: string }) =>
        `serve does not start containers, and the config has the address ${address}. Give a config with the address of a running one with --config.`,
      send: ({ key, address, flags }: { key: string; address: string; flags: string }) =>
        `send does not start containers, and ${key}.url is ${address}. Give the address of a running one with ${flags}.`,
    },
  },
  'container-not-started': {
    exitCode: 3,
    meaning: 'The container could not be started.',
    remediation: 'Start the image yourself with the same variables; the message contains its latest output.',
    message: ({ image, reason, hint, output }: { image: string; reason: string; hint: string; output: string }) =>
      `A container of ${image} could not be started: ${reason}.${hint}${output}`,
  },
  'container-not-ready': {
    exitCode: 3,
    meaning: 'The container did not become ready in time, or exited before it was ready.',
    remediation: 'Read its latest output in the message; container.wait sets the condition and the timeout.',
    message: {
      timeout: ({
        image,
        seconds,
        missing,
        output,
      }: {
        image: string;
        seconds: number;
        missing: string;
        output: string;
      }) => `The container of ${image} was not ready after ${seconds} s: ${missing}${output}`,
      exited: ({ image, exitCode, output }: { image: string; exitCode: number; output: string }) =>
        `The container of ${image} exited with code ${exitCode} before it was ready.${output}`,
    },
  },
  'endpoint-not-started': {
    exitCode: 3,
    meaning: 'The command of --start or of the key start was not run.',
    remediation: 'Stop the program that uses the address, or correct start.cwd.',
    message: {
      directory: ({ command, directory }: { command: string; directory: string }) =>
        `${command} could not be started: there is no directory ${directory}.`,
      occupied: ({ command, place }: { command: string; place: string }) =>
        `${command} was not started: something already listens at ${place}. Stop it, or omit the command to check what listens there.`,
      address: ({ command, place, reason }: { command: string; place: string; reason: string }) =>
        `${command} was not started: svc-conform cannot listen at ${place} for its instances (${reason}).`,
    },
  },
  'endpoint-not-ready': {
    exitCode: 3,
    meaning: 'The command of --start or of the key start did not listen in time, or ended before it did.',
    remediation: 'Read its latest output in the message; start.wait sets the condition and the timeout.',
    message: {
      timeout: ({
        command,
        seconds,
        missing,
        output,
      }: {
        command: string;
        seconds: number;
        missing: string;
        output: string;
      }) => `${command} was not ready after ${seconds} s: ${missing}${output}`,
      exited: ({ command, how, output }: { command: string; how: string; output: string }) =>
        `${command} ${how} before it was ready.${output}`,
    },
  },
  'out-of-resources': {
    exitCode: 3,
    meaning: 'This machine has too few file handles, or too little memory or disk space, for the run.',
    remediation: 'Raise the limit that the message names, or free the resource.',
    message: {
      error: ({ advice, reason }: { advice: string; reason: string }) => `${advice} Node reports: ${reason}`,
      files: ({ needed, limit }: { needed: number; limit: number }) =>
        `A run needs ${needed} file handles, and this process may open ${limit}: raise its limit (ulimit -n ${needed}).`,
    },
  },
  'inbox-not-started': {
    exitCode: 3,
    meaning: 'The inbox for callbacks and replies could not listen.',
    remediation: 'Choose another service.host or service.port, or stop the program that uses the port.',
    message: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
      `The inbox cannot listen on ${host}:${port}: ${reason}.`,
  },
  'engine-failed': {
    exitCode: 3,
    meaning: 'svc-conform itself failed, or a component that it needs: Vitest, or the verifier of Pact.',
    remediation: 'Run again. If it fails again, report it as a defect, with the message.',
    message: {
      error: ({ reason }: { reason: string }) => reason,
      suites: ({ failures }: { failures: readonly string[] }) => failures.join('\n'),
      'kill-matrix': 'This build of svc-conform lacks its kill matrix.',
      'package-not-loaded': ({
        name,
        platform,
        arch,
        reason,
      }: {
        name: string;
        platform: string;
        arch: string;
        reason: string;
      }) => `${name} cannot be loaded on this system (${platform}, ${arch}): ${reason}`,
      'pact-no-result': ({ received }: { received: string }) => `Pact's verifier gave no result: ${received}`,
      'contract-replay': ({ reason }: { reason: string }) => `The contract could not be replayed: ${reason}.`,
    },
  },
  'queue-address': {
    exitCode: 2,
    meaning: 'The address of --queue is not that of Redis or PostgreSQL.',
    remediation: 'Give redis://… or postgres://…, or env:NAME with a variable that contains it.',
    message: {
      scheme: ({ received }: { received: string }) =>
        `--queue: expected redis://…, rediss://…, postgres://… or env:NAME, received ${received}.`,
      variable: ({ reference }: { reference: string }) =>
        `--queue ${reference}: expected an address in this environment variable, received nothing.`,
      password:
        '--queue: expected env:NAME for an address with a password, which other users of this machine can read in a command.',
    },
  },
  'queue-unreachable': {
    exitCode: 3,
    meaning: 'The database with the queue of a fleet could not be used.',
    remediation: 'Check its address, user and password, and that this machine may reach it.',
    message: ({ address, reason }: { address: string; reason: string }) =>
      `The queue at ${address} cannot be used: ${reason}.`,
  },
  'run-in-progress': {
    exitCode: 2,
    meaning: 'Another run of this process has not ended.',
    remediation: 'Await the first call of run() before the next one.',
    message: 'run(): another run of this process has not ended. Await it first.',
  },
} as const satisfies Record<string, FaultRow>;
