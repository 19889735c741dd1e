import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { findingKinds, interactionVerdicts } from '../../contracts/contract-finding.ts';
import { readStateTranslations } from '../../contracts/state-translations.ts';
import { apiState, apiStateNames } from '../../generators/contracts/api-state-names.ts';

const page = await readFile(new URL('../../docs/pact-compare.md', import.meta.url), 'utf8');

/** Cells of the rows of the table with this head. */
function table(...head: string[]): string[][] {
  const rows = page.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const start = rows.findIndex((cells) => cells.join() === head.join());
  const after = rows.slice(start + 2);
  return after.slice(
    0,
    after.findIndex((cells) => cells.length === 0),
  );
}

const code = (names: readonly string[] = []) => names.map((name) => `\`${name}\``).join(', ') || 'none';

describe('docs/pact-compare.md', () => {
  it('lists every provider state with its parameters and values', () => {
    const wanted = apiStateNames.map((name) => [name, code(apiState(name).params), code(apiState(name).gives)]);
    expect(table('state', 'parameters', 'values')).toEqual(wanted);
  });

  it('lists every kind of finding with its verdict', () => {
    const rows = table('kind', 'meaning', 'interaction');
    expect(rows.map(([kind]) => kind)).toEqual(findingKinds.map((kind) => `\`${kind}\``).toSorted(byPage));
    const verdicts = new Set(rows.map(([, , verdict]) => verdict));
    expect(verdicts).toEqual(new Set(interactionVerdicts.map((verdict) => `\`${verdict}\``)));
  });

  it('has valid states with other names', () => {
    const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
    expect([...readStateTranslations(yaml).keys()]).toEqual([
      'customer is known',
      'customer has a ticket',
      'the API is up',
    ]);
  });
});

function byPage(a: string, b: string): number {
  return page.indexOf(`| ${a} `) - page.indexOf(`| ${b} `);
}
