import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import org.slf4j.*;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class LaterReplyController {
    private final Logger log = LoggerFactory.getLogger(getClass());
    private final ExecutorService pool = Executors.newFixedThreadPool(16);
    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient(); // follows no redirect: only this address gets the key
    // Several processes need a shared store: a unique column in your database.
    private final Set<String> taken = ConcurrentHashMap.newKeySet();
    private final String apiKey;

    LaterReplyController() {
        apiKey = System.getenv("SVC_API_KEY"); // API key of the assistant's inbox; not the secret that signs messages
        if (apiKey == null || apiKey.isEmpty()) throw new IllegalStateException("SVC_API_KEY is not set.");
    }

    // Verify the signature first: it authenticates the address that gets the key.
    @PostMapping("/chat")
    ResponseEntity<Void> chat(@RequestBody Map<String, Object> event) {
        Map<?, ?> data = event.get("data") instanceof Map<?, ?> map ? map : Map.of();
        boolean mine = "message.received".equals(event.get("type"))
                && data.get("autoReply") instanceof Map<?, ?> state && "on".equals(state.get("state"));
        if (!mine) return ResponseEntity.noContent().build(); // stay quiet
        // add() returns false the second time: a repetition of the event also gets a 202, and no second reply.
        if (taken.add((String) event.get("id"))) pool.submit(() -> reply(data));
        return ResponseEntity.accepted().build();
    }

    /** Placeholder for your slow model. Give yours a timeout. */
    private Map<String, String> think(Map<?, ?> data) {
        String text = data.get("message") instanceof Map<?, ?> message && message.get("text") instanceof String words
                ? words : "";
        return Map.of("text", "You wrote: " + text, "action", "none");
    }

    /** To the unchanged address, once. */
    private void reply(Map<?, ?> data) {
        Map<String, String> answer;
        try {
            answer = think(data);
        } catch (RuntimeException error) {
            log.error("The model failed.", error); // a customer who waits in vain is worse than a handover
            answer = Map.of("text", "", "action", "handover", "note", "The assistant failed.");
        }
        try {
            HttpRequest post = HttpRequest.newBuilder(URI.create((String) data.get("replyUrl")))
                    .timeout(Duration.ofSeconds(10))
                    .header("Content-Type", "application/json").header("X-Api-Key", apiKey)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(json.writeValueAsBytes(answer))).build();
            int status = http.send(post, HttpResponse.BodyHandlers.discarding()).statusCode();
            // 409: the AI no longer has the conversation, so the answer is dropped.
            if (status >= 300 && status != 409) throw new IllegalStateException("It was answered " + status + ".");
        } catch (Exception error) {
            log.error("The reply failed.", error);
        }
    }
}
