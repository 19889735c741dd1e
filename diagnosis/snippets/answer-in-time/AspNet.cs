using System.Collections.Concurrent;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var crmUrl = Environment.GetEnvironmentVariable("CRM_URL"); // your own system
var limit = TimeSpan.FromSeconds(1.5); // of the 2 seconds that a caller waits; the rest is for the network
// Without its own timeout, a hanging system prevents the callback.
var http = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
// By callbackUrl; several processes need a shared store, for example a table in your database.
var works = new ConcurrentDictionary<string, Lazy<Work>>();
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
    var callbackUrl = (string)incoming["callbackUrl"]!;
    // A repetition of the event joins the first: it gets the same answer, and no second callback.
    var work = works.GetOrAdd(callbackUrl, _ => new Lazy<Work>(() => new Work(LookUp(incoming)))).Value;
    var inTime = await Task.WhenAny(work.Answer, Task.Delay(limit)) == work.Answer;
    if (inTime && Volatile.Read(ref work.Promised) == 0) return Results.Json(await work.Answer);

    // 202 is a promise: exactly one callback follows within 5 minutes, even if nothing was found.
    if (Interlocked.Exchange(ref work.Promised, 1) == 0) _ = Task.Run(() => CallBack(callbackUrl, work.Answer));
    return Results.StatusCode(202);
});
app.Run();

async Task CallBack(string callbackUrl, Task<object> answer)
{
    try { await http.PostAsJsonAsync(callbackUrl, await answer); }
    catch (Exception error) { app.Logger.LogError(error, "The callback failed."); }
}

class Work(Task<object> answer)
{
    public readonly Task<object> Answer = answer;
    public int Promised; // 1 once a 202 has promised a callback
}
