/** Kind of change; stable, since programs read it. */
export type SchemaRule =
  | 'type-added'
  | 'type-removed'
  | 'value-added'
  | 'value-removed'
  | 'bound-changed'
  | 'pattern-changed'
  | 'format-changed'
  | 'field-added'
  | 'field-removed'
  | 'field-required'
  | 'field-optional'
  | 'others-refused'
  | 'others-taken'
  | 'branch-added'
  | 'branch-removed'
  | 'keyword-changed';

/** Reason why a reader that follows the interface ignores something that the older schema does not allow. */
export type Tolerance = 'unknown-value' | 'open-value' | 'unpromised-bound';

/** One difference between two schemas, at one place of the values that they describe. */
export interface SchemaChange {
  /** JSON Pointer into the value; `*` is any item of a list, or any other field. */
  readonly pointer: string;
  readonly rule: SchemaRule;
  /** Describes the difference: `expected` of the older version, then of the newer one. */
  readonly text: string;
  /** A value of the older schema may be refused by the newer one. */
  readonly narrows: boolean;
  /** A value of the newer schema may be refused by the older one. */
  readonly widens: boolean;
  /** Reason why a tolerant reader accepts the wider value. */
  readonly tolerated?: Tolerance;
}
