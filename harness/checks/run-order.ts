import { finalSuites, lastSuites } from './shard-suites.ts';
import { surfaces as surfacesInOrder } from '../../specs/surfaces.ts';
import type { ResolvedConfig } from '../config/settings.ts';
import { urlOfSurface } from '../config/url-of-surface.ts';
import { placeAt } from '../wire/host-and-port.ts';

/** The suite that reports deviations of a recorded service runs before the checks, since it explains failures. */
const explaining = /\/service-deviations\.suite\.[jt]s$/;
/** Of the checks, suites that time answers run first: they detect an endpoint that never answers early. */
const timed = /-times\.suite\.[jt]s$/;
/** With them, suites that send each type of event: the others use a type that is answered. */
const ofEachType = /\/event-types\.suite\.[jt]s$/;
/**
 * Suites that wait for replies run early: an endpoint may delay replies once it has sent as many as the API accepts per
 * minute. So do concurrent calls: an AI that mixes them up gets one call at a time afterwards. So do calls after a forged
 * upgrade: it is sent before any other call of the phase, which the calls then need not wait for.
 */
const waiting = /\/(later-reply|calls-at-once|refused-calls)\.suite\.[jt]s$/;
/**
 * Suites that look for effects need the endpoint to themselves, and nothing under way whose effect could come meanwhile:
 * all of their checks are exclusive, and they run before those whose replies and calls take long.
 */
const ofEffects = /\/effects\.suite\.[jt]s$/;
/**
 * Suites of forged deliveries have a separate phase. While refusals are quick, a forged one is sent with
 * nothing else under way, so that it is the only suspect if the endpoint stops; among long calls, all others would wait
 * for the longest one before it.
 */
const ofForgeries = /\/(signatures|tokens|upgrades)\.suite\.[jt]s$/;
/** A call with a long silence is under way during all others; the suite that judges it runs when they have ended. */
const ofLongSilence = /\/late-refusals\.suite\.[jt]s$/;
/** Suites of generated events and dialogues run after the plain ones, whose findings are easier to read. */
const generated = /\/any-[a-z-]+\.suite\.[jt]s$/;
/** Suites that kill the endpoint run after all others: whatever was under way there is lost. */
const ofCrashes = /\/crash\.suite\.[jt]s$/;
/** Suites that judge all requests to API v1 run when the endpoint has handled all events. */
const ofClients = /\/suites\/api-client\//;

/** The groups of suites that follow one another in a run, in order. */
const groups = [
  ['explaining', explaining],
  ['timed', timed],
  ['types', ofEachType],
  ['effects', ofEffects],
  ['forged', ofForgeries],
  ['waiting', waiting],
  ['plain', undefined],
  ['generated', generated],
  ['last', new RegExp(`${lastSuites.source}|${ofLongSilence.source}`)],
  ['final', finalSuites],
  ['client', ofClients],
  ['crash', ofCrashes],
] as const;

export type SuiteGroup = (typeof groups)[number][0];

/** The names of the groups, in the order of a run. */
export const suiteGroups: readonly SuiteGroup[] = groups.map(([name]) => name);

/**
 * The phases of a run in order, by name. The groups of a phase run at the same time, so that their waits overlap; those
 * named first begin first.
 */
const runPhases: ReadonlyMap<string, readonly SuiteGroup[]> = new Map([
  ['recorded service', ['explaining']],
  ['times and types', ['timed', 'types']],
  ['effects', ['effects']],
  ['forged deliveries', ['forged']],
  ['behaviour', ['waiting', 'plain']],
  ['generated events', ['generated']],
  ['whole run', ['last']],
  ['end of the run', ['final']],
  ['requests to API v1', ['client']],
  ['crashes', ['crash']],
]);

const phaseNames = [...runPhases.keys()];

/**
 * Phases that the surfaces of each host and port pass through by themselves, so that none waits for another whose answers
 * take longer. One process may serve all surfaces of a port: if a generated event ends it, all plain checks are over.
 */
const ofEachPlace: readonly string[] = ['behaviour', 'generated events'];

/** The group of a suite, by a path that contains `/suites/<surface>/`. Of several groups, an early one counts, or the last. */
export function suiteGroup(path: string): SuiteGroup {
  if (ofClients.test(path)) return 'client';
  const matching = groups.filter(([, rule]) => rule?.test(path)).map(([name]) => name);
  return matching.find((name) => earlyGroups.includes(name)) ?? matching.at(-1) ?? 'plain';
}

const earlyGroups: readonly SuiteGroup[] = ['explaining', 'timed', 'types', 'effects', 'forged', 'waiting'];

/** Sorts our suites into run order. `pathOf` returns a path that contains `/suites/<surface>/`. */
export function inRunOrder<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rank = (path: string) => suiteGroups.indexOf(suiteGroup(path));
  const surface = (path: string) => {
    const inOrder = surfacesInOrder.findIndex((name) => path.includes(`/suites/${name}/`));
    if (!path.includes('/suites/own-ai-phone/') || suiteGroup(path) === 'timed') return inOrder;
    // Calls take longest, so they begin first, once how long they take is known. Late effects of calls show only after a
    // while, so effects of other surfaces are judged first.
    return suiteGroup(path) === 'effects' ? surfacesInOrder.length : -1;
  };
  return files.toSorted((one, other) => {
    const [a, b] = [pathOf(one), pathOf(other)];
    return rank(a) - rank(b) || surface(a) - surface(b) || (a < b ? -1 : 1);
  });
}

/** The suites of a phase, which run at the same time. */
export interface PhaseSuites {
  phase: string;
  files: string[];
}

/**
 * Our suites in the stages of a run, which follow one another. The sequences of a stage run at the same time, each of
 * them phase by phase. Phases without suites are missing. Paths as for `inRunOrder`.
 */
export function inStages(files: readonly string[], config: ResolvedConfig): PhaseSuites[][][] {
  const suites = inRunOrder(files, pathOf).map((file) => {
    const phase = phaseNames[phaseOf(suiteGroup(pathOf(file)))] ?? '';
    return ofEachPlace.includes(phase)
      ? { file, phase, stage: ofEachPlace.join(), sequence: placeOf(surfaceOf(file), config) }
      : { file, phase, stage: phase, sequence: phase };
  });
  return groupBy(suites, ({ stage }) => stage).map((stage) =>
    groupBy(stage, ({ sequence }) => sequence).map((sequence) =>
      Array.from(
        Map.groupBy(sequence, ({ phase }) => phase),
        ([phase, together]) => ({ phase, files: together.map(({ file }) => file) }),
      ),
    ),
  );
}

const pathOf = (file: string) => `/${file}`;

/** The surface of a path that begins with `suites/<surface>/`. */
export function surfaceOf(file: string): string {
  return file.split('/')[1] ?? '';
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): T[][] {
  return [...Map.groupBy(values, keyOf).values()];
}

/** Host and port of a surface; the surface itself if it has no endpoint. */
function placeOf(surface: string, config: ResolvedConfig): string {
  const url = urlOfSurface(config, surface);
  return url === undefined ? surface : placeAt(url);
}

/** The position of a group's phase in a run. */
export function phaseOf(group: SuiteGroup): number {
  return Array.from(runPhases.values()).findIndex((members) => members.includes(group));
}

/** Whether the client may start, which takes time from the endpoint: no check measures times any more. */
export function admitsClient(group: SuiteGroup): boolean {
  return phaseOf(group) >= phaseOf('last');
}
