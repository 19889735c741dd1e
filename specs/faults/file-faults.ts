import { sentence, type FaultRow } from './fault-row.ts';

/** Faults of the files that a command reads or writes. All have exit code 2. */
export const fileFaults = {
  'file-unreadable': {
    exitCode: 2,
    meaning: 'A file or directory cannot be read, or does not contain what is expected.',
    remediation: 'Check the path, the permissions and the content of the file.',
    message: {
      expected: ({ file, expected, reason }: { file: string; expected: string; reason: string }) =>
        `${file} cannot be read: ${reason}. Expected ${expected}.`,
      flag: ({ flag, file, reason }: { flag: string; file: string; reason: string }) =>
        `${flag} ${file} cannot be read: ${reason}.`,
      path: ({ path, reason }: { path: string; reason: string }) =>
        `${path} cannot be read: ${reason}. Give a directory or a file that schemas --out wrote.`,
      'no-json': ({ path }: { path: string }) =>
        `${path} contains no JSON file. Give a directory that schemas --out wrote, or one file.`,
      json: ({ path, reason }: { path: string; reason: string }) => `${path} cannot be read as JSON: ${reason}.`,
      'no-link': ({ file }: { file: string }) => `${file} has no links.`,
      'too-large': ({ bytes }: { bytes: number }) => `Standard input is larger than ${bytes} bytes.`,
    },
  },
  'file-not-written': {
    exitCode: 2,
    meaning: 'A file that the command writes could not be written.',
    remediation: 'Check the directory, its permissions and the free space, or name another one.',
    message: {
      contracts: ({ directory, reason }: { directory: string; reason: string }) =>
        `The contracts cannot be written to ${directory}: ${reason}. Choose another directory with --out.`,
      schemas: ({ directory, reason }: { directory: string; reason: string }) =>
        `The schemas cannot be written to ${directory}: ${reason}.`,
      init: ({ file, reason }: { file: string; reason: string }) => `${file} cannot be written: ${reason}.`,
      keys: ({ directory, reason }: { directory: string; reason: string }) =>
        `The keys cannot be written to ${directory}: ${reason}.`,
      note: ({ file, reason }: { file: string; reason: string }) => `--note ${file} cannot be written: ${reason}.`,
      events: ({ file, reason }: { file: string; reason: string }) => `--events ${file} cannot be written: ${reason}.`,
      secrets: ({ file, reason }: { file: string; reason: string }) =>
        `--secrets ${file} cannot be written: ${reason}.`,
    },
  },
  'file-exists': {
    exitCode: 2,
    meaning: 'The command would overwrite a file that it reads or that must not be lost.',
    remediation: 'Name another file or directory.',
    message: {
      config: ({ file }: { file: string }) =>
        `${file} already exists; init never overwrites a file. Edit it, or remove it first.`,
      key: ({ path }: { path: string }) =>
        `${path} already exists. Keys are not replaced, because certificates may depend on them: choose another directory with --out.`,
      script: ({ file }: { file: string }) =>
        `${file} already exists, and is not a script that load --export artillery wrote. Name another file.`,
      input: ({ out, file }: { out: string; file: string }) =>
        `--out ${out} would overwrite ${file}, which this command reads. Choose another place with --out.`,
      baseline: ({ baseline }: { baseline: string }) =>
        `--baseline ${baseline} is the report that this run overwrites, so its new failures would be known failures in the next run. Keep the baseline elsewhere, or choose another directory with --out.`,
      complete: ({ out, partial }: { out: string; partial: string }) =>
        `--out ${out} contains the report of a complete run, which this partial run would overwrite. Choose another directory, such as --out ${partial}.`,
      'events-baseline': ({ events }: { events: string }) =>
        `--events ${events} would overwrite the baseline. Choose another name.`,
      'events-report': ({ events }: { events: string }) =>
        `--events ${events} is a file of the report: choose another name, such as events.ndjson.`,
    },
  },
  'directory-in-use': {
    exitCode: 2,
    meaning: 'Another run, which has not ended, writes its report to the same directory.',
    remediation: 'Wait until it has ended, or name another directory with --out.',
    message: ({ directory, owner = '' }: { directory: string; owner?: string | undefined }) =>
      `Another run${owner === '' ? '' : ` (process ${owner})`} writes its report to ${directory}. Wait until it has ended, or choose another directory with --out.`,
  },
  'report-not-written': {
    exitCode: 2,
    meaning: 'The report could not be written.',
    remediation: 'Name another directory with --out, or make the directory writable.',
    message: ({ directory, reason }: { directory: string; reason: string }) =>
      `The report cannot be written to ${directory}: ${reason}. Choose another directory with --out.`,
  },
  'report-unreadable': {
    exitCode: 2,
    meaning: 'A file is not a report of this version of svc-conform, or was changed after the run.',
    remediation:
      'Name a report.json, or the directory that contains it, unchanged since the run; otherwise run the check again.',
    message: {
      file: ({ file, expected, reason }: { file: string; expected: string; reason: string }) =>
        `${file} cannot be read: ${reason}. Expected a ${expected} of svc-conform, or its directory.`,
      json: ({ file, received }: { file: string; received: string }) =>
        `${file}: expected the JSON of a report, received ${received}.`,
      version: ({ file, version, received }: { file: string; version: number; received: number }) =>
        `${file}: expected schemaVersion ${version}, received ${received}. ` +
        (received > version
          ? 'A newer svc-conform wrote it: update this one.'
          : 'A version of svc-conform before 0.1.0 wrote it, and only that version can read it: run the check again.'),
      schema: ({ file, violations, more }: { file: string; violations: readonly string[]; more: number }) =>
        `${file}: this is not a report of svc-conform.${violations.map((one) => `\n  ${one}`).join('')}${more > 0 ? `\n  and ${more} more` : ''}`,
      changed: ({ file, expected, received }: { file: string; expected: string; received: string }) =>
        `${file}: expected ${expected}, received ${received}. It was changed after the run: use the original file, or run the check again.`,
    },
  },
  'report-partial': {
    exitCode: 2,
    meaning:
      'The report of a partial run (--only, --surface, --shard, --capture or pact verify) shows nothing about the checks that it omitted, so it cannot serve as a baseline or be replayed.',
    remediation: 'Name the report of a complete run; report merge makes one from all shards.',
    message: {
      baseline: ({ place }: { place: string }) =>
        `--baseline ${place} is the report of a partial run. Name the report of a complete run.`,
      replay: ({ place }: { place: string }) =>
        `${place} is the report of a partial run, so a replay of it could not show that everything is fixed. Replay the report of the complete run.`,
    },
  },
  'shards-not-mergeable': {
    exitCode: 2,
    meaning: 'The reports are not all shards of one run.',
    remediation: 'Give each shard once, all from runs with the same seed, version and number of shards.',
    message: ({ reason }: { reason: string }) => `${reason.replace(/\.$/, '')}.`,
  },
  'capture-unreadable': {
    exitCode: 2,
    meaning: 'A recording cannot be read or contains no traffic of the interface.',
    remediation: 'Record a HAR file or NDJSON as docs/capture.md describes.',
    message: {
      missing: ({ file }: { file: string }) => `${file} does not exist.`,
      error: ({ file, reason }: { file: string; reason: string }) => `${file} cannot be read: ${reason}.`,
      form: ({ file, expected, received }: { file: string; expected: string; received: string }) =>
        `${file}: expected ${expected}, received ${received}.`,
    },
  },
  'contract-unreadable': {
    exitCode: 2,
    meaning: 'A file is not a Pact contract, or not a file of provider states.',
    remediation: 'Correct the file at the position that the message names.',
    message: ({ file, reason }: { file: string; reason: string }) => `${file}: ${reason}.`,
  },
  'key-unusable': {
    exitCode: 2,
    meaning: 'A file or variable does not contain an Ed25519 key in PEM format.',
    remediation: 'Make a pair of keys with svc-conform keygen.',
    message: ({ flag, given, reason }: { flag: string; given: string; reason: string }) =>
      `${flag} ${given}: ${reason}. svc-conform keygen creates a pair.`,
  },
  'scenario-invalid': {
    exitCode: 2,
    meaning: 'The scenario of --script contains errors.',
    remediation: 'Correct the lines that the message lists; docs/serve.md describes the steps.',
    message: ({ problems }: { problems: string }) => problems,
  },
  'documents-not-comparable': {
    exitCode: 2,
    meaning: 'Two documents cannot be compared: they are of different kinds, incomplete or invalid.',
    remediation: 'Compare two directories that svc-conform schemas --out wrote, or two files of the same kind.',
    message: {
      places: ({ older, newer }: { older: string; newer: string }) =>
        `${older} and ${newer} are a directory and a file. Compare two directories, or two files.`,
      unknown: ({ path }: { path: string }) => `${path} is not a JSON Schema, OpenAPI, AsyncAPI or Pact document.`,
      kinds: ({
        older,
        newer,
        olderKind,
        newerKind,
      }: {
        older: string;
        newer: string;
        olderKind: string;
        newerKind: string;
      }) =>
        `${older} is a document of the kind ${olderKind}, ${newer} one of ${newerKind}. Compare two of the same kind.`,
      names: ({ older, newer }: { older: string; newer: string }) =>
        `${older} and ${newer} have no file of the same name. Compare two directories that schemas --out wrote.`,
      reference: ({ path, reason, advice }: { path: string; reason: string; advice: string }) =>
        `${path} cannot be compared: ${reason}${sentence(advice)}`,
      schema: ({
        file,
        place,
        expected,
        received,
      }: {
        file: string;
        place: string;
        expected: string;
        received: string;
      }) => `${file} is not a valid JSON Schema 2020-12: at ${place} expected ${expected}, received ${received}.`,
    },
  },
} as const satisfies Record<string, FaultRow>;
