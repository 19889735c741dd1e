import type { OperationId } from '../../specs/api-operations.ts';
import type { ServiceInbox } from '../service-inbox.ts';

/** One request to API v1 whose key, limits, path and body have been checked. */
export interface ApiCall {
  /** The inbox that the key belongs to. */
  inbox: ServiceInbox;
  keyName: string;
  /** Values of `{id}` and `{key}`. */
  parameters: Readonly<Record<string, string>>;
  /** Matches the operation's schema; fields that were null are removed. `undefined` without a body. */
  body: unknown;
}

export interface ApiResult {
  status: number;
  body: unknown;
}

/** Answers one operation. Throws {@link Problem} where the interface answers with an error. */
export type ApiHandler = (call: ApiCall) => ApiResult | Promise<ApiResult>;

/** Handlers by operation id. */
export type ApiHandlers = Readonly<Record<OperationId, ApiHandler>>;

/** The value of `{id}` as a positive integer, which every id of the service is; `undefined` for anything else. */
export function idOf({ parameters }: ApiCall): number | undefined {
  const id = parameters.id ?? '';
  return /^[1-9]\d{0,15}$/.test(id) ? Number(id) : undefined;
}
