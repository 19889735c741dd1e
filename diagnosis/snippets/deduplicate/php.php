<?php
declare(strict_types=1);

$crmUrl = getenv('CRM_URL'); // your own system

function keep(string $crmUrl, array $appointment): bool
{
    return @file_get_contents("$crmUrl/appointments", false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => 'Content-Type: application/json',
        'content' => json_encode($appointment, JSON_THROW_ON_ERROR),
        'timeout' => 10,
    ]])) !== false;
}

// Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
$delivery = $_SERVER['HTTP_X_SVC_DELIVERY_ID'] ?? throw new RuntimeException('The delivery has no id.');
$event = json_decode(file_get_contents('php://input'), true, flags: JSON_THROW_ON_ERROR);

// One file per delivery, locked while it is processed. A unique database column, written in one transaction with
// the effect, does the same.
$mark = fopen(sys_get_temp_dir() . '/delivery-' . hash('sha256', $delivery), 'c+');
flock($mark, LOCK_EX);
if (fgets($mark) !== 'done') {
    if (!keep($crmUrl, $event['data'])) {
        http_response_code(500); // not recorded, so that it can be repeated
        exit;
    }
    fwrite($mark, 'done');
}
http_response_code(200);
