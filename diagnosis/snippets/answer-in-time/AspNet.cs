using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var crmUrl = Environment.GetEnvironmentVariable("CRM_URL"); // your own system
var limit = TimeSpan.FromSeconds(1.5); // of the 2 seconds that a caller waits; the rest is for the network
var http = new HttpClient();
var nothing = new { requestContactUpdate = false, requestProjectUpdate = false };

async Task<object> LookUp(JsonNode incoming)
{
    try
    {
        var phone = Uri.EscapeDataString((string?)incoming["contactData"]?["phoneNumber"] ?? "");
        var crmContactId = await http.GetStringAsync($"{crmUrl}/customer-number?phone={phone}");
        return new { requestContactUpdate = true, contactData = new { crmContactId }, requestProjectUpdate = false };
    }
    catch (Exception error) when (error is HttpRequestException or TaskCanceledException) { return nothing; }
}

app.MapPost("/crm", async (JsonNode incoming) =>
{
    var answer = LookUp(incoming);
    if (await Task.WhenAny(answer, Task.Delay(limit)) == answer) return Results.Json(await answer);

    // 202 is a promise: exactly one callback follows within 5 minutes, also when nothing was found.
    var callbackUrl = (string)incoming["callbackUrl"]!;
    _ = Task.Run(async () =>
    {
        try { await http.PostAsJsonAsync(callbackUrl, await answer); }
        catch (Exception error) { app.Logger.LogError(error, "The callback failed."); }
    });
    return Results.StatusCode(202);
});
app.Run();
