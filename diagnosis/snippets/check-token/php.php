<?php
declare(strict_types=1);

// An empty token would accept "Bearer ".
$token = getenv('WEBHOOK_TOKEN') ?: throw new RuntimeException('WEBHOOK_TOKEN is not set.');

// Apache hides the header from PHP unless configured: SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=$1
$given = $_SERVER['HTTP_AUTHORIZATION'] ?? $_SERVER['REDIRECT_HTTP_AUTHORIZATION'] ?? '';

// The whole header, in constant time; the duration of == and strcmp reveals how much of it is correct.
if (!hash_equals("Bearer $token", $given)) {
    http_response_code(401);
    exit;
}
http_response_code(204);
