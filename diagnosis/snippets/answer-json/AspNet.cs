using System.Text.Json.Nodes;

var app = WebApplication.Create(args);

// Verify the signature first; in that case, parse the raw body yourself.
app.MapPost("/chat", (JsonNode incoming) =>
{
    var data = incoming["data"];
    if ((string?)incoming["type"] != "message.received" || (string?)data?["autoReply"]?["state"] != "on")
        return Results.NoContent(); // stay quiet
    var text = (string?)data["message"]?["text"] ?? "";
    // Results.Json writes camelCase and sets the type. A returned string would be sent as text/plain.
    return Results.Json(new
    {
        text = Cut($"You wrote: {text}", 4000), // output of your model
        action = "none", // none, handover or end: any other word hands the conversation to the team
        note = Cut($"Answered by the bot: {text}", 500), // for the team only
    });
});
app.Run();

// Truncate between characters. Substring counts UTF-16 units and may leave half of an emoji.
string Cut(string text, int characters) => string.Concat(text.EnumerateRunes().Take(characters));
