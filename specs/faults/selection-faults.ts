import { sentence, type FaultRow } from './fault-row.ts';

/** Faults of what the user asked for: names, selections, options. All have exit code 2. */
export const selectionFaults = {
  'selection-empty': {
    exitCode: 2,
    meaning: 'The selection leaves no check to run.',
    remediation: 'Select a configured surface and a requirement that a check observes, or omit the selection.',
    message: {
      'no-surface': ({ keys }: { keys: readonly string[] }) =>
        `The config names nothing to judge: give at least one of ${keys.join(', ')}.`,
      'not-configured': ({ selection, surface, key }: { selection: string; surface: string; key: string }) =>
        `${selection}: the config names no endpoint for ${surface} (key ${key}).`,
      'no-endpoint': ({ surface }: { surface: string }) => `The config names no endpoint for ${surface}.`,
      different: 'The selection leaves no check to run: --only and --surface name different things.',
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
        `${file} shows ${shown.length === 0 ? 'nothing of this interface' : `only ${shown.join(', ')}`}${isNarrowed ? ', and --surface or --only names something else' : ''}.${sentence(skipped)}`,
      'no-contract-endpoint': ({ keys }: { keys: string }) =>
        `The config names no endpoint that a contract is for: give at least one of ${keys}.`,
      'no-interaction': 'The selection leaves no interaction: --only and the surfaces name different things.',
      'no-contract': ({ surfaces, known }: { surfaces: readonly string[]; known: readonly string[] }) =>
        `--contracts: there is no contract for ${surfaces.join(', ')}. There are ${known.join(', ')}.`,
      'only-contracts':
        '--contracts with --only: no interaction of a contract has that name or counts against it. Omit --contracts.',
      'option-requirement': ({ id }: { id: string }) =>
        `only: no requirement is called ${id}. npx svc-conform explain lists them.`,
      'option-path': 'path replays one counterexample: give only with one check, and seed.',
      'options-differ': 'only and surface name different things, so there is no check to run.',
    },
  },
  'name-unknown': {
    exitCode: 2,
    meaning: 'A surface, format, requirement, check, event or document with this name does not exist.',
    remediation: 'Use one of the names that the message lists or suggests.',
    message: {
      surface: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `--surface ${surface}: no such surface.${sentence(near)} There are ${known.join(', ')}.`,
      diagnosed: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `${surface}: expected ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.${sentence(near)}`,
      only: ({ id, note, near }: { id: string; note: string; near: string }) =>
        `--only ${id}: no requirement or check has that name.${sentence(note)}${sentence(near)} svc-conform explain lists the requirements.`,
      contract: ({ surface, known, near }: { surface: string; known: readonly string[]; near: string }) =>
        `--surface ${surface}: there is no contract for it.${sentence(near)} There are ${known.join(', ')}.`,
      interaction: ({ id, near }: { id: string; near: string }) =>
        `--only ${id}: no interaction of a contract has that name or counts against it.${sentence(near)}`,
      format: ({ format, known, near }: { format: string; known: readonly string[]; near: string }) =>
        `--format ${format}: no such format.${sentence(near)} There are ${known.join(', ')}.`,
      sent: ({ name, known, near }: { name: string; known: string; near: string }) =>
        `send ${name}: nothing has that name.${sentence(near)} There is\n${known}`,
      explained: ({ id, near }: { id: string; near: string }) =>
        `No requirement, cause or code is called ${id}.${sentence(near)} svc-conform explain lists them all.`,
      reported: ({ id, near }: { id: string; near: string }) =>
        `${id}: the report has no check, requirement or exchange of that name.${sentence(near)} svc-conform report show lists its content.`,
      provider: ({ provider, known, near }: { provider: string; known: readonly string[]; near: string }) =>
        `--provider: expected ${known.join(', ')}, received ${JSON.stringify(provider)}.${sentence(near)}`,
      captured: ({ flag, name, near }: { flag: string; name: string; near: string }) =>
        `${flag} ${name}: there is no such name.${sentence(near)}`,
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
      address: ({ flag, needed }: { flag: string; needed: string }) =>
        `${flag} needs ${needed} with the endpoint's address.`,
      credential: ({ flag, needed }: { flag: string; needed: string }) => `${flag} needs ${needed} env:NAME.`,
      broker: 'The flags of a broker need its address: give --broker-url, or pact.broker.url in the config.',
      'provider-version': '--publish needs --provider-version, the version of the endpoint (a commit).',
      certificate: ({ flag, purpose }: { flag: string; purpose: string }) =>
        `${flag} ${purpose}: give --certificate as well.`,
      key: '--certificate needs --key: a file, or env:NAME. svc-conform keygen makes one.',
      'certificate-directory': 'A certificate is written into the directory of the report: name a directory for it.',
      seed: '--shard needs --seed, the same for all shards: together they are one run.',
      replay: '--path replays one counterexample: give --only with one check, and --seed, as the report shows them.',
      baseline: 'The shards were compared with a baseline: give it to report merge too, with --baseline.',
      'link-target': ({ flags }: { flags: string }) => `State what the link opens: one of ${flags}.`,
      'link-address': 'State where the link leads: --app-url https://… for a web link, --scheme for svc://, or both.',
      links: 'Give the links in quotes, --file with a list, or - for standard input.',
      directory: ({ names }: { names: readonly string[] }) =>
        `These are ${names.length} files (${names.join(', ')}): name a directory with --out.`,
    },
  },
  'flags-conflict': {
    exitCode: 2,
    meaning: 'Two flags or options exclude each other.',
    remediation: 'Omit the one that the message names.',
    message: {
      target: 'Name the endpoint by --config or by flags, not by both.',
      credentials: '--secret and --token are both given: an endpoint has one of them.',
      links: 'Give the links, or --file with a list, not both.',
      'standard-input': 'Give the links, or - alone, not both.',
      'link-targets': ({ flags, given }: { flags: string; given: string }) =>
        `A link names what it opens in one way: give one of ${flags}, not ${given}.`,
      'shard-only':
        '--shard divides whole suites, and --only leaves some checks of them: omit --shard, a few checks are quick by themselves.',
      'json-events': '--json and --events - both use standard output: give --events a file.',
      'events-anonymize': '--events writes what happens unchanged: omit it, or omit --anonymize.',
      'option-events': 'run(): events contain what the endpoint sent: omit onEvent, or omit anonymize.',
      'contracts-shard':
        '--contracts with --shard: contracts are not divided. Verify them in a job of their own: svc-conform pact verify.',
      'contracts-path': '--path replays what a suite generated: omit --contracts.',
      capture: ({ flag }: { flag: string }) => `--capture judges what was recorded and sends nothing: omit ${flag}.`,
    },
  },
  'flag-not-applicable': {
    exitCode: 2,
    meaning: 'A flag does not apply to what the command is about.',
    remediation: 'Omit the flag, or use the one that the message names.',
    message: {
      text: ({ name }: { name: string }) =>
        `--text is a customer's message, so it goes with message.received and not with ${name}.`,
      speech: ({ name }: { name: string }) =>
        `--say and --press are a caller's, so they go with call and not with ${name}.`,
      credential: ({ surface, flag }: { surface: string; flag: string }) =>
        `${surface} has a ${flag.slice(2)}: give ${flag} env:NAME.`,
      timeout: ({ surface }: { surface: string }) =>
        `--timeout-seconds applies to own-ai-chat and own-ai-phone only, not to ${surface}.`,
    },
  },
  'certificate-impossible': {
    exitCode: 2,
    meaning: 'A certificate states the result of a whole run of the interface, and this run is not one.',
    remediation: 'Omit the flags that the message names, or omit --certificate.',
    message: {
      refused: ({ reasons }: { reasons: readonly string[] }) =>
        `No certificate can be given for such a run. ${reasons.join(' ')}`,
      suites:
        'No certificate can be given for a run with suites of your own: it is about the interface alone. Omit --suites, and give --no-suites where the config names some.',
    },
  },
  'not-replayable': {
    exitCode: 2,
    meaning: 'The report does not contain what would be sent again.',
    remediation: 'Replay a check, a requirement or a delivery of the report; svc-conform report show lists them.',
    message: {
      recorded: 'The report is about recorded traffic, and nothing was sent: judge the recording again.',
      exchange: ({ id }: { id: string }) =>
        `${id}: it is not a delivery or call to an endpoint that could be sent again.`,
      'no-check': ({ id }: { id: string }) => `${id}: the report has no check of it, so there is nothing to replay.`,
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
        `${flag}: ${place} is ${received}, so it has no fields to set. Set it as a whole: --set-json '${place}=…'.`,
      kind: ({ flag, place, expected }: { flag: string; place: string; expected: string }) =>
        `${flag}: ${place === '' ? 'the event' : place} is ${expected}.`,
      item: ({ flag, place, items }: { flag: string; place: string; items: number }) =>
        `${flag}: ${place} has ${items === 1 ? '1 item' : `${items} items`}, so the next one is ${place}[${items}].`,
      path: ({ flag, path }: { flag: string; path: string }) =>
        `${flag}: expected names with dots between, such as data.skills[0].key, received ${path}.`,
      'body-json': '--set changes fields of JSON, and the file of --body is not JSON.',
      'body-object': '--set changes fields of a JSON object, and the file of --body is not one.',
      'body-unread': ({ file, received }: { file: string; received: string }) =>
        `--body ${file}: expected a JSON object, received ${received}.`,
      'body-frame': '--body of a call is its first frame: expected a JSON object in the file, received something else.',
    },
  },
} as const satisfies Record<string, FaultRow>;
