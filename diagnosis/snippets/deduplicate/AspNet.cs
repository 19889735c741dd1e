using System.Collections.Concurrent;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
var crm = new HttpClient // your own system
{
    BaseAddress = new Uri(Environment.GetEnvironmentVariable("CRM_URL")!),
    Timeout = TimeSpan.FromSeconds(10), // concurrent deliveries wait for it
};
// Delivery id to outcome. In a database: a unique column, written in the same transaction as the effect.
var done = new ConcurrentDictionary<string, Lazy<Task>>();

// Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
app.MapPost("/hooks", async (HttpRequest request, JsonNode incoming) =>
{
    var delivery = request.Headers["X-Svc-Delivery-Id"].ToString();
    if (delivery == "") return Results.BadRequest();
    // Lazy, because GetOrAdd alone may run the work twice. Concurrent deliveries wait for the same task.
    var work = done.GetOrAdd(delivery, _ => new Lazy<Task>(() => Keep(incoming["data"]!)));
    try
    {
        await work.Value;
        return Results.Ok();
    }
    catch (Exception error) // of any kind: a stored failure would fail every repetition of the delivery
    {
        app.Logger.LogError(error, "The appointment was not kept.");
        done.TryRemove(KeyValuePair.Create(delivery, work)); // only this attempt; the delivery can be repeated
        return Results.StatusCode(500);
    }
});
app.Run();

async Task Keep(JsonNode appointment)
{
    var kept = await crm.PostAsJsonAsync("appointments", appointment);
    kept.EnsureSuccessStatusCode();
}
