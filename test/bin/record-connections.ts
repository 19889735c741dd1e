// Loaded with --import: records each host and port that the process connects to, and each name that it looks up.
import dns from 'node:dns';
import { appendFileSync } from 'node:fs';
import net from 'node:net';
import { syncBuiltinESMExports } from 'node:module';

const file = process.env['CONNECTIONS_FILE'] ?? '';
const record = (text: string) => appendFileSync(file, `${text}\n`);

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the socket below
const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [first] = (Array.isArray(args[0]) ? args[0] : args) as [net.TcpSocketConnectOpts | number | string, unknown];
  if (typeof first === 'object' && first !== null && !('path' in first && first.path !== undefined)) {
    record(`connect ${first.host ?? 'localhost'}:${first.port}`);
  } else {
    record(`connect ${String(typeof first === 'object' ? (first as { path?: string }).path : first)}`);
  }
  return (connect as (...all: unknown[]) => net.Socket).apply(this, args);
};

const { lookup } = dns;
dns.lookup = Object.assign(function (host: string, ...rest: unknown[]) {
  // Listening on a literal address also calls the lookup, which then sends nothing.
  if (net.isIP(host) === 0) record(`lookup ${host}`);
  (lookup as (...all: unknown[]) => void)(host, ...rest);
}, lookup);
syncBuiltinESMExports();
