<?php
declare(strict_types=1);

const LIMIT_SECONDS = 1.5; // of the 2 seconds that a caller waits; the rest is for the network
$crmUrl = getenv('CRM_URL'); // your own system

$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);
$phone = rawurlencode($event['contactData']['phoneNumber'] ?? '');

// PHP's own timeout restarts with every received byte. With curl, CURLOPT_TIMEOUT_MS limits the whole request.
$context = stream_context_create(['http' => ['timeout' => LIMIT_SECONDS]]);
$number = @file_get_contents("$crmUrl/customer-number?phone=$phone", false, $context);

// Not found, or not in time: no data to add, and the caller is greeted without delay.
// To answer later, answer 202 here and let a worker call back.
if ($number === false) {
    http_response_code(204);
    exit;
}
header('Content-Type: application/json');
echo json_encode([
    'requestContactUpdate' => true,
    'contactData' => ['crmContactId' => $number],
    'requestProjectUpdate' => false,
], JSON_THROW_ON_ERROR);
