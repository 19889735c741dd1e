<?php
declare(strict_types=1);

$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
$callbackUrl = $event['callbackUrl'];

http_response_code(202);
header('Content-Length: 0');
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // sends the answer now; without PHP-FPM, let a queue and a worker do the rest
}

// Mode x fails if the file exists, even for two simultaneous calls. A unique column in your database does the same.
$mark = sys_get_temp_dir() . '/callback-' . hash('sha256', $callbackUrl);
if (@fopen($mark, 'x') === false) {
    exit; // a repetition of the event: its callback is already on its way
}

$answer = ['requestContactUpdate' => false, 'requestProjectUpdate' => false];
$id = $event['projectData']['svcProjectId'] ?? null;
if ($id !== null) { // not one case for all events without a project
    $answer['requestProjectUpdate'] = true;
    $answer['projectData'] = ['crmProjectId' => "case-$id"]; // ask your own system; ids are strings
}
// To the unchanged address, including its query. No token: it must not leave the endpoint.
file_get_contents($callbackUrl, false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => 'Content-Type: application/json',
    'content' => json_encode($answer, JSON_THROW_ON_ERROR),
    'timeout' => 10,
]]));
