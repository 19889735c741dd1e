/** A JSON value. */
export type JsonValue =
  null | boolean | number | string | readonly JsonValue[] | { readonly [field: string]: JsonValue };

/** A JSON object that is known to contain only JSON. */
export type JsonFields = Readonly<Record<string, JsonValue>>;

/** A JSON object whose fields have not been checked. */
export type JsonObject = Record<string, unknown>;
