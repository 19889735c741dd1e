import { formatConfigProblems } from './config-problem.ts';
import { sentence, type FaultRow } from './fault-row.ts';
import type { StrayTunnel } from './stray-tunnel.ts';

const example = `There is no config file in this directory or above, and no flag gives an endpoint. To see a complete run first:
  npx svc-conform demo
To check one endpoint, with its secret in the environment:
  npx svc-conform check --crm-url http://127.0.0.1:8080/crm --crm-token env:CRM_TOKEN
To write a config file for everything that you have:
  npx svc-conform init`;

/** The place of a config in which a key is, as the beginning of a sentence. */
function at(source: string | undefined, key: string): string {
  return source === undefined ? key : `${source}: ${key}`;
}

/** Faults of the config, its secrets and its addresses. */
export const configFaults = {
  'config-not-found': {
    exitCode: 2,
    meaning: 'No config file and no flags name a surface.',
    remediation: 'Write svc-conform.config.json, give its path with --config, or name one endpoint with flags.',
    message: {
      'no-target': example,
      file: ({ file }: { file: string }) => `${file}: there is no such file.`,
      'no-endpoint': ({ flags }: { flags: string }) =>
        `There is no config file in this directory or above: give ${flags}.`,
      conformance: ({ directory }: { directory: string }) =>
        `There is no svc-conform.config.{ts,js,json,yaml} in ${directory} or above it: write one, or give conformance() a config.`,
    },
  },
  'config-unreadable': {
    exitCode: 2,
    meaning: 'The config file cannot be read or is not in its format.',
    remediation: 'Correct the file at the position that the message names, or its permissions.',
    message: {
      extension: ({ file, extensions }: { file: string; extensions: readonly string[] }) =>
        `${file}: expected a file that ends in ${extensions.join(', ')}.`,
      content: ({ file, reason }: { file: string; reason: string }) => `${file} cannot be read: ${reason}`,
    },
  },
  'config-invalid': {
    exitCode: 2,
    meaning: 'The config has a key or value that is not allowed.',
    remediation: 'Change each key that the message lists to the expected value; docs/config.md describes all keys.',
    message: {
      problems: formatConfigProblems,
      option: ({ option, advice }: { option: string; advice: string }) =>
        `conformance() has no option ${option}. ${advice}`,
      container:
        'conformance() does not start containers: start it in a globalSetup of Vitest and remove container from the config, or run npx svc-conform check.',
      start:
        'conformance() does not start endpoints: start yours in a globalSetup of Vitest and remove start from the config, or run npx svc-conform check.',
    },
  },
  'secret-missing': {
    exitCode: 2,
    meaning: 'An environment variable that holds a secret or key is not set.',
    remediation: 'Set the variable in the environment of the command, in CI as a secret of the job.',
    message: {
      variable: ({
        source,
        key,
        reference,
        isEmpty,
      }: {
        source?: string | undefined;
        key: string;
        reference: string;
        isEmpty: boolean;
      }) =>
        `${at(source, key)} is ${reference}, but the environment variable ${reference.slice('env:'.length)} is ${isEmpty ? 'empty' : 'not set'}.`,
      key: ({ flag, reference }: { flag: string; reference: string }) =>
        `${flag} ${reference}: expected a key in the environment variable ${reference.slice('env:'.length)}, received nothing.`,
    },
  },
  'secret-exposed': {
    exitCode: 2,
    meaning: 'A flag contains a secret. Other users of the machine can see the command line.',
    remediation: 'Put the secret into an environment variable and give env:NAME. Replace the exposed secret.',
    message: {
      credential: ({ flag }: { flag: string }) =>
        `${flag}: expected env:NAME, the environment variable that contains it, because a secret on the command line is visible to others.`,
      key: ({ flag }: { flag: string }) =>
        `${flag}: expected a file or env:NAME, received a key. Others can see a secret on the command line.`,
    },
  },
  'api-key-invalid': {
    exitCode: 2,
    meaning: 'The API key of the simulated service does not have the form that the interface documents.',
    remediation: 'Use a key that begins with svc_sk_, or omit --api-key so that one is generated.',
    message: ({ place, keyPrefix }: { place: string; keyPrefix: string }) =>
      `${place}: expected a key that begins with ${keyPrefix}, followed by letters, digits, - or _ (not shown).`,
  },
  'address-not-allowed': {
    exitCode: 2,
    meaning:
      'http: and ws: are allowed only for loopback and for private hosts of --allow-http, because the traffic contains credentials.',
    remediation: 'Use https: or wss:, run the endpoint on this machine, or name a private host with --allow-http.',
    message: {
      scheme: ({
        source,
        key,
        address,
        scheme,
        hosts,
        use,
        instead,
      }: {
        source?: string | undefined;
        key: string;
        address: string;
        scheme: string;
        hosts: string;
        use: string;
        /** The host, if it is private. */
        instead?: string | undefined;
      }) =>
        `${at(source, key)} is ${address}; ${scheme} is allowed for ${hosts}. Use ${use}${instead === undefined ? '.' : `, or --allow-http ${instead} for this private host.`}`,
      public: ({ host, address }: { host: string; address: string }) =>
        `--allow-http ${host}: expected a private host, but it resolves to ${address}, which is public. Use https: or wss:.`,
      unresolved: ({ host, reason }: { host: string; reason: string }) =>
        `--allow-http ${host}: expected a private host, but this name cannot be resolved (${reason}).`,
      proxy: ({ host, proxy }: { host: string; proxy: string }) =>
        `--allow-http ${host}: expected a direct connection, but the proxy ${proxy} would resolve this host and receive the traffic. Add it to NO_PROXY, set proxy to false, or use https: or wss:.`,
      container: ({ address, host }: { address: string; host: string }) =>
        `${address}: expected https: or wss:, because containers run on ${host}, outside this machine and its local network.`,
    },
  },
  'address-not-confirmed': {
    exitCode: 2,
    meaning:
      'Only a report or a scenario names the address or command, or a load would reach another machine. It is not contacted, read or run.',
    remediation: 'Check that it is yours and repeat the command with the flags that the message lists.',
    message: {
      report: ({ reason, advice }: { reason: string; advice: string }) =>
        `${reason} An endpoint, file or command that only a report names is not contacted, read or run. ${advice}`,
      load: ({ host }: { host: string }) =>
        `A load on ${host} may disturb others there. If the endpoint is yours and no one depends on it now, repeat the command with --yes.`,
      redacted: ({ reason, flags }: { reason: string; flags: string }) => `${reason} Give ${flags}.`,
      scenario: ({ place, field, address, flag }: { place: string; field: string; address: string; flag: string }) =>
        `${place}: connect.${field} is ${address}, which only the scenario names. If it is yours, add it to the config, or give --connect ${flag}.`,
    },
  },
  'endpoint-missing': {
    exitCode: 2,
    meaning: 'The command is about an endpoint that neither the config nor a flag names.',
    remediation: 'Add the surface to the config, or give the flags that the message names.',
    message: {
      config: ({ source, key, flags }: { source: string; key: string; flags: string }) =>
        `${source} has no key ${key}: add the endpoint there${flags}.`,
      report: ({ surface }: { surface: string }) => `The report is not about ${surface}.`,
      send: ({ name, key, where, flags }: { name: string; key: string; where: string; flags: string }) =>
        `send ${name} needs an address: ${key} in ${where}, or ${flags}.`,
      ambiguous: ({ surfaces }: { surfaces: readonly string[] }) =>
        `An address or secret belongs to one endpoint, and this is about ${surfaces.join(' and ')}: select one of them, or give --config.`,
    },
  },
  'public-url-astray': {
    exitCode: 2,
    meaning: 'A request to service.publicUrl does not arrive at this process.',
    remediation:
      'Configure the tunnel or proxy to forward requests, with path and query, to service.host and service.port.',
    message: ({ publicUrl, found, where }: { publicUrl: string; found: string; where: string }) =>
      `service.publicUrl is ${publicUrl}, but a test request to it ${found}. Configure the tunnel or proxy there to forward requests, with path and query, to ${where}. If only your endpoint can reach that address, set service.publicUrlCheck to false.`,
  },
  'tunnel-failed': {
    exitCode: 2,
    meaning: 'The command of service.tunnel or --tunnel did not lead requests here.',
    remediation:
      'Run the command alone, with {port} replaced by the port of a local server, and open the address that it prints.',
    message: {
      exited: ({ command, how, output }: { command: string; how: string; output: string }) =>
        `The tunnel ${command} ${how} before a request through it arrived.${output}`,
      'no-address': ({ command, seconds, output }: { command: string; seconds: number; output: string }) =>
        `The tunnel ${command} printed no tunnel address within ${seconds} s; set service.publicUrl if it prints none.${output}`,
      astray: ({ command, address, found, output }: StrayTunnel) =>
        `The tunnel ${command} leads to ${address}, but a test request to it ${found}.${output}`,
      'no-port': 'Write {port} in the command of the tunnel, or set service.port to the port to which it forwards.',
      unsupported: 'service.tunnel is not supported here. Start the tunnel yourself, and set service.publicUrl.',
    },
  },
  'service-not-started': {
    exitCode: 2,
    meaning: 'The simulated service cannot listen on the configured address.',
    remediation: 'Choose another host or port, or stop the program that uses the port.',
    message: {
      address: ({ host, port, reason }: { host: string; port: number; reason: string }) =>
        `The service cannot listen on ${host}:${port}: ${reason}. Set --host and --port of serve, or service.host and service.port in the config.`,
      inbox: ({ reason }: { reason: string }) =>
        `${reason} Set service.host and service.port in the config; without a port, any free one is used.`,
    },
  },
  'suite-unusable': {
    exitCode: 2,
    meaning: "A suite of the integrator's own cannot be used.",
    remediation: 'Correct the suite or the pattern that names it; docs/own-suites.md shows one.',
    message: {
      'no-file': ({ pattern, hint }: { pattern: string; hint: string }) =>
        `suites: no file matches ${pattern}.${sentence(hint)}`,
      'not-code': ({ file }: { file: string }) =>
        `suites: expected TypeScript or JavaScript files, received ${file}. Use a pattern that matches only suites.`,
      problems: ({ problems }: { problems: readonly string[] }) => problems.join('\n'),
      requirement: ({ problem }: { problem: string }) => problem,
      'foreign-requirement': ({ received }: { received: string }) =>
        `check(): expected one of your own requirements, the result of requirement({ id, section, level, statement, remediation }), received ${received}. svc-conform checks the interface's requirements itself.`,
      title: ({ id, title }: { id: string; title: string }) =>
        `check() of ${id}: expected a title in words, received ${title}`,
      error: ({ file, message }: { file: string; message: string }) => `${file}: ${message}`,
    },
  },
} as const satisfies Record<string, FaultRow>;
