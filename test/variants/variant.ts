import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Surface } from '../../specs/surfaces.ts';

/** A right endpoint that behaves unusually: nothing may be held against it. */
export interface Variant {
  /** Unique among all endpoints of the proof. */
  name: string;
  /** What is unusual, and why it is permitted. */
  what: string;
  /** The surfaces on which it is unusual. */
  surfaces: readonly Surface[];
  /** Advice that the document's reading gives it. */
  advised?: readonly RequirementId[];
  /** Event types of its API webhook subscription; absent: all of them. */
  subscribed?: readonly ApiWebhookEvent['type'][];
  /** The brand in its config; absent: that of the document. */
  brand?: string;
  /** It knows no caller, so the config names none. */
  knowsNobody?: true;
  build: () => Seams;
}
