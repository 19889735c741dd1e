<?php
declare(strict_types=1);

use Workerman\Connection\TcpConnection;
use Workerman\Protocols\Http\Request;
use Workerman\Worker;

require __DIR__ . '/vendor/autoload.php';

const TOLERANCE_SECONDS = 300;
// The whole secret including whsec_; it is not base64. Anyone could sign with an empty key.
$secret = getenv('AGENT_SECRET') ?: throw new RuntimeException('AGENT_SECRET is not set.');

/** Returns whether the upgrade is signed, over the call id from the header, not over the empty body. */
function isSigned(string $header, string $callId, string $secret): bool
{
    if ($callId === '' || preg_match('/\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z/', $header, $parts) !== 1) {
        return false;
    }
    [, $t, $v1] = $parts;
    $expected = hash_hmac('sha256', "$t.$callId", $secret);
    return hash_equals($expected, $v1) && abs(time() - (int) $t) <= TOLERANCE_SECONDS;
}

$worker = new Worker('websocket://127.0.0.1:3000');
// Runs before the upgrade is answered. PHP behind a web server cannot hold a call: this is a separate process.
$worker->onWebSocketConnect = function (TcpConnection $call, Request $request) use ($secret): void {
    if (!isSigned($request->header('x-svc-signature', ''), $request->header('x-svc-call-id', ''), $secret)) {
        $call->close("HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", true);
    }
};
$worker->onMessage = function (TcpConnection $call, string $frame): void {
    // Speak here.
};
Worker::runAll();
