import java.util.*;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class HookController {
    private final RestClient crm = RestClient.create(System.getenv("CRM_URL")); // your own system
    // Delivery ids. In a database: a unique column, written in one transaction with the effect.
    private final Map<String, Boolean> done = new ConcurrentHashMap<>();

    // Verify the signature first. The id is unique per delivery; body, contact or time of two deliveries can be alike.
    @PostMapping("/hooks")
    ResponseEntity<Void> hooks(
            @RequestHeader("X-Svc-Delivery-Id") String delivery, @RequestBody Map<String, Object> event) {
        // A second one that comes while the first is at work waits for it. Where keep() throws, nothing is marked, and
        // the delivery may be tried again.
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
