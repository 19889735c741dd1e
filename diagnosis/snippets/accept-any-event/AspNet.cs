using System.Text.Json;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
// Until October 2026 eventType was a number; accept both forms.
string[] numbers =
    ["IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted"];

// A JsonObject, or a class without an enum: a future event must not cause a 400.
app.MapPost("/crm", (JsonObject incoming) =>
{
    var answer = NameOf(incoming["eventType"]) switch
    {
        "IncomingCallLookup" or "NewConversation" => LookUp(incoming),
        _ => null, // an unknown event is not an error: there is no data to add
    };
    return answer is null ? Results.NoContent() : Results.Json(answer);
});
app.Run();

string? NameOf(JsonNode? eventType) => eventType?.GetValueKind() switch
{
    JsonValueKind.String => eventType.GetValue<string>(),
    JsonValueKind.Number when eventType.AsValue().TryGetValue<int>(out var at) => numbers.ElementAtOrDefault(at),
    _ => null,
};

// Every field may be null, missing or new. Read the fields that you need, and ignore the rest.
object? LookUp(JsonObject incoming)
{
    if (incoming["contactData"] is not JsonObject contact) return null;
    if (contact["phoneNumber"]?.GetValueKind() != JsonValueKind.String) return null;
    var crmContactId = $"customer-{contact["phoneNumber"]}"; // ask your own system; ids are strings
    return new { requestContactUpdate = true, contactData = new { crmContactId }, requestProjectUpdate = false };
}
