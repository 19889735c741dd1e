import { cpus, release, totalmem, type } from 'node:os';

/** The machine and the program that measured. */
export interface Machine {
  processors: string;
  memoryGigabytes: number;
  system: string;
  node: string;
}

export function thisMachine(): Machine {
  const [first, ...others] = cpus();
  return {
    processors: `${others.length + 1} × ${first?.model.trim() ?? 'unknown'}`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release().split('-', 1)[0]}`,
    node: process.version,
  };
}

export function formatMachine({ processors, memoryGigabytes, system, node }: Machine): string {
  return `${processors}, ${memoryGigabytes} GB, ${system}, Node ${node}`;
}
