using System.Security.Cryptography;
using System.Text;

var app = WebApplication.Create(args);
var token = Environment.GetEnvironmentVariable("WEBHOOK_TOKEN");
if (string.IsNullOrEmpty(token)) throw new InvalidOperationException("WEBHOOK_TOKEN is not set.");
var expected = Encoding.UTF8.GetBytes($"Bearer {token}");

app.MapPost("/crm", (HttpRequest request) =>
{
    // The whole header, in constant time. No [FromBody] parameter, which would be validated before the token.
    var given = Encoding.UTF8.GetBytes(request.Headers.Authorization.ToString());
    return CryptographicOperations.FixedTimeEquals(given, expected) ? Results.NoContent() : Results.StatusCode(401);
});
app.Run();
