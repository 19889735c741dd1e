/** What kind of change it is; stable, since programs read it. */
export type SchemaRule =
  | 'type-added'
  | 'type-removed'
  | 'value-added'
  | 'value-removed'
  | 'bound-changed'
  | 'pattern-changed'
  | 'format-changed'
  | 'member-added'
  | 'member-removed'
  | 'member-required'
  | 'member-optional'
  | 'others-refused'
  | 'others-taken'
  | 'branch-added'
  | 'branch-removed'
  | 'keyword-changed';

/** What a reader who keeps to the interface passes over, although an older schema does not have it. */
export type Tolerance = 'unknown-value' | 'open-value' | 'unpromised-bound';

/** One difference between two schemas, at one place of the values that they describe. */
export interface SchemaChange {
  /** JSON Pointer into the value; `*` is any item of a list, or any other field. */
  readonly pointer: string;
  readonly rule: SchemaRule;
  /** What differs, in words: `expected` of old, then of new. */
  readonly text: string;
  /** A value of the older schema may be refused by the newer one. */
  readonly narrows: boolean;
  /** A value of the newer schema may be refused by the older one. */
  readonly widens: boolean;
  /** Why a tolerant reader takes what is wider now. */
  readonly tolerated?: Tolerance;
}
