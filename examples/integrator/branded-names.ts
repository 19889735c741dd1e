/** The names that carry the brand of the service. The interface document writes `Svc` in its place. */
export interface BrandedNames {
  /** Headers, as Node returns them. */
  signature: string;
  deliveryId: string;
  callId: string;
  /** Field of `projectData`. */
  projectId: string;
}

/** @param brand as in the headers of the service: `Svc` in `X-Svc-Signature` */
export function brandedNames(brand = 'Svc'): BrandedNames {
  const header = `x-${brand.toLowerCase()}`;
  return {
    signature: `${header}-signature`,
    deliveryId: `${header}-delivery-id`,
    callId: `${header}-call-id`,
    projectId: `${brand.slice(0, 1).toLowerCase()}${brand.slice(1)}ProjectId`,
  };
}
