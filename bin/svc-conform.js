#!/usr/bin/env node
// Plain old JavaScript on purpose: a Node that is too old must still get as far as the sentence below.
var needed = [22, 22];
var running = process.versions.node.split('.').map(Number);

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  console.error('svc-conform needs Node ' + needed.join('.') + ' or newer; this is v' + process.versions.node + '.');
  process.exitCode = 2;
} else {
  import('../dist/bin/main.js').then(
    function (program) {
      return program.main(process.argv.slice(2));
    },
    function (error) {
      var unbuilt = error.code === 'ERR_MODULE_NOT_FOUND' && /dist[\\/]bin[\\/]main\.js' imported/.test(error.message);
      console.error(
        unbuilt
          ? 'svc-conform is not built yet; run: npm run build'
          : 'svc-conform itself failed, so nothing was judged (engine-failed): ' + error.message,
      );
      process.exitCode = unbuilt ? 2 : 3;
    },
  );
}
