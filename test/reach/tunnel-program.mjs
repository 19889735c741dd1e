// A program in place of a tunnel: forwards a free port of this machine to the port that is its first argument, and prints
// the address. Its second argument is a file for its process ids. The third is a mode: `ends` ends it at the first request,
// `stops` ends its forwarding then, and `polite` writes the signal that ends it to the file with the suffix `.end`.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const [port, pids, mode] = process.argv.slice(2);
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
if (mode === 'polite') {
  process.on('SIGTERM', (signal) => {
    writeFileSync(`${pids}.end`, signal);
    process.exit(0);
  });
}
let connections = 0;
const server = createServer((socket) => {
  connections++;
  // The first connection is the test request.
  if (mode === 'ends' && connections > 1) process.exit(9);
  if (mode === 'stops' && connections > 1) return void socket.destroy();
  const onward = connect(Number(port), '127.0.0.1');
  for (const side of [socket, onward]) {
    side.on('error', () => undefined);
    side.on('close', () => [socket, onward].forEach((one) => one.destroy()));
  }
  socket.pipe(onward).pipe(socket);
});
server.listen(0, '127.0.0.1', () => {
  const { port: open } = server.address();
  writeFileSync(pids, `${process.pid} ${child.pid} ${open}`);
  console.error('See https://tunnel.example.com/docs/start for help.');
  console.error(`Settings: url:http://localhost:${port}`);
  console.log(`|  http://127.0.0.1:${open}  |`);
});
