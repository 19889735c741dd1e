using System.Net.WebSockets;
using System.Text.Json;
using System.Text.Json.Nodes;

var app = WebApplication.Create(args);
app.UseWebSockets();
app.Map("/voice", async (HttpContext context) =>
{
    using var call = await context.WebSockets.AcceptWebSocketAsync(); // verify the upgrade as well, before this line
    var speaking = new CancellationTokenSource(); // only of this call
    var answer = Task.CompletedTask;
    while (await Receive(call) is { } frame)
    {
        var type = (string?)frame["type"];
        if (type is not ("prompt" or "interrupt" or "session.ended")) continue; // the service greets
        speaking.Cancel(); // no piece of the old answer after this
        await answer; // one answer at a time: a socket sends one message at a time
        if (type != "prompt") continue;
        speaking = new CancellationTokenSource();
        answer = Speak(call, (string)frame["text"]!, speaking.Token); // not awaited: interruptions must be read
    }
    speaking.Cancel();
    await answer;
});
app.Run();

async Task Speak(WebSocket call, string text, CancellationToken stop)
{
    foreach (var word in $"You said: {text}".Split(' '))
    {
        await Task.Delay(30); // placeholder for your model, which yields pieces as they arrive
        if (stop.IsCancellationRequested || call.State != WebSocketState.Open) return;
        await Send(call, new { type = "text", text = $"{word} ", last = false });
    }
    if (stop.IsCancellationRequested || call.State != WebSocketState.Open) return;
    await Send(call, new { type = "text", text = "", last = true }); // closes the answer
}

// The token cancels the model, not the sending: a cancelled send closes the connection.
Task Send(WebSocket call, object frame) => call.SendAsync(
    new ArraySegment<byte>(JsonSerializer.SerializeToUtf8Bytes(frame)), WebSocketMessageType.Text, true, default);

async Task<JsonNode?> Receive(WebSocket call)
{
    using var memory = new MemoryStream();
    var buffer = new byte[4096];
    ValueWebSocketReceiveResult part;
    do
    {
        part = await call.ReceiveAsync(buffer.AsMemory(), CancellationToken.None);
        if (part.MessageType == WebSocketMessageType.Close) return null;
        memory.Write(buffer, 0, part.Count);
    } while (!part.EndOfMessage); // a frame may come in pieces
    return JsonNode.Parse(memory.ToArray());
}
