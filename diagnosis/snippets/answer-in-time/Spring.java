import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class LookupController {
    private static final int LIMIT_MS = 1500; // of the 2 seconds that a caller waits; the rest is for the network
    private static final int LOOK_UP_MS = 5000; // without it, a hanging system prevents the callback
    private static final Map<String, Object> NOTHING =
            Map.of("requestContactUpdate", false, "requestProjectUpdate", false);
    private final String crmUrl = System.getenv("CRM_URL"); // your own system
    private final HttpClient http = HttpClient.newHttpClient();

    private record Work(CompletableFuture<Map<String, Object>> answer, AtomicBoolean isPromised) {}

    // By callbackUrl; several processes need a shared store, for example a table in your database.
    private final Map<String, Work> works = new ConcurrentHashMap<>();

    @PostMapping("/crm")
    ResponseEntity<Object> crm(@RequestBody Map<String, Object> event) throws Exception {
        URI callbackUrl = URI.create((String) event.get("callbackUrl")); // a String would be encoded twice
        // A repetition of the event joins the first: it gets the same answer, and no second callback.
        Work work = works.computeIfAbsent(callbackUrl.toString(), first -> new Work(
                lookUp(event).completeOnTimeout(NOTHING, LOOK_UP_MS, TimeUnit.MILLISECONDS)
                        .exceptionally(error -> NOTHING), new AtomicBoolean()));
        try {
            Map<String, Object> inTime = work.answer.get(LIMIT_MS, TimeUnit.MILLISECONDS);
            if (!work.isPromised.get()) return ResponseEntity.ok(inTime);
        } catch (TimeoutException late) {
            // 202 is a promise: exactly one callback follows within 5 minutes, even if nothing was found.
            if (work.isPromised.compareAndSet(false, true)) {
                work.answer.thenAcceptAsync(found -> RestClient.create().post().uri(callbackUrl)
                        .contentType(MediaType.APPLICATION_JSON).body(found).retrieve().toBodilessEntity());
            }
        }
        return ResponseEntity.accepted().build();
    }

    private CompletableFuture<Map<String, Object>> lookUp(Map<String, Object> event) {
        String phone = event.get("contactData") instanceof Map<?, ?> contact
                && contact.get("phoneNumber") instanceof String text ? text : "";
        String query = "?phone=" + URLEncoder.encode(phone, StandardCharsets.UTF_8);
        URI customer = URI.create(crmUrl + "/customer-number" + query);
        return http.sendAsync(HttpRequest.newBuilder(customer).build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(found -> found.statusCode() != 200 ? NOTHING : Map.of("requestContactUpdate", true,
                        "contactData", Map.of("crmContactId", found.body()), "requestProjectUpdate", false));
    }
}
