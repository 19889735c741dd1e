<?php
declare(strict_types=1);

// Until October 2026 eventType was a number; both forms come.
const NUMBERS = [
    'IncomingCallLookup', 'FinishedCall', 'NewConversation', 'ConversationPaused', 'Manual', 'FormSubmitted',
];

/** Every member may be null, missing or new. Take what you need, and leave the rest alone. */
function lookUp(array $event): ?array
{
    $phone = $event['contactData']['phoneNumber'] ?? null;
    if (!is_string($phone)) {
        return null;
    }
    $contact = ['crmContactId' => "customer-$phone"]; // ask your own system; ids are strings
    return ['requestContactUpdate' => true, 'contactData' => $contact, 'requestProjectUpdate' => false];
}

$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
$type = $event['eventType'] ?? null;
$name = is_int($type) ? NUMBERS[$type] ?? null : $type;

$answer = match ($name) {
    'IncomingCallLookup', 'NewConversation' => lookUp($event),
    default => null, // an event that we do not know is no error: there is nothing to add
};
if ($answer === null) {
    http_response_code(204);
    exit;
}
header('Content-Type: application/json');
echo json_encode($answer, JSON_THROW_ON_ERROR);
