<?php
declare(strict_types=1);

const TOLERANCE_SECONDS = 300;
// The whole secret including whsec_; it is not base64. Anyone could sign with an empty key.
$secret = getenv('AGENT_SECRET') ?: throw new RuntimeException('AGENT_SECRET is not set.');

/** Returns whether the header has a fresh signature of exactly these bytes. Garbage is false, not an exception. */
function isSigned(string $header, string $payload, string $secret): bool
{
    if (preg_match('/\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z/', $header, $parts) !== 1) {
        return false;
    }
    [, $t, $v1] = $parts;
    $expected = hash_hmac('sha256', "$t.$payload", $secret);
    return hash_equals($expected, $v1) && abs(time() - (int) $t) <= TOLERANCE_SECONDS;
}

$body = file_get_contents('php://input'); // the raw bytes, not $_POST
if (!isSigned($_SERVER['HTTP_X_SVC_SIGNATURE'] ?? '', $body, $secret)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true, flags: JSON_THROW_ON_ERROR); // only now
error_log("verified {$event['type']}");
http_response_code(204);
