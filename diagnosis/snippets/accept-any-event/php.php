<?php
declare(strict_types=1);

// Until October 2026 eventType was a number; accept both forms.
const NUMBERS = [
    'IncomingCallLookup', 'FinishedCall', 'NewConversation', 'ConversationPaused', 'Manual', 'FormSubmitted',
];

/** Every field may be null, missing or new. Read the fields that you need, and ignore the rest. */
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
    default => null, // an unknown event is not an error: there is no data to add
};
if ($answer === null) {
    http_response_code(204);
    exit;
}
header('Content-Type: application/json');
echo json_encode($answer, JSON_THROW_ON_ERROR);
