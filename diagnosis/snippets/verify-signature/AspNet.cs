using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

var app = WebApplication.Create(args);
// The whole secret including whsec_; it is not base64.
var secret = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("AGENT_SECRET") ?? "");
if (secret.Length == 0) throw new InvalidOperationException("AGENT_SECRET is not set."); // anyone could sign with it
const long toleranceSeconds = 300;

// No [FromBody] parameter: it would be parsed, and rejected with 400, before we verify.
app.MapPost("/chat", async (HttpRequest request) =>
{
    using var memory = new MemoryStream();
    await request.Body.CopyToAsync(memory);
    var body = memory.ToArray();
    if (!IsSigned(request.Headers["X-Svc-Signature"].ToString(), body)) return Results.StatusCode(401);
    using var json = JsonDocument.Parse(body); // only now
    return Results.NoContent();
});
app.Run();

// Returns whether the header has a fresh signature of exactly these bytes. Garbage is false, not an exception.
bool IsSigned(string header, byte[] payload)
{
    var parts = Regex.Match(header, @"\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z");
    if (!parts.Success) return false;
    byte[] content = [.. Encoding.ASCII.GetBytes(parts.Groups[1].Value + "."), .. payload];
    var genuine = CryptographicOperations.FixedTimeEquals(
        HMACSHA256.HashData(secret, content), Convert.FromHexString(parts.Groups[2].Value));
    var seconds = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    return genuine && Math.Abs(seconds - long.Parse(parts.Groups[1].Value)) <= toleranceSeconds;
}
