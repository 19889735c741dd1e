using System.Collections.Concurrent;
using System.Net;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
// API key of the assistant's inbox; not the secret that signs messages.
var apiKey = Environment.GetEnvironmentVariable("SVC_API_KEY");
if (string.IsNullOrEmpty(apiKey)) throw new InvalidOperationException("SVC_API_KEY is not set.");
// Follows no redirect: the key goes only to this address.
var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };
// Several processes need a shared store: a unique column in your database.
var taken = new ConcurrentDictionary<string, bool>();

// Verify the signature first: it authenticates the address that gets the key.
app.MapPost("/chat", (JsonNode incoming) =>
{
    var data = incoming["data"];
    if ((string?)incoming["type"] != "message.received" || (string?)data?["autoReply"]?["state"] != "on")
        return Results.NoContent(); // stay quiet
    // TryAdd returns false the second time: a repetition of the event also gets a 202, and no second reply.
    if (taken.TryAdd((string)incoming["id"]!, true)) _ = Task.Run(() => Reply(data!));
    return Results.StatusCode(202);
});
app.Run();

// Placeholder for your slow model. Give yours a timeout.
Task<object> Think(JsonNode data) =>
    Task.FromResult<object>(new { text = $"You wrote: {(string?)data["message"]?["text"]}", action = "none" });

// To the unchanged address, once.
async Task Reply(JsonNode data)
{
    object answer;
    try { answer = await Think(data); }
    catch (Exception error)
    {
        app.Logger.LogError(error, "The model failed."); // a customer who waits in vain is worse than a handover
        answer = new { text = "", action = "handover", note = "The assistant failed." };
    }
    try
    {
        using var post = new HttpRequestMessage(HttpMethod.Post, (string)data["replyUrl"]!);
        post.Headers.Add("X-Api-Key", apiKey);
        post.Content = JsonContent.Create(answer);
        using var sent = await http.SendAsync(post);
        // 409: the AI no longer has the conversation, so the answer is dropped.
        if (sent.StatusCode != HttpStatusCode.Conflict) sent.EnsureSuccessStatusCode();
    }
    catch (Exception error)
    {
        app.Logger.LogError(error, "The reply failed.");
    }
}
