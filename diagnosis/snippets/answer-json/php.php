<?php
declare(strict_types=1);

/** Truncate between characters: substr() counts bytes and may leave half of one. mb_substr() works as well. */
function cut(string $text, int $characters): string
{
    return preg_match("/\\A.{0,$characters}/su", $text, $start) === 1 ? $start[0] : '';
}

// Verify the signature first.
$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
if (($event['type'] ?? '') !== 'message.received' || ($event['data']['autoReply']['state'] ?? '') !== 'on') {
    http_response_code(204); // stay quiet
    exit;
}
$text = $event['data']['message']['text'] ?? ''; // fields that are new, null or missing are not errors
$answer = [
    'text' => cut("You wrote: $text", 4000), // output of your model
    'action' => 'none', // none, handover or end: any other word hands the conversation to the team
    'note' => cut("Answered by the bot: $text", 500), // for the team only
];
// No closing tag, and no byte order mark in this file: anything outside of PHP would be part of the answer.
// JSON_THROW_ON_ERROR, because json_encode returns false for invalid UTF-8, and the answer would be empty.
header('Content-Type: application/json');
echo json_encode($answer, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
