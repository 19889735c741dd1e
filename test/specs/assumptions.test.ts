import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Assumption } from '../../specs/assumption.ts';
import { assumptions } from '../../specs/assumptions.ts';
import { jsonBounds } from '../../specs/bounded-json.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';

/**
 * How often the interface document says "not shown" under each of its headings, counted by hand; the document is not
 * part of this project. A sentence with several open points counts once.
 */
const notShownMarks: Record<string, number> = {
  'Contact (API)': 1,
  'Appointment (API and webhook shape)': 1,
  'Key responses': 1,
  'CRM webhook: projectData': 1,
  Appointment: 1,
  'Message (POST /v1/messages)': 1,
  'API v1': 4,
  Authentication: 1,
  'CRM webhook events': 1,
  'API webhook events': 2,
  Errors: 3,
  Limits: 2,
  Versioning: 1,
};
const notShownInTheDocument = 20;

const all: [string, Assumption][] = Object.entries(assumptions);

describe('assumptions', () => {
  it('state the bounds of JSON that the simulated API accepts', () => {
    const { levels, values } = jsonBounds;
    expect(assumptions['api-request-bounds'].weDo).toContain(
      `at most ${levels} levels and ${values.toLocaleString('en')} values`,
    );
  });

  it('answer every "not shown" of the document', () => {
    const answered = new Set(
      all.flatMap(([, { section, mark }]) => (mark === undefined ? [] : [`${section} ${mark}`])),
    );
    const marks = Object.entries(notShownMarks).flatMap(([section, count]) =>
      Array.from({ length: count }, (_, index) => `${section} ${index + 1}`),
    );
    expect([...answered].sort()).toEqual(marks.sort());
    expect(marks).toHaveLength(notShownInTheDocument);
  });

  it.each(all)('%s says in sentences what is open and what we do', (id, { section, notShown, weDo }) => {
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(section).not.toBe('');
    for (const sentence of [notShown, weDo]) expect(sentence).toMatch(/^[A-Z].{3,}\.$/s);
    expect(notShown).not.toBe(weDo);
  });

  it('are the basis of advice only: no MUST and no SHOULD depends on one', () => {
    const advised = all.flatMap(([id, { advises = [] }]) => advises.map((requirement) => ({ id, requirement })));
    expect(advised.length).toBeGreaterThan(10);
    for (const { id, requirement } of advised) expect(requirements[requirement].level, id).toBe('advice');
  });

  it('exist for every id in the code', async () => {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const named: string[] = [];
    for await (const file of glob('{specs,service,harness,suites,test}/**/*.ts', { cwd: root })) {
      const text = (await readFile(`${root}${file}`, 'utf8')).replaceAll(/\n\s*(?:\*|\/\/)/g, ' ');
      for (const [, id = ''] of text.matchAll(/\bassumption\s+([a-z0-9]+(?:-[a-z0-9]+)+)/g)) named.push(id);
    }
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((id) => !Object.hasOwn(assumptions, id))).toEqual([]);
  });
});
