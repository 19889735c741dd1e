using System.Collections.Concurrent;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var http = new HttpClient();
// Several processes need a shared one: a unique column of your database.
var taken = new ConcurrentDictionary<string, bool>();

app.MapPost("/crm", (JsonNode incoming) =>
{
    var callbackUrl = (string)incoming["callbackUrl"]!;
    // TryAdd is false the second time: the same event once more gets a 202 as well, and no second callback.
    if (taken.TryAdd(callbackUrl, true)) _ = Task.Run(() => CallBack(callbackUrl, incoming));
    return Results.StatusCode(202);
});
app.Run();

// To exactly the address that came, its query included. No token: it is not ours to give away.
async Task CallBack(string callbackUrl, JsonNode incoming)
{
    try
    {
        var id = incoming["projectData"]?["svcProjectId"];
        object answer = id is null // not one case for all that have no project
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
