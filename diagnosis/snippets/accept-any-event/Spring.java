import java.util.*;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class EventController {
    // Until October 2026 eventType was a number; both forms come.
    private static final List<String> NUMBERS = List.of(
            "IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted");
    private static final Set<Object> LOOKUPS = Set.of("IncomingCallLookup", "NewConversation");

    // A Map, or a class without an enum that ignores unknown members: what comes later must not be a 400.
    @PostMapping("/crm")
    ResponseEntity<Object> crm(@RequestBody Map<String, Object> event) {
        Object name = nameOf(event.get("eventType"));
        Optional<Object> answer = name != null && LOOKUPS.contains(name) ? lookUp(event) : Optional.empty();
        // An event that we do not know is no error: there is nothing to add.
        return answer.map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.noContent().build());
    }

    private static Object nameOf(Object eventType) {
        return eventType instanceof Integer at && at >= 0 && at < NUMBERS.size() ? NUMBERS.get(at) : eventType;
    }

    /** Every member may be null, missing or new. Take what you need, and leave the rest alone. */
    private static Optional<Object> lookUp(Map<String, Object> event) {
        if (event.get("contactData") instanceof Map<?, ?> contact
                && contact.get("phoneNumber") instanceof String phone) {
            return Optional.of(Map.of(
                    "requestContactUpdate", true,
                    "contactData", Map.of("crmContactId", "customer-" + phone), // ask your own system; ids are strings
                    "requestProjectUpdate", false));
        }
        return Optional.empty();
    }
}
