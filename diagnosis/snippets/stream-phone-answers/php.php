<?php
declare(strict_types=1);

use Workerman\Connection\TcpConnection;
use Workerman\Timer;
use Workerman\Worker;

require __DIR__ . '/vendor/autoload.php';

$worker = new Worker('websocket://127.0.0.1:3000');
// Verify the upgrade as well, in onWebSocketConnect.

function stop(TcpConnection $call): void
{
    if (isset($call->context->timer)) {
        Timer::del($call->context->timer); // no piece of the old answer after this
        unset($call->context->timer);
    }
}

$worker->onMessage = function (TcpConnection $call, string $data): void {
    $frame = json_decode($data, true, flags: JSON_THROW_ON_ERROR);
    if (in_array($frame['type'], ['prompt', 'interrupt', 'session.ended'], true)) {
        stop($call); // one answer at a time
    }
    // session.started needs no answer: the service greets. Ignore unknown types.
    if ($frame['type'] !== 'prompt') {
        return;
    }
    // Placeholder for your model. A timer, not a loop with sleep(): that would block every call, and miss interruptions.
    $words = explode(' ', "You said: {$frame['text']}");
    $call->context->timer = Timer::add(0.03, function () use ($call, &$words): void {
        $word = array_shift($words);
        $piece = ['type' => 'text', 'text' => $word === null ? '' : "$word ", 'last' => $word === null];
        $call->send(json_encode($piece, JSON_THROW_ON_ERROR)); // the last, empty piece closes the answer
        if ($word === null) {
            stop($call);
        }
    });
};
$worker->onClose = fn (TcpConnection $call) => stop($call);
Worker::runAll();
