import java.net.*;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class LookupController {
    private static final int LIMIT_MS = 1500; // of the 2 seconds that a caller waits; the rest is for the network
    private static final Map<String, Object> NOTHING =
            Map.of("requestContactUpdate", false, "requestProjectUpdate", false);
    private final String crmUrl = System.getenv("CRM_URL"); // your own system
    private final HttpClient http = HttpClient.newHttpClient();

    @PostMapping("/crm")
    ResponseEntity<Object> crm(@RequestBody Map<String, Object> event) throws Exception {
        CompletableFuture<Map<String, Object>> answer = lookUp(event).exceptionally(error -> NOTHING);
        try {
            return ResponseEntity.ok(answer.get(LIMIT_MS, TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            // 202 is a promise: exactly one callback follows within 5 minutes, also when nothing was found.
            URI callbackUrl = URI.create((String) event.get("callbackUrl")); // a String would be encoded once more
            answer.thenAcceptAsync(found -> RestClient.create().post().uri(callbackUrl)
                    .contentType(MediaType.APPLICATION_JSON).body(found).retrieve().toBodilessEntity());
            return ResponseEntity.accepted().build();
        }
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
