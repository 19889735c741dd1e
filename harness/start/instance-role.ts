import { ExitRecord } from './exit-record.ts';

/** The place of one process or container among the instances of its endpoint. */
export interface InstanceRole {
  /** From 0. */
  index: number;
  /** Number of instances. */
  of: number;
  exits: ExitRecord;
  /** Called when this instance listens, and when it has ended. */
  onListening: (isListening: boolean) => void;
}

/** The role of an endpoint with one instance. */
export function onlyInstance(): InstanceRole {
  return { index: 0, of: 1, exits: new ExitRecord(), onListening: () => undefined };
}
