/** Location of a fault in the schema files: the `$id` (or `(no $id)`) and a JSON Pointer into that file. */
export interface SchemaPlace {
  readonly id: string;
  readonly pointer: string;
}

/**
 * A schema from which no values can be generated without guessing. Our own fault, never a finding about an endpoint.
 */
export class SchemaError extends Error {
  readonly schema: string;
  readonly pointer: string;
  readonly keyword: string;

  /** `fix` states how the author of the schema corrects it. */
  constructor(place: SchemaPlace, keyword: string, problem: string, fix: string) {
    super(`${place.id}#${place.pointer}: ${keyword}: ${problem}. ${fix}.`);
    this.name = 'SchemaError';
    this.schema = place.id;
    this.pointer = place.pointer;
    this.keyword = keyword;
  }
}

/** Two contradictory statements about one place. */
export class ContradictionError extends SchemaError {}
