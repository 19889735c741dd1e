import { configKeyOf, isEndpointSurface, isSurface } from '../../specs/surfaces.ts';
import type { ResolvedConfig } from './settings.ts';

/** The address of the endpoint of a surface; `undefined` if it has none or is not configured. */
export function urlOfSurface(config: ResolvedConfig, surface = ''): string | undefined {
  return isSurface(surface) && isEndpointSurface(surface) ? config[configKeyOf(surface)]?.url : undefined;
}
