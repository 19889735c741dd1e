<?php
declare(strict_types=1);

// Of the inbox that the assistant belongs to; not the secret that signs messages.
$apiKey = getenv('SVC_API_KEY') ?: throw new RuntimeException('SVC_API_KEY is not set.');

/** Stands for your model, which takes its time. Give yours a time limit. */
function think(array $data): array
{
    return ['text' => 'You wrote: ' . ($data['message']['text'] ?? ''), 'action' => 'none'];
}

// Verify the signature first: it vouches for the address that gets the key.
$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
if (($event['type'] ?? '') !== 'message.received' || ($event['data']['autoReply']['state'] ?? '') !== 'on') {
    http_response_code(204); // stay quiet
    exit;
}

http_response_code(202);
header('Content-Length: 0');
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // the answer goes out now; without PHP-FPM, let a queue and a worker do the rest
}

// Mode x fails when the file is there, also for two at once. A unique column of your database does the same.
if (@fopen(sys_get_temp_dir() . '/message-' . hash('sha256', $event['id']), 'x') === false) {
    exit; // the same event once more: its reply is on the way already
}

try {
    $answer = think($event['data']);
} catch (Throwable $error) {
    error_log("The model failed: {$error->getMessage()}"); // a customer who waits for nothing is worse than a handover
    $answer = ['text' => '', 'action' => 'handover', 'note' => 'The assistant failed.'];
}
// To exactly the address that came, once. The API key goes there and nowhere else.
file_get_contents($event['data']['replyUrl'], false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Content-Type: application/json', "X-Api-Key: $apiKey"],
    'content' => json_encode($answer, JSON_THROW_ON_ERROR),
    'timeout' => 10,
    'follow_location' => 0,
    'ignore_errors' => true,
]]));
$status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
if ($status >= 300 && $status !== 409) { // 409: the conversation is no longer ours, and the answer is dropped
    error_log("The reply was answered $status.");
}
