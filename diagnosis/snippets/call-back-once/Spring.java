import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.*;
import org.slf4j.*;
import org.springframework.http.*;
import org.springframework.web.bind.annotation.*;
import org.springframework.web.client.RestClient;

@RestController
class CallbackController {
    private final Logger log = LoggerFactory.getLogger(getClass());
    private final ExecutorService pool = Executors.newFixedThreadPool(16);
    // Several processes need a shared store: a unique column in your database.
    private final Set<String> taken = ConcurrentHashMap.newKeySet();

    @PostMapping("/crm")
    ResponseEntity<Void> crm(@RequestBody Map<String, Object> event) {
        String callbackUrl = (String) event.get("callbackUrl");
        // add() returns false the second time: a repetition of the event also gets a 202, and no second callback.
        if (taken.add(callbackUrl)) pool.submit(() -> callBack(callbackUrl, event));
        return ResponseEntity.accepted().build();
    }

    /** To the unchanged address, including its query. No token: it must not leave the endpoint. */
    private void callBack(String callbackUrl, Map<String, Object> event) {
        try {
            RestClient.create().post().uri(URI.create(callbackUrl)) // a String would be encoded twice
                    .contentType(MediaType.APPLICATION_JSON).body(findAnswer(event)).retrieve().toBodilessEntity();
        } catch (RuntimeException error) {
            log.error("The callback failed.", error);
        }
    }

    private Map<String, Object> findAnswer(Map<String, Object> event) {
        Object id = event.get("projectData") instanceof Map<?, ?> project ? project.get("svcProjectId") : null;
        if (id == null) { // not one case for all events without a project
            return Map.of("requestContactUpdate", false, "requestProjectUpdate", false);
        }
        return Map.of("requestContactUpdate", false, "requestProjectUpdate", true,
                "projectData", Map.of("crmProjectId", "case-" + id)); // ask your own system; ids are strings
    }
}
