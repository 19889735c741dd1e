using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

var app = WebApplication.Create(args);
// The whole secret including whsec_; it is not base64.
var secret = Encoding.UTF8.GetBytes(Environment.GetEnvironmentVariable("AGENT_SECRET") ?? "");
if (secret.Length == 0) throw new InvalidOperationException("AGENT_SECRET is not set."); // anyone could sign with it
const long toleranceSeconds = 300;

app.UseWebSockets();
app.Map("/voice", async (HttpContext context) =>
{
    var header = context.Request.Headers["X-Svc-Signature"].ToString();
    var callId = context.Request.Headers["X-Svc-Call-Id"].ToString();
    if (!context.WebSockets.IsWebSocketRequest || !IsSigned(header, callId))
    {
        context.Response.StatusCode = 401; // before AcceptWebSocketAsync, so that the upgrade itself is rejected
        return;
    }
    using var call = await context.WebSockets.AcceptWebSocketAsync();
    // Speak here; the call ends when this method returns.
});
app.Run();

// The signature covers the call id from the header, not the empty body.
bool IsSigned(string header, string callId)
{
    var parts = Regex.Match(header, @"\At=([0-9]{1,15}),v1=([0-9a-f]{64})\z");
    if (!parts.Success || callId == "") return false;
    var content = Encoding.UTF8.GetBytes($"{parts.Groups[1].Value}.{callId}");
    var genuine = CryptographicOperations.FixedTimeEquals(
        HMACSHA256.HashData(secret, content), Convert.FromHexString(parts.Groups[2].Value));
    var seconds = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
    return genuine && Math.Abs(seconds - long.Parse(parts.Groups[1].Value)) <= toleranceSeconds;
}
