import { sentence, type FaultRow } from './fault-row.ts';

/** Faults of what the user asked for: names, selections, options. All have exit code 2. */
export const selectionFaults = {
  'selection-empty': {
    exitCode: 2,
    meaning: 'The selection leaves no check to run.',
    remediation: 'Select a configured surface and a requirement that a check observes, or omit the selection.',
    message: {
      'no-surface': ({ keys }: { keys: readonly string[] }) =>
        `The config has no endpoint to check: add at least one of ${keys.join(', ')}.`,
      'not-configured': ({ selection, surface, key }: { selection: string; surface: string; key: string }) =>
        `${selection}: the config has no endpoint for ${surface} (key ${key}).`,
      'no-endpoint': ({ surface }: { surface: string }) => `The config has no endpoint for ${surface}.`,
      different: 'The selection is empty: no check matches both --only and --surface.',
      unobservable: ({ id, reason }: { id: string; reason: string }) =>
        `--only ${id}: no check can observe it. ${reason}`,
      'no-check': ({ id }: { id: string }) => `--only ${id}: this version has no check for it.`,
      'nothing-run': ({ where }: { where: string }) => `${where} no check to run.`,
      shard: ({ index, of, most }: { index: number; of: number; most: number }) =>
        `--shard ${index}/${of}: the selection can be split into at most ${most} shards; use --shard ${Math.min(index, most)}/${most}.`,
      captured: ({
        file,
        shown,
        isNarrowed,
        skipped,
      }: {
        file: string;
        shown: readonly string[];
        isNarrowed: boolean;
        skipped: string;
      }) =>
        `${file} shows ${shown.length === 0 ? 'no traffic of this interface' : `only ${shown.join(', ')}`}${isNarrowed ? ', but --surface or --only selects something else' : ''}.${sentence(skipped)}`,
      'no-contract-endpoint': ({ keys }: { keys: string }) =>
        `The config has no endpoint with a contract: add at least one of ${keys}.`,
      'no-interaction': 'The selection is empty: no interaction of the selected surfaces matches --only.',
      'no-contract': ({ surfaces, known }: { surfaces: readonly string[]; known: readonly string[] }) =>
        `--contracts: there is no contract for ${surfaces.join(', ')}; there are contracts for ${known.join(', ')}.`,
      'only-contracts':
        '--contracts with --only: no interaction of a contract has this id or belongs to this requirement. Omit --contracts.',
      'option-requirement': ({ id }: { id: string }) =>
        `only: there is no requirement ${id}. npx svc-conform explain lists them.`,
      'option-path': 'path replays one counterexample: give only with one check, and seed.',
      'options-differ': 'The selection is empty: no check matches both only and surface.',
    },
  },
  'name-unknown': {
    exitCode: 2,
    meaning: 'A surface, format, requirement, check, event or document with this name does not exist.',
    remediation: 'Use one of the names that the message lists or suggests.',
    message: {
      surface: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `--surface ${surface}: there is no such surface.${sentence(near)} Expected one of ${known.join(', ')}.`,
      diagnosed: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `${surface}: expected ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.${sentence(near)}`,
      only: ({ id, note, near }: { id: string; note: string; near: string }) =>
        `--only ${id}: no requirement or check has this id.${sentence(note)}${sentence(near)} svc-conform explain lists the requirements.`,
      contract: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `--surface ${surface}: there is no contract for it.${sentence(near)} Expected one of ${known.join(', ')}.`,
      interaction: ({ id, near }: { id: string; near: string }) =>
        `--only ${id}: no interaction of a contract has this id or belongs to this requirement.${sentence(near)}`,
      target: ({ id, file, near }: { id: string; file: string; near: string }) =>
        `--target ${id}: ${file} has no target with this id.${sentence(near)}`,
      format: ({ format, known, near }: { format: string; known: readonly string[]; near: string }) =>
        `--format ${format}: no such format.${sentence(near)} Expected one of ${known.join(', ')}.`,
      sent: ({ name, known, near }: { name: string; known: string; near: string }) =>
        `send ${name}: unknown event.${sentence(near)} Expected one of\n${known}`,
      explained: ({ id, near }: { id: string; near: string }) =>
        `There is no requirement, cause or code ${id}.${sentence(near)} svc-conform explain lists all of them.`,
      reported: ({ id, near }: { id: string; near: string }) =>
        `${id}: the report has no check, requirement or exchange with this id.${sentence(near)} svc-conform report show lists its contents.`,
      mistake: ({ name, known, near }: { name: string; known: readonly string[]; near: string }) =>
        `--broken ${name}: unknown mistake.${sentence(near)} Expected one of ${known.join(', ')}.`,
      'snippet-language': ({ name, known, near }: { name: string; known: readonly string[]; near: string }) =>
        `--code ${name}: there are no snippets for it.${sentence(near)} Expected one of ${known.join(', ')}.`,
      snippet: ({ id }: { id: string }) => `--code: ${id} has no code; no snippet shows its fix.`,
      provider: ({ provider, known, near }: { provider: string; known: readonly string[]; near: string }) =>
        `--provider: expected ${known.join(', ')}, received ${JSON.stringify(provider)}.${sentence(near)}`,
      captured: ({ flag, name, near }: { flag: string; name: string; near: string }) =>
        `${flag} ${name}: unknown name.${sentence(near)}`,
      option: ({ option, known }: { option: string; known: readonly string[] }) =>
        `run() has no option ${option}. Expected one of ${known.join(', ')}.`,
    },
  },
  'value-invalid': {
    exitCode: 2,
    meaning: 'A flag or option has a value that is not allowed.',
    remediation: 'Give a value of the form that the message states.',
    message: {
      flag: ({
        flag,
        expected,
        received,
        hint,
      }: {
        flag: string;
        expected: string;
        received: string;
        hint?: string | undefined;
      }) => `${flag}: expected ${expected}, received ${received}.${sentence(hint)}`,
      option: ({ option, reason, received }: { option: string; reason: string; received: string }) =>
        `${option}: ${reason}, received ${received}.`,
    },
  },
  'flag-missing': {
    exitCode: 2,
    meaning: 'A flag has an effect only together with another flag, which is missing.',
    remediation: 'Add the flag that the message names, or omit the first one.',
    message: {
      export: ({ file }: { file: string }) => `load writes ${file} only with --export artillery.`,
      address: ({ flag, needed }: { flag: string; needed: string }) =>
        `${flag} needs ${needed} with the endpoint's address.`,
      credential: ({ flag, needed }: { flag: string; needed: string }) => `${flag} needs ${needed} env:NAME.`,
      target: '--target selects a target of a targets file: give the file with --config.',
      broker: 'The broker flags need an address: set --broker-url, or pact.broker.url in the config.',
      'provider-version': '--publish needs --provider-version, the version of the endpoint (a commit).',
      certificate: ({ flag, purpose }: { flag: string; purpose: string }) => `${flag} ${purpose}: add --certificate.`,
      key: '--certificate needs --key: a file, or env:NAME. svc-conform keygen creates one.',
      explained: '--code prints code for one id: svc-conform explain ID --code LANGUAGE.',
      'certificate-directory': 'A certificate is written next to the report: give a directory.',
      chaos:
        '--chaos kills the endpoint and starts it again: give the command that starts it with --start, or --image.',
      seed: '--shard needs --seed, the same for all shards: together they are one run.',
      replay: '--path replays one counterexample: give --only with one check, and --seed, as the report shows them.',
      baseline: 'The shards were compared with a baseline: give it to report merge too, with --baseline.',
      'link-target': ({ flags }: { flags: string }) => `Give the target of the link: one of ${flags}.`,
      init: '--yes asks nothing: give what you have, such as --chat-url http://127.0.0.1:8080/chat.',
      terminal:
        'init asks its questions on a terminal. Elsewhere, give --yes and what you have, such as --chat-url http://127.0.0.1:8080/chat.',
      'link-address': 'Give the kind of link: --app-url https://… for a web link, --scheme for svc://, or both.',
      links: 'Give the links in quotes, --file with a list, or - for standard input.',
      directory: ({ names }: { names: readonly string[] }) =>
        `There are ${names.length} files (${names.join(', ')}): give a directory with --out.`,
    },
  },
  'flags-conflict': {
    exitCode: 2,
    meaning: 'Two flags or options exclude each other.',
    remediation: 'Omit the one that the message names.',
    message: {
      target: 'Select the endpoint with --config or with flags, not with both.',
      start: 'Give either --image or --start, not both: one endpoint is started.',
      credentials: 'Give either --secret or --token: an endpoint has only one of them.',
      links: 'Give either links or --file, not both.',
      'standard-input': 'Give either links or -, not both.',
      'link-targets': ({ flags, given }: { flags: string; given: string }) =>
        `A link has one target: give one of ${flags}, not ${given}.`,
      'shard-only':
        '--shard divides complete suites, and --only selects single checks: omit --shard; a few checks are quick anyway.',
      watch: ({ flag }: { flag: string }) =>
        `--watch re-runs what failed against an endpoint that you restart: omit ${flag}, or omit --watch.`,
      'watch-address':
        '--watch waits for an endpoint to restart, and none of the checked surfaces has an address: omit it.',
      'watch-proxy':
        'Through a proxy, --watch cannot detect that the endpoint restarts, so it waits for Enter: run it on a terminal.',
      'shard-bail':
        '--bail stops one shard, and the reports of the others could not be merged with its own: omit --bail or --shard.',
      'json-events': '--json and --events - both write to standard output: give --events a file.',
      'queue-shard': '--queue distributes the targets itself: omit --shard.',
      'overview-queue': '--no-overview is for a worker of --queue, where another one writes the overview: omit it.',
      'events-anonymize': '--events cannot be combined with --anonymize: events contain real names and addresses.',
      'option-events': 'run(): events contain what the endpoint sent: omit onEvent, or omit anonymize.',
      'contracts-shard':
        '--contracts with --shard: contracts are not divided. Verify them in a separate job: svc-conform pact verify.',
      'contracts-path': '--path replays a counterexample of a suite: omit --contracts.',
      capture: ({ flag }: { flag: string }) => `--capture judges recorded traffic and sends nothing: omit ${flag}.`,
    },
  },
  'flag-not-applicable': {
    exitCode: 2,
    meaning: 'A flag does not apply to what the command is about.',
    remediation: 'Omit the flag, or use the one that the message names.',
    message: {
      text: ({ name }: { name: string }) =>
        `--text is a customer's message: it applies to message.received, not to ${name}.`,
      speech: ({ name }: { name: string }) =>
        `--say and --press are actions of a caller: they apply to call, not to ${name}.`,
      credential: ({ surface, flag }: { surface: string; flag: string }) =>
        `${surface} has a ${flag.slice(2)}: give ${flag} env:NAME.`,
      'known-caller': '--known-caller applies to crm-webhook only.',
      timeout: '--timeout-seconds applies to own-ai-chat and own-ai-phone only.',
    },
  },
  'certificate-impossible': {
    exitCode: 2,
    meaning:
      'A certificate states the result of a complete run of the checks of the interface, and this run is not one.',
    remediation: 'Omit the flags that the message names, or omit --certificate.',
    message: {
      refused: ({ reasons }: { reasons: readonly string[] }) =>
        `A run like this cannot be certified. ${reasons.join(' ')}`,
      suites:
        'A run with your own suites cannot be certified: a certificate covers only the interface. Omit --suites, or add --no-suites if the config lists some.',
    },
  },
  'not-replayable': {
    exitCode: 2,
    meaning: 'The report does not contain what would be sent again.',
    remediation: 'Replay a check, a requirement or a delivery of the report; svc-conform report show lists them.',
    message: {
      recorded:
        'The report is about recorded traffic, and nothing was sent: judge the recording again with check --capture.',
      exchange: ({ id }: { id: string }) =>
        `${id}: this is not a delivery or call to an endpoint, so it cannot be sent again.`,
      observed: ({ id }: { id: string }) =>
        `${id}: the endpoint sends these requests while it handles the events of a run: run check again.`,
      'no-check': ({ id }: { id: string }) =>
        `${id}: the report has no check of this requirement, so there is nothing to replay.`,
    },
  },
  'override-invalid': {
    exitCode: 2,
    meaning: 'A value of --set or --set-json, or the file of --body, cannot be applied to what is sent.',
    remediation: "Correct the path or the value: --set data.contact.name=Erika, --set-json 'data.skills=[]'.",
    message: {
      form: ({ flag, example }: { flag: string; example: string }) =>
        `${flag}: expected a path, = and a value, such as ${example}.`,
      bounds: ({ flag, received }: { flag: string; received: string }) => `${flag}: the value after = is ${received}.`,
      json: ({ flag, reason }: { flag: string; reason: string }) =>
        `${flag}: the value after = is not JSON: ${reason}. Use --set for a string.`,
      scalar: ({ flag, place, received }: { flag: string; place: string; received: string }) =>
        `${flag}: ${place} is ${received} and has no fields. Set the whole value: --set-json '${place}=…'.`,
      kind: ({ flag, place, expected }: { flag: string; place: string; expected: string }) =>
        `${flag}: ${place === '' ? 'the event' : place} is ${expected}.`,
      item: ({ flag, place, items }: { flag: string; place: string; items: number }) =>
        `${flag}: ${place} has ${items === 1 ? '1 item' : `${items} items`}; to add one, use ${place}[${items}].`,
      path: ({ flag, path }: { flag: string; path: string }) =>
        `${flag}: expected names separated by dots, such as data.skills[0].key, received ${path}.`,
      'body-json': '--set needs a JSON body; the --body file is not JSON.',
      'body-object': '--set needs a JSON object; the --body file does not contain one.',
      'body-unread': ({ file, received }: { file: string; received: string }) =>
        `--body ${file}: expected a JSON object, received ${received}.`,
      'body-frame': '--body of a call is its first frame: expected a JSON object in the file, received something else.',
    },
  },
} as const satisfies Record<string, FaultRow>;
