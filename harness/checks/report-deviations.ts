import { test } from 'vitest';
import { noCapture, type Capture, type ServiceDeviation } from '../capture/capture.ts';
import { currentHost } from './check-host.ts';

declare module 'vitest' {
  interface TaskMeta {
    deviations?: readonly ServiceDeviation[];
  }
}

/** Registers a test that reports how the recorded service deviates from the interface. It has no verdict. */
export function reportDeviations(find: (capture: Capture) => readonly ServiceDeviation[]): void {
  const { capture = noCapture } = currentHost().settings;
  test('the recorded service', ({ task }) => {
    task.meta.deviations = find(capture);
  });
}
