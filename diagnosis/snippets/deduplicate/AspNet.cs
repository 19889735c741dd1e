using System.Collections.Concurrent;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var crm = new HttpClient // your own system
{
    BaseAddress = new Uri(Environment.GetEnvironmentVariable("CRM_URL")!),
    Timeout = TimeSpan.FromSeconds(10), // whoever comes while it runs waits for it
};
// Delivery id to what came of it. In a database: a unique column, written in one transaction with the effect.
var done = new ConcurrentDictionary<string, Lazy<Task>>();

// Verify the signature first. The id is unique per delivery; body, contact or time of two deliveries can be alike.
app.MapPost("/hooks", async (HttpRequest request, JsonNode incoming) =>
{
    var delivery = request.Headers["X-Svc-Delivery-Id"].ToString();
    if (delivery == "") return Results.BadRequest();
    // Lazy, because GetOrAdd alone may run the work twice. Whoever comes while it runs waits for the same task.
    var work = done.GetOrAdd(delivery, _ => new Lazy<Task>(() => Keep(incoming["data"]!)));
    try
    {
        await work.Value;
        return Results.Ok();
    }
    catch (Exception error) // of any kind: what is kept here would fail every time that the delivery comes again
    {
        app.Logger.LogError(error, "The appointment was not kept.");
        done.TryRemove(KeyValuePair.Create(delivery, work)); // this attempt and no later one; it may be tried again
        return Results.StatusCode(500);
    }
});
app.Run();

async Task Keep(JsonNode appointment)
{
    var kept = await crm.PostAsJsonAsync("appointments", appointment);
    kept.EnsureSuccessStatusCode();
}
