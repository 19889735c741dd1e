using System.Collections.Concurrent;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var http = new HttpClient();
// Several processes need a shared store: a unique column in your database.
var taken = new ConcurrentDictionary<string, bool>();

app.MapPost("/crm", (JsonNode incoming) =>
{
    var callbackUrl = (string)incoming["callbackUrl"]!;
    // TryAdd returns false the second time: a repetition of the event also gets a 202, and no second callback.
    if (taken.TryAdd(callbackUrl, true)) _ = Task.Run(() => CallBack(callbackUrl, incoming));
    return Results.StatusCode(202);
});
app.Run();

// To the unchanged address, including its query. No token: it must not leave the endpoint.
async Task CallBack(string callbackUrl, JsonNode incoming)
{
    try
    {
        var id = incoming["projectData"]?["svcProjectId"];
        object answer = id is null // not one case for all events without a project
            ? new { requestContactUpdate = false, requestProjectUpdate = false }
            : new
            {
                requestContactUpdate = false,
                requestProjectUpdate = true,
                projectData = new { crmProjectId = $"case-{id}" }, // ask your own system; ids are strings
            };
        var sent = await http.PostAsJsonAsync(callbackUrl, answer);
        sent.EnsureSuccessStatusCode();
    }
    catch (Exception error)
    {
        app.Logger.LogError(error, "The callback failed.");
    }
}
