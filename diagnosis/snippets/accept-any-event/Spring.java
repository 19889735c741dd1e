import java.util.*;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.*;

@RestController
class EventController {
    // Until October 2026 eventType was a number; accept both forms.
    private static final List<String> NUMBERS = List.of(
            "IncomingCallLookup", "FinishedCall", "NewConversation", "ConversationPaused", "Manual", "FormSubmitted");
    private static final Set<Object> LOOKUPS = Set.of("IncomingCallLookup", "NewConversation");

    // A Map, or a class without an enum that ignores unknown fields: a future event must not cause a 400.
    @PostMapping("/crm")
    ResponseEntity<Object> crm(@RequestBody Map<String, Object> event) {
        Object name = nameOf(event.get("eventType"));
        Optional<Object> answer = name != null && LOOKUPS.contains(name) ? lookUp(event) : Optional.empty();
        // An unknown event is not an error: there is no data to add.
        return answer.map(ResponseEntity::ok).orElseGet(() -> ResponseEntity.noContent().build());
    }

    private static Object nameOf(Object eventType) {
        return eventType instanceof Integer at && at >= 0 && at < NUMBERS.size() ? NUMBERS.get(at) : eventType;
    }

    /** Every field may be null, missing or new. Read the fields that you need, and ignore the rest. */
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
