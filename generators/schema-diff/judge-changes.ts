import type { MessageDirection, Party } from '../../specs/message-directions.ts';
import type { SchemaChange, SchemaRule, Tolerance } from './schema-change.ts';

/** Changes of a document outside its schemas. */
export type DocumentRule =
  | SchemaRule
  | 'document-added'
  | 'document-removed'
  | 'operation-added'
  | 'operation-removed'
  | 'parameter-added'
  | 'parameter-removed'
  | 'parameter-required'
  | 'parameter-optional'
  | 'body-added'
  | 'body-removed'
  | 'body-required'
  | 'body-optional'
  | 'answer-added'
  | 'answer-removed'
  | 'authentication-added'
  | 'authentication-removed'
  | 'authentication-changed'
  | 'binding-changed'
  | 'address-changed'
  | 'message-added'
  | 'message-removed'
  | 'interaction-added'
  | 'interaction-removed'
  | 'interaction-changed';

/** Effect of a change on a side that keeps the older version. */
export interface SideEffect {
  readonly party: Party | 'either side';
  readonly breaking: boolean;
  /** Reason why it breaks nothing although the schema rejects it. */
  readonly because?: string;
}

/** One difference between two versions of a document, for the sender and the reader of the values at that place. */
export interface DocumentChange {
  /** File, or name of the document in the comparison. */
  readonly document: string;
  /** The operation, message or interaction; empty for the document as a whole. */
  readonly where: string;
  /** JSON Pointer into the value; `*` is any item. Empty for the whole. */
  readonly pointer: string;
  readonly rule: DocumentRule;
  readonly text: string;
  readonly sender: SideEffect;
  readonly reader: SideEffect;
}

const reasons: Readonly<Record<Tolerance, string>> = {
  'unknown-value': 'receivers ignore unknown values',
  'open-value': 'the document leaves the values open',
  'unpromised-bound': 'bounds and patterns of messages from the service are not promises',
};

/**
 * Interprets differences of schemas: a narrower one breaks the sender of the older version, a wider one its reader,
 * unless a reader that follows the interface accepts it (interface: Versioning).
 */
export function judgeChanges(
  changes: readonly SchemaChange[],
  place: { readonly document: string; readonly where: string; readonly pointer?: string },
  direction: MessageDirection | undefined,
): DocumentChange[] {
  return changes.map(({ pointer, rule, text, narrows, widens, tolerated }) => {
    const tolerates =
      (tolerated === 'unknown-value' && direction?.unknownValues === true) ||
      (tolerated === 'open-value' && direction?.sender === 'service') ||
      (tolerated === 'unpromised-bound' && direction?.freeBounds === true);
    return {
      document: place.document,
      where: place.where,
      pointer: (place.pointer ?? '') + pointer,
      rule,
      text,
      sender: { party: direction?.sender ?? 'either side', breaking: narrows },
      reader: {
        party: direction?.reader ?? 'either side',
        breaking: widens && !tolerates,
        ...(widens && tolerates && tolerated !== undefined && { because: reasons[tolerated] }),
      },
    };
  });
}

/** A change outside a schema. */
export function documentChange(
  place: { readonly document: string; readonly where: string; readonly pointer?: string },
  rule: DocumentRule,
  text: string,
  direction: MessageDirection | undefined,
  breaks: { readonly sender?: boolean; readonly reader?: boolean },
): DocumentChange {
  return {
    document: place.document,
    where: place.where,
    pointer: place.pointer ?? '',
    rule,
    text,
    sender: { party: direction?.sender ?? 'either side', breaking: breaks.sender ?? false },
    reader: { party: direction?.reader ?? 'either side', breaking: breaks.reader ?? false },
  };
}
