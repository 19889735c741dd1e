import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class HookController {
    private final RestClient crm = RestClient.create(System.getenv("CRM_URL")); // your own system
    // Delivery ids. In a database: a unique column, written in the same transaction as the effect.
    private final Map<String, Boolean> done = new ConcurrentHashMap<>();

    // Verify the signature first. The id is unique per delivery; two can have the same body, contact or time.
    @PostMapping("/hooks")
    ResponseEntity<Void> hooks(
            @RequestHeader("X-Svc-Delivery-Id") String delivery, @RequestBody Map<String, Object> event) {
        // A second delivery waits while the first is being processed. If keep() throws, nothing is recorded, and
        // the delivery can be repeated.
        done.computeIfAbsent(delivery, id -> {
            keep(event.get("data"));
            return true;
        });
        return ResponseEntity.ok().build();
    }

    private void keep(Object appointment) {
        crm.post().uri("/appointments").contentType(MediaType.APPLICATION_JSON).body(appointment)
                .retrieve().toBodilessEntity();
    }
}
