import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { JudgedContract } from '../../contracts/contract-finding.ts';
import { judgeContract } from '../../contracts/judge-contract.ts';
import { apiInteractionNames, apiInteractionPlan } from '../../generators/contracts/api-v1.ts';
import { apiOperations } from '../../specs/api-operations.ts';

/** The part of a version 4 file that is broken here. */
interface Interaction {
  description: string;
  response: { status: number; body?: { content: unknown }; matchingRules?: Record<string, unknown> };
}

const text = await readFile(new URL('../../specs/generated/contracts/integrator-api-v1.json', import.meta.url), 'utf8');
const library = JSON.parse(text) as { interactions: Interaction[] };

describe('our own interactions of API v1', () => {
  let judged: JudgedContract;
  beforeAll(async () => {
    judged = await judgeContract(text);
  }, 120_000);

  it('expect nothing that the interface does not provide', () => {
    const bad = judged.interactions.filter(({ verdict }) => verdict !== 'provided' && verdict !== 'assumed');
    expect(bad).toEqual([]);
    expect(judged.interactions.every(({ replayed }) => replayed)).toBe(true);
  });

  it('name the same assumptions as the comparison', () => {
    const found = judged.interactions.map(({ index, findings }) => ({
      name: apiInteractionNames[index],
      rests: findings.flatMap(({ assumption = [] }) => assumption).toSorted(),
    }));
    const named = apiInteractionNames.map((name) => ({
      name,
      rests: [...(apiInteractionPlan(name).notShown ?? [])].toSorted(),
    }));
    expect(found).toEqual(named);
  });

  it('are of every operation', () => {
    expect(new Set(judged.interactions.map(({ operation }) => operation))).toEqual(new Set(Object.keys(apiOperations)));
  });

  it('are no longer provided once a fault is added', async () => {
    const first = Object.keys(apiOperations).flatMap(
      (id) => judged.interactions.find(({ operation }) => operation === id) ?? [],
    );
    const planted = first.flatMap(({ index }) => plant(library.interactions[index] as Interaction));
    expect(planted.length).toBeGreaterThan(2 * first.length);
    const { interactions } = await judgeContract(JSON.stringify({ ...library, interactions: planted }));
    const unseen = interactions.filter(({ verdict }) => verdict === 'provided' || verdict === 'not-judged');
    expect(unseen.map(({ description, verdict, findings }) => ({ description, verdict, findings }))).toEqual([]);
    // A point that is not shown cannot be contradicted; every other interaction must fail.
    const failed = interactions.filter(({ verdict }) => verdict === 'not-provided');
    expect(failed.length).toBeGreaterThan(planted.length / 2);
  }, 60_000);
});

/** The interaction with another status, with an additional field, and with a field of another type. */
function plant(interaction: Interaction): Interaction[] {
  const changed = (words: string, change: (copy: Interaction) => void): Interaction => {
    const copy = structuredClone(interaction);
    change(copy);
    return { ...copy, description: `${interaction.description}, ${words}` };
  };
  const status = changed('status 299', ({ response }) => {
    response.status = 299;
    delete response.matchingRules?.['status'];
  });
  const { content } = interaction.response.body ?? {};
  const target = (value: unknown) =>
    (Array.isArray(value) ? (value[0] as unknown) : value) as Record<string, unknown> | undefined;
  const inside = target(content);
  if (typeof inside !== 'object' || inside === null) return [status];
  const [field] =
    Object.entries(inside).find(([, value]) => typeof value === 'number' || typeof value === 'string') ?? [];
  return [
    status,
    changed('a field too many', ({ response }) =>
      Object.assign(target(response.body?.content) ?? {}, { mood: 'good' }),
    ),
    ...(field === undefined
      ? []
      : [
          changed(`${field} of another type`, ({ response }) =>
            Object.assign(target(response.body?.content) ?? {}, { [field]: true }),
          ),
        ]),
  ];
}
