<?php
declare(strict_types=1);

$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
$callbackUrl = $event['callbackUrl'];

http_response_code(202);
header('Content-Length: 0');
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the answer goes out now; without PHP-FPM, let a queue and a worker do the rest
}

// Mode x fails when the file is there, also for two at once. A unique column of your database does the same.
$mark = sys_get_temp_dir() . '/callback-' . hash('sha256', $callbackUrl);
if (@fopen($mark, 'x') === false) {
    exit; // the same event once more: its callback is on the way already
}

$answer = ['requestContactUpdate' => false, 'requestProjectUpdate' => false];
$id = $event['projectData']['svcProjectId'] ?? null;
if ($id !== null) { // not one case for all that have no project
    $answer['requestProjectUpdate'] = true;
    $answer['projectData'] = ['crmProjectId' => "case-$id"]; // ask your own system; ids are strings
}
// To exactly the address that came, its query included. No token: it is not ours to give away.
file_get_contents($callbackUrl, false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Content-Type: application/json',
    'content' => json_encode($answer, JSON_THROW_ON_ERROR),
    'timeout' => 10,
]]));
