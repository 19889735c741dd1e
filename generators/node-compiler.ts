import type { PathState } from './override-paths.ts';
import type { NodeSettings, SchemaNode } from './schema-node.ts';
import type { Located } from './schema-parts.ts';

/** Compiles the schemas inside an object or array. */
export interface NodeCompiler {
  readonly settings: NodeSettings;
  /** The node of a conjunction of schemas; undefined when it is literally `false`. */
  node(list: readonly Located[], state: PathState): SchemaNode | undefined;
  /** The state at a field, or at an item without a name. */
  below(state: PathState, name: string | undefined): PathState;
}
