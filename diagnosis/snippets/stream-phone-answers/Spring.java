import com.fasterxml.jackson.databind.*;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.web.socket.*;
import org.springframework.web.socket.handler.*;

/** registry.addHandler(new VoiceHandler(), "/voice"), with an interceptor that verifies the upgrade. */
class VoiceHandler extends TextWebSocketHandler {
    private final ObjectMapper json = new ObjectMapper();
    private final ExecutorService pool = Executors.newCachedThreadPool();
    // Cancellation flag of the running answer, by session: one call is one session. A flag instead of Future.cancel():
    // the interrupt of a thread is lost if a library clears it.
    private final Map<String, AtomicBoolean> stops = new ConcurrentHashMap<>();

    @Override
    protected void handleTextMessage(WebSocketSession call, TextMessage message) throws IOException {
        JsonNode frame = json.readTree(message.getPayload());
        switch (frame.path("type").asText()) {
            case "prompt" -> {
                stop(call); // one answer at a time
                String text = frame.path("text").asText();
                // In a separate thread: interruptions must be read while we speak.
                AtomicBoolean stopped = new AtomicBoolean();
                stops.put(call.getId(), stopped);
                pool.submit(() -> speak(call, text, stopped));
            }
            case "interrupt", "session.ended" -> stop(call); // no piece of the old answer after this
            default -> {} // session.started needs no answer: the service greets. Ignore unknown types.
        }
    }

    @Override
    public void afterConnectionClosed(WebSocketSession call, CloseStatus status) {
        stop(call);
    }

    private void stop(WebSocketSession call) {
        AtomicBoolean stopped = stops.remove(call.getId());
        synchronized (call) { // after this, no piece of the old answer is in flight
            if (stopped != null) stopped.set(true);
        }
    }

    private Void speak(WebSocketSession call, String text, AtomicBoolean stopped) throws Exception {
        for (String word : ("You said: " + text).split(" ")) {
            Thread.sleep(30); // placeholder for your model, which yields pieces as they arrive
            if (!send(call, stopped, Map.of("type", "text", "text", word + " ", "last", false))) return null;
        }
        send(call, stopped, Map.of("type", "text", "text", "", "last", true)); // closes the answer
        return null;
    }

    /** Returns whether it was sent: false once the answer has been cancelled. */
    private boolean send(WebSocketSession call, AtomicBoolean stopped, Object frame) throws IOException {
        String text = json.writeValueAsString(frame);
        synchronized (call) { // a session sends one message at a time
            if (stopped.get()) return false;
            call.sendMessage(new TextMessage(text));
            return true;
        }
    }
}
