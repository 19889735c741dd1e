import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const { directory, root, fault } = JSON.parse(process.env['SVC_MUTATION'] ?? '{}') as Record<string, string>;

/** The fault that is in effect in this process. */
let active = fault;

/** The running check. */
const checks = new AsyncLocalStorage<string>();
/** The checks that reached each fault; `undefined` while they are not collected. */
let reached: Map<string, Set<string>> | undefined = new Map();

/** Where a fault was reached that no check was running for: a callback of the service, for example. */
export const outsideChecks = '';

/** Whether this fault is in effect: the switch of each planted fault calls it. */
export function isPlanted(key: string): boolean {
  if (reached) noteReached(reached, key);
  return key === active;
}

/** Puts another fault into effect, or none. */
export function plantFault(key: string | undefined): void {
  active = key;
}

/** Runs a check; the faults that it reaches are collected under its id. */
export function withinCheck<T>(id: string, body: () => Promise<T>): Promise<T> {
  return checks.run(id, body);
}

/** From now on, collects the checks that reach each fault, as from the start of the process. */
export function collectReached(): void {
  reached = new Map();
}

/** Returns the checks that reached each fault, and stops collecting. */
export function takeReached(): Record<string, string[]> {
  const taken = Object.fromEntries([...(reached ?? [])].map(([key, ids]) => [key, [...ids]]));
  reached = undefined;
  return taken;
}

/** The source with switches that replaces this file; `undefined` if no fault is planted in it. */
export function readPlanted(file: string): string | undefined {
  if (directory === undefined || root === undefined) return undefined;
  const inRoot = relative(root, file);
  if (inRoot.startsWith('..')) return undefined;
  const planted = join(directory, inRoot);
  return existsSync(planted) ? readFileSync(planted, 'utf8') : undefined;
}

function noteReached(map: Map<string, Set<string>>, key: string): void {
  const id = checks.getStore() ?? outsideChecks;
  const ids = map.get(key);
  if (ids) ids.add(id);
  else map.set(key, new Set([id]));
}
