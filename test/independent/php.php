<?php
// A small integrator in plain PHP, served by `php -S`. It has no phone, and answers every message at once.

const TOLERANCE_SECONDS = 300;
const LEGACY_EVENTS = [
    'IncomingCallLookup', 'FinishedCall', 'NewConversation', 'ConversationPaused', 'Manual', 'FormSubmitted',
];
const CUSTOMERS = [
    '+4930901820' => [
        'crmContactId' => '4711', 'firstName' => 'François', 'lastName' => 'Müller', 'crmAiInfo' => 'Writes rather than calls.',
    ],
];

function is_signed(string $header, string $content, string $secret): bool
{
    if (!preg_match('/^t=(\d{1,12}),v1=([0-9a-f]{64})$/D', $header, $match)) {
        return false;
    }
    [, $t, $v1] = $match;
    if (abs(time() - (int) $t) > TOLERANCE_SECONDS) {
        return false;
    }
    return hash_equals(hash_hmac('sha256', $t . '.' . $content, $secret), $v1);
}

function answer(int $status, ?array $body = null): never
{
    http_response_code($status);
    if ($body !== null) {
        header('Content-Type: application/json');
        echo json_encode($body, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
    }
    exit;
}

/** Each request has its own process memory, so a file remembers what was seen. */
function is_first(string $id): bool
{
    $file = @fopen(__DIR__ . '/seen-' . sha1($id), 'x');
    return $file !== false;
}

function write_note(array $note, string $idempotency_key): void
{
    for ($attempt = 0; $attempt < 5; $attempt++) {
        $context = stream_context_create(['http' => [
            'method' => 'POST',
            'header' => [
                'Content-Type: application/json',
                'X-Api-Key: ' . getenv('SVC_API_KEY'),
                "Idempotency-Key: $idempotency_key",
            ],
            'content' => json_encode($note),
            'timeout' => 10,
            'ignore_errors' => true,
        ]]);
        if (@file_get_contents(getenv('SVC_BASE_URL') . '/v1/notes', false, $context) !== false) {
            $status = (int) substr($http_response_header[0], 9, 3);
            if ($status < 500) {
                // 429 included: one process serves everything, so it cannot wait for a minute.
                if ($status >= 400) {
                    error_log("note refused: $status");
                }
                return;
            }
        }
        usleep(200_000 * 2 ** $attempt);
    }
    error_log('note given up');
}

function handle_crm(array $event): never
{
    $kind = $event['eventType'] ?? null;
    $kind = is_int($kind) ? (LEGACY_EVENTS[$kind] ?? null) : $kind;
    if ($kind === 'IncomingCallLookup' || $kind === 'NewConversation') {
        $customer = CUSTOMERS[$event['contactData']['phoneNumber'] ?? ''] ?? null;
        if ($customer !== null) {
            answer(200, ['requestContactUpdate' => true, 'contactData' => $customer, 'requestProjectUpdate' => false]);
        }
    } elseif ($kind === 'FinishedCall' || $kind === 'ConversationPaused') {
        $project = $event['projectData']['svcProjectId'] ?? null;
        if ($project !== null) {
            answer(200, ['requestProjectUpdate' => true, 'projectData' => ['crmProjectId' => "A-$project"]]);
        }
    }
    answer(204);
}

function handle_hook(array $event, string $delivery_id): never
{
    if (in_array($event['type'] ?? '', ['appointment.created', 'appointment.cancelled'], true) && is_first($delivery_id)) {
        $data = $event['data'];
        write_note(['projectId' => $data['projectId'], 'text' => "{$event['type']}: {$data['title']}"], $delivery_id);
    }
    answer(200);
}

function think(string $text, array $skills): array
{
    foreach ($skills as $skill) {
        if ($skill['kind'] === 'forward' && preg_match('/sales/i', $text)) {
            return ['text' => 'I put you through.', 'action' => 'none', 'executeSkills' => [$skill['key']]];
        }
    }
    if (preg_match('/person/i', $text)) {
        return ['text' => 'A colleague will answer.', 'action' => 'handover', 'note' => 'Asks for a person.'];
    }
    if (preg_match('/goodbye/i', $text)) {
        return ['text' => 'Goodbye.', 'action' => 'end'];
    }
    return ['text' => 'We are open from nine to five.', 'action' => 'none'];
}

function handle_chat(array $event): never
{
    if (($event['type'] ?? '') !== 'message.received') {
        answer(204);
    }
    $data = $event['data'];
    if (($data['autoReply']['state'] ?? 'on') !== 'on') {
        answer(204);
    }
    answer(200, think($data['message']['text'], $data['skills'] ?? []));
}

function parse(string $body): array
{
    $event = json_decode($body, true);
    return is_array($event) ? $event : answer(400);
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/crm') {
    if (!hash_equals('Bearer ' . getenv('CRM_TOKEN'), $_SERVER['HTTP_AUTHORIZATION'] ?? '')) {
        answer(401);
    }
    handle_crm(parse(file_get_contents('php://input')));
}
if ($path !== '/hooks' && $path !== '/chat') {
    answer(404);
}
$body = file_get_contents('php://input');
$secret = getenv($path === '/hooks' ? 'HOOK_SECRET' : 'AGENT_SECRET');
if (!is_signed($_SERVER['HTTP_X_SVC_SIGNATURE'] ?? '', $body, $secret)) {
    answer(401);
}
$event = parse($body);
if ($path === '/hooks') {
    handle_hook($event, $_SERVER['HTTP_X_SVC_DELIVERY_ID'] ?? $event['id']);
}
handle_chat($event);
