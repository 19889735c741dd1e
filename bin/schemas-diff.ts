import { join } from 'node:path';
import { Option, type Command } from 'commander';
import type { Documents } from '../generators/schema-diff/compare-documents.ts';
import type { DocumentChange, SideEffect } from '../generators/schema-diff/judge-changes.ts';
import { decideExitCode } from './exit-codes.ts';
import { readDocuments, type DocumentSet } from './read-documents.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** Exit code when a change is breaking. */
const breakingExitCode = 1;

/** The sides whose breaking changes decide the exit code. */
const sides = ['integrator', 'service', 'both'] as const;
type SchemaSide = (typeof sides)[number];

interface SchemasDiffOptions {
  side: SchemaSide;
  json?: true;
}

/** `svc-conform schemas diff`: compares two versions of the published documents and reports which side breaks. */
export function addSchemasDiff(command: Command): void {
  command
    .command('diff')
    .description(
      'compare two versions of the documents (two directories or two files): the changes, and which side they break if it stays on the older version; exit code 1 for a breaking change',
    )
    .argument('<older>', 'directory that schemas --out wrote, or a JSON Schema, OpenAPI, AsyncAPI or Pact file')
    .argument('<newer>', 'the same for the newer version')
    .addOption(
      new Option('--side <party>', 'only breaking changes for this side set the exit code')
        .choices(sides)
        .default('both'),
    )
    .option('--json', 'print the changes as JSON (docs/schemas.md)')
    .action(async (older: string, newer: string, { side, json }: SchemasDiffOptions) => {
      const changes = await compare(older, newer);
      const breaking = changes.filter((change) => breaks(change, side)).length;
      const text = json
        ? `${JSON.stringify({ schemaVersion: 1, older, newer, side, breaking: breaking > 0, summary: { changes: changes.length, breaking }, changes }, undefined, 2)}\n`
        : await renderChanges(changes, side); // prettier-ignore
      decideExitCode(breaking > 0 ? breakingExitCode : 0);
      process.stdout.write(text);
    });
}

async function compare(older: string, newer: string): Promise<DocumentChange[]> {
  const { compareDocuments, documentKind } = await import('../generators/schema-diff/compare-documents.ts');
  const { SchemaLibraryError } = await import('../generators/schema-diff/schema-library.ts');
  const [was, is] = [await readDocuments(older), await readDocuments(newer)];
  if (was.isDirectory !== is.isDirectory) {
    throw new HarnessFault('documents-not-comparable:places', { older, newer });
  }
  const after = is.documents;
  let before = was.documents;
  if (!was.isDirectory) {
    // Two files are two versions of one document, whatever their names.
    const [name = ''] = Object.keys(after);
    before = { [name]: Object.values(before)[0] };
    const kinds = [older, newer].map((path, at) => ({ path, kind: documentKind(Object.values([before, after][at] as Documents)[0]) })); // prettier-ignore
    for (const { path, kind } of kinds) {
      if (kind === undefined) throw new HarnessFault('documents-not-comparable:unknown', { path });
    }
    if (kinds[0]?.kind !== kinds[1]?.kind) {
      throw new HarnessFault('documents-not-comparable:kinds', { older, newer, olderKind: String(kinds[0]?.kind), newerKind: String(kinds[1]?.kind) }); // prettier-ignore
    }
  } else if (!Object.keys(before).some((name) => name in after)) {
    throw new HarnessFault('documents-not-comparable:names', { older, newer }); // prettier-ignore
  }
  await refuseInvalid(older, was);
  await refuseInvalid(newer, is);
  try {
    return compareDocuments(before, after, { older: was.others, newer: is.others });
  } catch (error) {
    if (!(error instanceof SchemaLibraryError)) throw error;
    const path = error.version === undefined ? 'One of the two' : { older, newer }[error.version];
    const remedy = was.isDirectory ? 'into the directory' : 'next to it';
    const advice = error.missesDocument ? ` Put the files that it refers to ${remedy}, as schemas --out writes them.` : '';
    throw new HarnessFault('documents-not-comparable:reference', { path, reason: error.message, advice });
  }
} // prettier-ignore

/** Refuses an invalid schema, which would otherwise be compared as text. */
async function refuseInvalid(path: string, { isDirectory, documents }: DocumentSet): Promise<void> {
  const { invalidSchema } = await import('../generators/schema-diff/invalid-schema.ts');
  for (const [name, document] of Object.entries(documents)) {
    const found = invalidSchema(document);
    if (!found) continue;
    const file = isDirectory ? join(path, name) : path;
    throw new HarnessFault('documents-not-comparable:schema', { file, place: found.pointer === '' ? 'the top' : found.pointer, expected: found.expected, received: found.received }); // prettier-ignore
  }
}

function breaks({ sender, reader }: DocumentChange, side: SchemaSide): boolean {
  const counts = ({ party, breaking }: SideEffect) => breaking && (side === 'both' || party === side || party === 'either side');
  return counts(sender) || counts(reader);
} // prettier-ignore

/** Renders the changes, breaking ones first. */
async function renderChanges(changes: readonly DocumentChange[], side: SchemaSide): Promise<string> {
  const { visibleOnOneLine } = await import('../reports/text/visible-controls.ts');
  if (changes.length === 0) return 'No change to the wire format.\n';
  const line = (change: DocumentChange): string => {
    const { document, where, pointer, text } = change;
    const place = [document, where, pointer].filter((each) => each !== '').join(' ');
    return `  ${visibleOnOneLine(`${place}: ${text}${describeEffects(change)}`)}`;
  };
  const breaking = changes.filter((change) => breaks(change, 'both'));
  const others = changes.filter((change) => !breaks(change, 'both'));
  const counted = changes.filter((change) => breaks(change, side)).length;
  return [
    ...(breaking.length > 0 ? ['Breaking:', ...breaking.map(line), ''] : []),
    ...(others.length > 0 ? ['Not breaking:', ...others.map(line), ''] : []),
    `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${counted} breaking${side === 'both' ? '' : ` for the ${side}`}.`,
    '',
  ].join('\n');
}

/** Describes which side a change breaks and how, or why it breaks none. */
function describeEffects({ sender, reader }: DocumentChange): string {
  const found = [
    ...(sender.breaking ? [`breaks ${describeParty(sender)} that sends as before`] : []),
    ...(reader.breaking ? [`breaks ${describeParty(reader)} that reads as before`] : []),
    ...(reader.because === undefined ? [] : [reader.because]),
  ];
  return found.length === 0 ? '' : ` (${found.join('; ')})`;
}

function describeParty({ party }: SideEffect): string {
  return party === 'either side' ? 'a side' : party === 'integrator' ? 'an integrator' : `a ${party}`;
}
