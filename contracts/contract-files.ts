import { readFile } from 'node:fs/promises';
import type { PactFile } from './pact-file.ts';
import { endpointSurfaces, type EndpointSurface } from '../specs/surfaces.ts';

/** Surfaces whose endpoints are providers of the service's contracts. */
export const contractSurfaces = endpointSurfaces;
export type ContractSurface = EndpointSurface;

/** A contract of the service for one surface. */
export interface ServiceContract {
  readonly surface: ContractSurface;
  /** File name without its directory. */
  readonly file: string;
  /** The content of the file. */
  readonly text: string;
  readonly pact: PactFile;
}

/** The service's contracts for these surfaces, in the order of {@link contractSurfaces}; other surfaces have none. */
export async function serviceContracts(surfaces: readonly string[]): Promise<ServiceContract[]> {
  const wanted = contractSurfaces.filter((surface) => surfaces.includes(surface));
  return await Promise.all(
    wanted.map(async (surface) => {
      const file = `svc-${surface}.json`;
      const text = await readFile(new URL(`../specs/generated/contracts/${file}`, import.meta.url), 'utf8');
      return { surface, file, text, pact: JSON.parse(text) as PactFile };
    }),
  );
}
