import type { Readable, Writable } from 'node:stream';

/** Passes the lines of a stream on, each with its time in front. */
export function forwardLines(from: Readable, to: Writable): void {
  from.on('data', (chunk: Buffer) => {
    const at = Buffer.from(`${new Date().toISOString()} `);
    for (let start = 0; start < chunk.length;) {
      const lineBreak = chunk.indexOf(0x0a, start);
      const end = lineBreak < 0 ? chunk.length : lineBreak + 1;
      to.write(Buffer.concat([at, chunk.subarray(start, end)]));
      start = end;
    }
  });
}
