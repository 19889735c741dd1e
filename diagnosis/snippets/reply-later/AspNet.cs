using System.Collections.Concurrent;
using System.Net;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
// Of the inbox that the assistant belongs to; not the secret that signs messages.
var apiKey = Environment.GetEnvironmentVariable("SVC_API_KEY");
if (string.IsNullOrEmpty(apiKey)) throw new InvalidOperationException("SVC_API_KEY is not set.");
// No redirect is followed: the key goes to the address that came and nowhere else.
var http = new HttpClient(new SocketsHttpHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };
// Several processes need a shared one: a unique column of your database.
var taken = new ConcurrentDictionary<string, bool>();

// Verify the signature first: it vouches for the address that gets the key.
app.MapPost("/chat", (JsonNode incoming) =>
{
    var data = incoming["data"];
    if ((string?)incoming["type"] != "message.received" || (string?)data?["autoReply"]?["state"] != "on")
        return Results.NoContent(); // stay quiet
    // TryAdd is false the second time: the same event once more gets a 202 as well, and no second reply.
    if (taken.TryAdd((string)incoming["id"]!, true)) _ = Task.Run(() => Reply(data!));
    return Results.StatusCode(202);
});
app.Run();

// Stands for your model, which takes its time. Give yours a time limit.
Task<object> Think(JsonNode data) =>
    Task.FromResult<object>(new { text = $"You wrote: {(string?)data["message"]?["text"]}", action = "none" });

// To exactly the address that came, once.
async Task Reply(JsonNode data)
{
    object answer;
    try { answer = await Think(data); }
    catch (Exception error)
    {
        app.Logger.LogError(error, "The model failed."); // a customer who waits for nothing is worse than a handover
        answer = new { text = "", action = "handover", note = "The assistant failed." };
    }
    try
    {
        using var post = new HttpRequestMessage(HttpMethod.Post, (string)data["replyUrl"]!);
        post.Headers.Add("X-Api-Key", apiKey);
        post.Content = JsonContent.Create(answer);
        using var sent = await http.SendAsync(post);
        // 409: the conversation is no longer ours, and the answer is dropped.
        if (sent.StatusCode != HttpStatusCode.Conflict) sent.EnsureSuccessStatusCode();
    }
    catch (Exception error)
    {
        app.Logger.LogError(error, "The reply failed.");
    }
}
