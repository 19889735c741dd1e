import com.fasterxml.jackson.databind.*;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.*;
import org.springframework.web.socket.*;
import org.springframework.web.socket.handler.*;

/** registry.addHandler(new VoiceHandler(), "/voice"), with an interceptor that verifies the upgrade. */
class VoiceHandler extends TextWebSocketHandler {
    private final ObjectMapper json = new ObjectMapper();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    private final Map<String, Future<?>> speaking = new ConcurrentHashMap<>(); // by session: one call is one session

    @Override
    protected void handleTextMessage(WebSocketSession call, TextMessage message) throws IOException {
        JsonNode frame = json.readTree(message.getPayload());
        switch (frame.path("type").asText()) {
            case "prompt" -> {
                stop(call); // one answer at a time
                String text = frame.path("text").asText();
                // In a thread of its own: an interruption has to be read while we speak.
                speaking.put(call.getId(), pool.submit(() -> speak(call, text)));
            }
            case "interrupt", "session.ended" -> stop(call); // nothing of the old answer after this
            default -> {} // session.started needs no words: the service greets. Unknown types are not ours.
        }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession call, CloseStatus status) {
        stop(call);
    }

    private void stop(WebSocketSession call) {
        Future<?> answer = speaking.remove(call.getId());
        if (answer != null) answer.cancel(true);
    }

    private Void speak(WebSocketSession call, String text) throws IOException, InterruptedException {
        for (String word : ("You said: " + text).split(" ")) {
            Thread.sleep(30); // stands for your model, which gives pieces as they come
            send(call, Map.of("type", "text", "text", word + " ", "last", false));
        }
        send(call, Map.of("type", "text", "text", "", "last", true)); // closes the answer
        return null;
    }

    private void send(WebSocketSession call, Object frame) throws IOException {
        String text = json.writeValueAsString(frame);
        synchronized (call) { // a session takes one message at a time
            if (!Thread.interrupted()) call.sendMessage(new TextMessage(text));
        }
    }
}
