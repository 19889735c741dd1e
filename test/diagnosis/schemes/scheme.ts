import type { Received, Steps } from './verifier.ts';
import type { Manner } from './receiver.ts';

export type SignedSurface = 'own-ai-chat' | 'own-ai-phone' | 'api-webhooks';

export const signedSurfaces: readonly SignedSurface[] = ['own-ai-chat', 'own-ai-phone', 'api-webhooks'];

/** An endpoint whose verification has one mistake, two or none. */
export interface Scheme {
  /** Its causes, without `signature/`. Empty: no cause may be named. */
  ids: readonly string[];
  /** The form of the mistake, if there are several. */
  form?: string;
  /** Other causes, without `signature/`, that describe the same endpoint as well. */
  or?: readonly string[];
  /** It accepts a valid signature only in a part of each second. */
  byChance?: true;
  /** Default: all three. */
  surfaces?: readonly SignedSurface[];
  /** Incorrect steps of its verification. */
  steps?: Partial<Steps>;
  /** Replaces all steps. */
  accepts?: () => (request: Received, secret: string) => boolean;
  manner?: Manner;
  /** Body of a 200; default: a correct one for the surface. */
  taken?: string;
  /** The secret on both sides; default: a typical one. */
  secret?: string;
  /** The secret that is configured in the tool, if it differs. */
  configured?: string;
  /** The previous secret that is configured in the tool. */
  old?: string;
}

/** The name of a scheme in tables. */
export function schemeName({ ids, form }: Scheme): string {
  return [ids.length === 0 ? 'none' : ids.join('+'), ...(form === undefined ? [] : [form])].join(', ');
}
