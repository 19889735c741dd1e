<?php
declare(strict_types=1);

// API key of the assistant's inbox; not the secret that signs messages.
$apiKey = getenv('SVC_API_KEY') ?: throw new RuntimeException('SVC_API_KEY is not set.');

/** Placeholder for your slow model. Give yours a timeout. */
function think(array $data): array
{
    return ['text' => 'You wrote: ' . ($data['message']['text'] ?? ''), 'action' => 'none'];
}

// Verify the signature first: it authenticates the address that gets the key.
$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
if (($event['type'] ?? '') !== 'message.received' || ($event['data']['autoReply']['state'] ?? '') !== 'on') {
    http_response_code(204); // stay quiet
    exit;
}

http_response_code(202);
header('Content-Length: 0');
if (function_exists('fastcgi_finish_request')) {
    fastcgi_finish_request(); // sends the answer now; without PHP-FPM, let a queue and a worker do the rest
}

// Mode x fails if the file exists, even for two simultaneous calls. A unique column in your database does the same.
if (@fopen(sys_get_temp_dir() . '/message-' . hash('sha256', $event['id']), 'x') === false) {
    exit; // a repetition of the event: its reply is already on its way
}

try {
    $answer = think($event['data']);
} catch (Throwable $error) {
    error_log("The model failed: {$error->getMessage()}"); // a customer who waits in vain is worse than a handover
    $answer = ['text' => '', 'action' => 'handover', 'note' => 'The assistant failed.'];
}
// To the unchanged address, once. The API key goes only there.
file_get_contents($event['data']['replyUrl'], false, stream_context_create(['http' => [
    'method' => 'POST',
    'header' => ['Content-Type: application/json', "X-Api-Key: $apiKey"],
    'content' => json_encode($answer, JSON_THROW_ON_ERROR),
    'timeout' => 10,
    'follow_location' => 0,
    'ignore_errors' => true,
]]));
$status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
if ($status >= 300 && $status !== 409) { // 409: the AI no longer has the conversation, so the answer is dropped
    error_log("The reply was answered $status.");
}
