import { isRequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Mutant } from './mutant.ts';
import { signatureFaults, type SignatureSeams } from './signed-delivery.ts';

/**
 * The faults in the signature scheme, planted on one surface. Requirements that only another surface has are omitted.
 */
export function signatureMutants(
  surface: 'api-webhooks' | 'own-ai-chat' | 'own-ai-phone',
  prefix: string,
  plant: (seams: SignatureSeams) => Seams,
): Mutant[] {
  const faults = signatureFaults.filter(({ ofDeliveries }) => surface !== 'own-ai-phone' || ofDeliveries === undefined);
  return faults.map(({ name, breaks, what, mayAlso = [], stopsTheRest, watchMs, seams }) => {
    const broken = `${surface}/${breaks}`;
    if (!isRequirementId(broken)) throw new TypeError(`${broken} is not in the catalogue.`);
    return {
      name: `${prefix}-${name}`,
      breaks: broken,
      what,
      mayAlso: mayAlso.flatMap((also) => {
        const id = `${surface}/${also.id}`;
        return isRequirementId(id) ? [{ id, why: also.why }] : [];
      }),
      ...(stopsTheRest !== undefined && { stopsTheRest }),
      ...(watchMs !== undefined && { watchMs }),
      build: () => plant(seams()),
    };
  });
}
