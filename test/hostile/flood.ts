import type { Duplex } from 'node:stream';

/** Writes these bytes again and again until the connection ends. */
export function flood(socket: Duplex, bytes: Buffer | string): void {
  socket.on('error', () => undefined);
  const next = () => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(next));
  };
  next();
}
