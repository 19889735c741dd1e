import { fork } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KnownCheck } from '../../run/plan/known-checks.ts';
import { readKillMatrix } from '../proving/kill-matrix.ts';
import { isRequirementId, requirements, type Requirement } from '../../specs/requirements/catalogue.ts';
import { surfaces } from '../../specs/surfaces.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
let checks: KnownCheck[] = [];

// Vitest collects the suites in a separate process, since it cannot start inside itself.
beforeAll(async () => {
  checks = await new Promise<KnownCheck[]>((resolve, reject) => {
    const child = fork(fileURLToPath(new URL('collect-checks.ts', import.meta.url)), [root], {
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    child.once('message', (found: KnownCheck[]) => resolve(found));
    child.once('exit', (code) =>
      reject(new Error(`The suites could not be collected; the process ended with ${code}.`)),
    );
  });
});

const repeated = (texts: string[]) => texts.filter((text, at) => texts.indexOf(text) !== at);

describe('the checks', () => {
  it('are found in every suite', async () => {
    const files: string[] = [];
    for await (const file of glob('suites/**/*.suite.ts', { cwd: root })) files.push(file);
    expect(files.length).toBeGreaterThan(15);
    expect(checks.length).toBeGreaterThan(200);
    for (const surface of surfaces) {
      expect(checks.filter(({ requirement }) => requirement.startsWith(`${surface}/`)).length).toBeGreaterThan(30);
    }
  });

  it('each name a requirement of the catalogue, with its level', () => {
    expect(checks.filter(({ requirement }) => !isRequirementId(requirement))).toEqual([]);
    for (const { requirement, level } of checks) {
      expect((requirements as Record<string, Requirement>)[requirement]?.level).toBe(level);
    }
  });

  it('are all those that the kill matrix names', async () => {
    const { matrix } = await readKillMatrix();
    const named = Object.values(matrix).flatMap((faults) => faults.flatMap((fault) => fault.checks));
    expect(named.length).toBeGreaterThan(400);
    const known = new Set(checks.map(({ id }) => id));
    expect(named.filter((id) => !known.has(id))).toEqual([]);
  });

  it('none judges an unobservable requirement', () => {
    const wrong = checks.filter(
      ({ requirement }) => (requirements as Record<string, Requirement>)[requirement]?.unobservable !== undefined,
    );
    expect(wrong.map(({ id }) => id)).toEqual([]);
  });

  it('together judge every observable requirement', () => {
    const judged = new Set(checks.map(({ requirement }) => requirement));
    const observable = Object.entries(requirements as Record<string, Requirement>).filter(
      ([, { unobservable }]) => unobservable === undefined,
    );
    expect(observable.length).toBeGreaterThan(100);
    expect(observable.map(([id]) => id).filter((id) => !judged.has(id))).toEqual([]);
  });

  it('have unique ids, made of requirement and title', () => {
    expect(repeated(checks.map(({ id }) => id))).toEqual([]);
    for (const { id, requirement } of checks) {
      expect(id).toMatch(/^[a-z-]+\/[a-z0-9-]+#[a-z0-9]+(?:-[a-z0-9]+)*$/);
      expect(id.startsWith(`${requirement}#`)).toBe(true);
    }
  });
});

describe('titles', () => {
  it('state the required behaviour: a clause with a verb, without a full stop, short enough for a line', () => {
    for (const { title, id } of checks) {
      expect(title.trim(), id).toBe(title);
      expect(title, id).not.toMatch(/[.!?:;,]$|\s\s|\n/);
      expect(title.length, id).toBeLessThanOrEqual(120);
      expect(title.split(' ').length, id).toBeGreaterThanOrEqual(3);
      expect(title, id).not.toMatch(/\b(?:should|shall|tests?|TODO)\b/i);
      expect(title, id).not.toMatch(/undefined|\[object|\$\{|NaN/);
    }
  });
});
